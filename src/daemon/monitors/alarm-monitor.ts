import type { Clock, Moment } from '../../core/clock/moment.ts';
import type { AlarmKind, AlarmValues } from '../../core/rules/alarm-kinds.ts';
import { type ConditionState, ConditionTimer, toTempCondition } from '../../core/rules/alarm-rules.ts';
import type { Engine } from '../../engine/engine.ts';
import type { HealthPart, LatestTemperature } from '../../http/ports.ts';
import type { Logger } from '../../system/log.ts';

const minuteMs = 60_000;

/** A problem must last this long to raise an alarm: shorter ones are over before anybody could act. */
const problemDelayMs = 2 * minuteMs;
/**
 * A condition must be good for this long before its alarm is cleared, so one thing causes at most two mails
 * an hour.
 */
const clearDelayMs = 30 * minuteMs;
/** An older reading says nothing about the present temperature. */
const freshMs = 10 * minuteMs;

/** Parts whose problems raise an alarm; the others have alarms of their own or are shown on the page only. */
const alarmedParts: readonly string[] = ['counting', 'storing', 'disk', 'power', 'backups', 'valves'];
/** Parts whose problems raise an alarm at once: beer runs meanwhile. */
const urgentParts: readonly string[] = ['valves'];

interface AlarmMonitorOptions {
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly latestTemperatures: () => ReadonlyMap<string, LatestTemperature>;
  readonly health: () => readonly HealthPart[];
  readonly log: Pick<Logger, 'warn'>;
}

/** One condition that may raise an alarm, with the values of its message. */
type Condition = {
  readonly [K in AlarmKind]: {
    readonly kind: K;
    readonly subject: string;
    readonly state: ConditionState;
    /** How long it must last to raise the alarm, milliseconds. */
    readonly lastsMs: number;
    readonly values: AlarmValues[K];
  };
}[AlarmKind];

/** Checks once a minute for conditions that staff should know of, and raises each alarm once. */
export class AlarmMonitor {
  readonly #options: AlarmMonitorOptions;
  readonly #trackers = new Map<string, ConditionTimer>();

  constructor(options: AlarmMonitorOptions) {
    this.#options = options;
  }

  /**
   * Called once a minute. An alarm that cannot be stored now, because the disk is full, is raised as soon as
   * it can.
   */
  poll(): void {
    const engine = this.#options.engine();
    if (engine === null) return;
    const now = this.#options.clock.now();
    const conditions = [
      ...this.#warmTaps(engine, now),
      ...this.#silentKegboards(engine, now),
      ...this.#healthProblems(),
    ];
    const raised = new Map(engine.alarms.raised().map((alarm) => [toKey(alarm), alarm]));
    for (const condition of conditions) {
      const key = toKey(condition);
      this.#update(engine, condition, { isRaised: raised.has(key), now });
      raised.delete(key);
    }
    // A raised condition whose subject no longer exists is cleared.
    for (const { kind, subject } of raised.values()) engine.alarms.clear(kind, subject);
    const keys = new Set(conditions.map(toKey));
    for (const key of this.#trackers.keys()) if (!keys.has(key)) this.#trackers.delete(key);
  }

  #update(engine: Engine, condition: Condition, { isRaised, now }: { isRaised: boolean; now: Moment }): void {
    const key = toKey(condition);
    const tracker = this.#trackers.get(key) ?? new ConditionTimer();
    this.#trackers.set(key, tracker);
    const { badForMs, goodForMs } = tracker.step(condition.state, now.monoMs);
    if (!isRaised && badForMs !== null && badForMs >= condition.lastsMs) {
      this.#options.log.warn({ alarm: condition.kind, subject: condition.subject }, 'alarm raised');
      engine.alarms.raise(condition.kind, condition.subject, condition.values, now);
    }
    if (isRaised && goodForMs !== null && goodForMs >= clearDelayMs)
      engine.alarms.clear(condition.kind, condition.subject);
  }

  /** The thermo sensors of taps only; the temperature of other sensors has no limit. */
  #warmTaps(engine: Engine, now: Moment): Condition[] {
    const { tooWarmC, tooWarmMinutes } = engine.alarms.settings();
    if (tooWarmC === null) return [];
    const latestTemperatures = this.#options.latestTemperatures();
    const sensors = new Map(
      engine.taps
        .list()
        .flatMap(({ tap: { thermoSensor } }) =>
          thermoSensor === null ? [] : [[thermoSensor.id, thermoSensor] as const],
        ),
    );
    return [...sensors.values()].map((sensor): Condition => {
      // Local sensors are stored in batches, so the reading in memory is newer than the stored one.
      const latest = latestTemperatures.get(sensor.rawName);
      const last = latest ?? engine.thermo.find(sensor.id)?.last ?? null;
      const isFresh = last !== null && now.wallMs - last.timeMs <= freshMs && latest?.isStale !== true;
      return {
        kind: 'too_warm',
        subject: sensor.rawName,
        state: isFresh ? toTempCondition(last.tempC, tooWarmC) : 'unknown',
        lastsMs: tooWarmMinutes * minuteMs,
        values: {
          sensor: sensor.niceName || sensor.rawName,
          tempC: last?.tempC ?? tooWarmC,
          limitC: tooWarmC,
        },
      };
    });
  }

  /** Network kegboards; local meters and serial boards are covered by their health part. */
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
          // Before the clock is set, the age of the last report is unknown.
          state: !now.synced || silentMs === null ? 'unknown' : isSilent ? 'bad' : 'good',
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
        ({ name, problems }): Condition => ({
          kind: 'system_problem',
          subject: name,
          state: problems.length === 0 ? 'good' : 'bad',
          lastsMs: urgentParts.includes(name) ? 0 : problemDelayMs,
          values: { part: name, problems },
        }),
      );
  }
}

const toKey = ({ kind, subject }: { readonly kind: AlarmKind; readonly subject: string }): string =>
  `${kind} ${subject}`;
