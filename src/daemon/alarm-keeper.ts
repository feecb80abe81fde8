import { type Sign, SteadyLook, tempSign } from '../core/alarm-rules.ts';
import type { Clock, Moment } from '../core/moment.ts';
import type { AlarmKind, Engine, Letters } from '../engine/engine.ts';
import type { HealthPart, ProbeNow } from '../http/ports.ts';
import type { Logger } from '../system/log.ts';

const minuteMs = 60_000;

/** Trouble of the house that is over before anybody could come is not told. */
const troubleLastsMs = 2 * minuteMs;
/** Only what has been well for so long is news when it comes back: at most two mails an hour about one thing. */
const wellAgainMs = 30 * minuteMs;
/** An older reading says nothing about now. */
const freshMs = 10 * minuteMs;

/** Parts of the house whose trouble is told by mail; the others are told on their own or can wait for the page. */
const watchedParts: readonly string[] = ['counting', 'storing', 'disk', 'power', 'backups'];

export interface AlarmKeeperParts {
  /** Null while the ledger cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly probes: () => ReadonlyMap<string, ProbeNow>;
  readonly health: () => readonly HealthPart[];
  readonly log: Pick<Logger, 'warn'>;
}

/** One thing that may want somebody, and what they would be told. */
type Watched = {
  readonly [K in AlarmKind]: {
    readonly kind: K;
    readonly subject: string;
    readonly sign: Sign;
    /** How long it must last, milliseconds. */
    readonly lastsMs: number;
    readonly values: Letters[K];
  };
}[AlarmKind];

/** Looks once a minute after what staff should be told of, and tells it once. */
export class AlarmKeeper {
  readonly #parts: AlarmKeeperParts;
  readonly #looks = new Map<string, SteadyLook>();

  constructor(parts: AlarmKeeperParts) {
    this.#parts = parts;
  }

  /** Once a minute. What cannot be written now, since the disk is full, is told as soon as it can be. */
  look(): void {
    const engine = this.#parts.engine();
    if (engine === null) return;
    const now = this.#parts.clock.now();
    const watched = [...this.#warmTaps(engine, now), ...this.#silentBoards(engine, now), ...this.#troubles()];
    const told = new Map(engine.alarms.told().map((alarm) => [keyOf(alarm), alarm]));
    for (const one of watched) {
      const key = keyOf(one);
      this.#judge(engine, one, { isTold: told.has(key), now });
      told.delete(key);
    }
    // What is not there any more troubles nobody.
    for (const { kind, subject } of told.values()) engine.alarms.clear(kind, subject);
    const keys = new Set(watched.map(keyOf));
    for (const key of this.#looks.keys()) if (!keys.has(key)) this.#looks.delete(key);
  }

  #judge(engine: Engine, one: Watched, { isTold, now }: { isTold: boolean; now: Moment }): void {
    const key = keyOf(one);
    const look = this.#looks.get(key) ?? new SteadyLook();
    this.#looks.set(key, look);
    const { badForMs, goodForMs } = look.step(one.sign, now.monoMs);
    if (!isTold && badForMs !== null && badForMs >= one.lastsMs) {
      this.#parts.log.warn({ alarm: one.kind, subject: one.subject }, 'staff are told');
      engine.alarms.raise(one.kind, one.subject, one.values, now);
    }
    if (isTold && goodForMs !== null && goodForMs >= wellAgainMs) engine.alarms.clear(one.kind, one.subject);
  }

  /** The thermometers of taps; one in the cellar may be as warm as it likes. */
  #warmTaps(engine: Engine, now: Moment): Watched[] {
    const { tooWarmC, tooWarmMinutes } = engine.alarms.settings();
    if (tooWarmC === null) return [];
    const probes = this.#parts.probes();
    const sensors = new Map(
      engine.taps
        .list()
        .flatMap(({ tap: { thermoSensor } }) =>
          thermoSensor === null ? [] : [[thermoSensor.id, thermoSensor] as const],
        ),
    );
    return [...sensors.values()].map((sensor): Watched => {
      // Our own probes are written down in batches; what they say now is known before.
      const probe = probes.get(sensor.rawName);
      const last = probe ?? engine.thermo.find(sensor.id)?.last ?? null;
      const isFresh = last !== null && now.wallMs - last.timeMs <= freshMs && probe?.isStale !== true;
      return {
        kind: 'too_warm',
        subject: sensor.rawName,
        sign: isFresh ? tempSign(last.tempC, tooWarmC) : 'unknown',
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
  #silentBoards(engine: Engine, now: Moment): Watched[] {
    const { silentMinutes } = engine.alarms.settings();
    return engine.devices
      .roster(now)
      .filter(({ board }) => board.state === 'paired')
      .map(({ board }): Watched => {
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

  #troubles(): Watched[] {
    return this.#parts
      .health()
      .filter(({ name }) => watchedParts.includes(name))
      .map(
        ({ name, problem }): Watched => ({
          kind: 'house_trouble',
          subject: name,
          sign: problem === null ? 'good' : 'bad',
          lastsMs: troubleLastsMs,
          values: { part: name, problem: problem ?? '' },
        }),
      );
  }
}

const keyOf = ({ kind, subject }: { readonly kind: AlarmKind; readonly subject: string }): string =>
  `${kind} ${subject}`;
