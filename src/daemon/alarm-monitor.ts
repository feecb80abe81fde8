import { type ConditionState, ConditionTimer, toTempCondition } from '../core/alarm-rules.ts';
import type { Clock, Moment } from '../core/moment.ts';
import type { AlarmKind, EmailTemplates, Engine } from '../engine/engine.ts';
import type { HealthPart, LatestTemperature } from '../http/ports.ts';
import type { Logger } from '../system/log.ts';

const minuteMs = 60_000;

/** Trouble of the house that is over before anybody could come is not told. */
const problemDelayMs = 2 * minuteMs;
/** Only what has been well for so long is news when it comes back: at most two mails an hour about one thing. */
const clearDelayMs = 30 * minuteMs;
/** An older reading says nothing about now. */
const freshMs = 10 * minuteMs;

/** Parts of the house whose trouble is told by mail; the others are told on their own or can wait for the page. */
const alarmedParts: readonly string[] = ['counting', 'storing', 'disk', 'power', 'backups'];

export interface AlarmMonitorOptions {
  /** Null while the ledger cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly probes: () => ReadonlyMap<string, LatestTemperature>;
  readonly health: () => readonly HealthPart[];
  readonly log: Pick<Logger, 'warn'>;
}

/** One thing that may want somebody, and what they would be told. */
type Condition = {
  readonly [K in AlarmKind]: {
    readonly kind: K;
    readonly subject: string;
    readonly sign: ConditionState;
    /** How long it must last, milliseconds. */
    readonly lastsMs: number;
    readonly values: EmailTemplates[K];
  };
}[AlarmKind];

/** Looks once a minute after what staff should be told of, and tells it once. */
export class AlarmMonitor {
  readonly #options: AlarmMonitorOptions;
  readonly #trackers = new Map<string, ConditionTimer>();

  constructor(options: AlarmMonitorOptions) {
    this.#options = options;
  }

  /** Once a minute. What cannot be written now, since the disk is full, is told as soon as it can be. */
  poll(): void {
    const engine = this.#options.engine();
    if (engine === null) return;
    const now = this.#options.clock.now();
    const conditions = [
      ...this.#warmTaps(engine, now),
      ...this.#silentKegboards(engine, now),
      ...this.#healthProblems(),
    ];
    const raised = new Map(engine.alarms.told().map((alarm) => [toKey(alarm), alarm]));
    for (const condition of conditions) {
      const key = toKey(condition);
      this.#update(engine, condition, { isRaised: raised.has(key), now });
      raised.delete(key);
    }
    // What is not there any more troubles nobody.
    for (const { kind, subject } of raised.values()) engine.alarms.clear(kind, subject);
    const keys = new Set(conditions.map(toKey));
    for (const key of this.#trackers.keys()) if (!keys.has(key)) this.#trackers.delete(key);
  }

  #update(engine: Engine, condition: Condition, { isRaised, now }: { isRaised: boolean; now: Moment }): void {
    const key = toKey(condition);
    const tracker = this.#trackers.get(key) ?? new ConditionTimer();
    this.#trackers.set(key, tracker);
    const { badForMs, goodForMs } = tracker.step(condition.sign, now.monoMs);
    if (!isRaised && badForMs !== null && badForMs >= condition.lastsMs) {
      this.#options.log.warn({ alarm: condition.kind, subject: condition.subject }, 'staff are told');
      engine.alarms.raise(condition.kind, condition.subject, condition.values, now);
    }
    if (isRaised && goodForMs !== null && goodForMs >= clearDelayMs)
      engine.alarms.clear(condition.kind, condition.subject);
  }

  /** The thermometers of taps; one in the cellar may be as warm as it likes. */
  #warmTaps(engine: Engine, now: Moment): Condition[] {
    const { tooWarmC, tooWarmMinutes } = engine.alarms.settings();
    if (tooWarmC === null) return [];
    const probes = this.#options.probes();
    const sensors = new Map(
      engine.taps
        .list()
        .flatMap(({ tap: { thermoSensor } }) =>
          thermoSensor === null ? [] : [[thermoSensor.id, thermoSensor] as const],
        ),
    );
    return [...sensors.values()].map((sensor): Condition => {
      // Our own probes are written down in batches; what they say now is known before.
      const probe = probes.get(sensor.rawName);
      const last = probe ?? engine.thermo.find(sensor.id)?.last ?? null;
      const isFresh = last !== null && now.wallMs - last.timeMs <= freshMs && probe?.isStale !== true;
      return {
        kind: 'too_warm',
        subject: sensor.rawName,
        sign: isFresh ? toTempCondition(last.tempC, tooWarmC) : 'unknown',
        lastsMs: tooWarmMinutes * minuteMs,
        values: {
          sensor: sensor.niceName || sensor.rawName,
          tempC: last?.tempC ?? tooWarmC,
          limitC: tooWarmC,
        },
      };
    });
  }

  /** Boards that report by themselves; what hangs on wires of ours is told by its part of the house. */
  #silentKegboards(engine: Engine, now: Moment): Condition[] {
    const { silentMinutes } = engine.alarms.settings();
    return engine.kegboards
      .list(now)
      .filter(({ board }) => board.state === 'paired')
      .map(({ board }): Condition => {
        const silentMs = board.lastSeenMs === null ? null : now.wallMs - board.lastSeenMs;
        const isSilent = silentMs !== null && silentMs >= silentMinutes * minuteMs;
        return {
          kind: 'controller_silent',
          subject: board.device,
          // A clock that is not right yet cannot tell how long ago anything was.
          sign: !now.synced || silentMs === null ? 'unknown' : isSilent ? 'bad' : 'good',
          lastsMs: minuteMs,
          values: { device: board.device, minutes: Math.floor((silentMs ?? 0) / minuteMs) },
        };
      });
  }

  #healthProblems(): Condition[] {
    return this.#options
      .health()
      .filter(({ name }) => alarmedParts.includes(name))
      .map(
        ({ name, problem }): Condition => ({
          kind: 'house_trouble',
          subject: name,
          sign: problem === null ? 'good' : 'bad',
          lastsMs: problemDelayMs,
          values: { part: name, problem: problem ?? '' },
        }),
      );
  }
}

const toKey = ({ kind, subject }: { readonly kind: AlarmKind; readonly subject: string }): string =>
  `${kind} ${subject}`;
