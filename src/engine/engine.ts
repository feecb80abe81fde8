import type {
  AuthToken,
  Beverage,
  Controller,
  Drink,
  FlowMeter,
  FlowToggle,
  Keg,
  KegSize,
  KegState,
  PourSource,
  Session,
  Site,
  SystemEvent,
  Tap,
  ThermoLog,
  ThermoSensor,
  User,
} from '../core/ledger.ts';
import type { Moment } from '../core/moment.ts';
import type { EndedPour } from '../core/pour.ts';

/** A tap is named by its id or by its meter's full name, on every door. */
export type TapRef = number | string;

/** A tap with what hangs on it, as every face shows it. */
export interface TapView {
  readonly tap: Tap;
  readonly keg: Keg | null;
  readonly beverage: Beverage | null;
  readonly lastTemp: ThermoLog | null;
}

/** A drink with the objects it belongs to. */
export interface DrinkView {
  readonly drink: Drink;
  readonly keg: Keg | null;
  readonly user: User | null;
  readonly session: Session | null;
}

/** A page of a list: ids descending from `start`. */
export interface Page<T> {
  readonly total: number;
  readonly limit: number;
  /** The `start` asked for, else 0. */
  readonly pos: number;
  readonly items: readonly T[];
}

/** A pour that somebody else measured: another controller, or a person. */
export interface ReportedPour {
  readonly tap: TapRef;
  /** Whole, ≥ 0. */
  readonly ticks: number;
  /** Wins over the ticks, even when 0; absent → computed from ticks and the tap's meter. */
  readonly volumeMl?: number;
  /** Unknown names are kept as `claimedUsername`; empty and `guest` mean nobody. */
  readonly username?: string;
  /** `device|value` or a bare value; resolved to a user when no username is given, stored always. */
  readonly authToken?: string;
  /** How long before `now` the pour ended, milliseconds; negative is cut to 0. */
  readonly agoMs?: number;
  readonly durationMs?: number;
  readonly shout?: string;
  /** Dropped when malformed. */
  readonly series?: string;
  readonly pourId?: string;
  readonly source: PourSource;
}

export interface Spill {
  readonly id: number;
  readonly tapId: number | null;
  readonly kegId: number | null;
  readonly volumeMl: number;
  readonly timeMs: number;
}

export interface NewKeg {
  /** An existing beverage, or the three names, matched exactly or created. */
  readonly beverage:
    | { readonly id: number }
    | {
        readonly name: string;
        readonly producerName: string;
        readonly styleName: string;
        readonly abvPercent?: number;
        readonly colorHex?: string;
      };
  /** Key of the keg size; default `half-barrel`. */
  readonly sizeKey?: string;
  /** Absent → the size's volume; must be > 0. */
  readonly fullVolumeMl?: number;
  readonly description?: string;
  readonly notes?: string;
}

/** Hardware as the configuration file declares it; `null` tap names mean bound to no tap. */
export interface HardwareDeclaration {
  readonly controller: { readonly name: string; readonly modelName: string; readonly serialNumber?: string };
  readonly meters: readonly { readonly portName: string; readonly ticksPerMl: number | null }[];
  readonly toggles: readonly { readonly portName: string }[];
  readonly taps: readonly {
    readonly name: string;
    readonly meterPort?: string;
    readonly togglePort?: string;
    readonly thermoSensor?: string;
  }[];
}

/** Doors for pours. Each is one transaction; recording a pour_id twice gives the first drink again. */
export interface Pours {
  /** A pour from our own pins or a serial board; judged by flow, held when doubtful, never refused. */
  record(pour: EndedPour, source: 'pin' | 'serial', now: Moment): Drink;
  /** A pour somebody reports. Throws `not_found` for an unknown tap or meter, `invalid_request` without volume. */
  report(pour: ReportedPour, now: Moment): Drink;
  /** Beer that went down the drain: no drink, the keg's spilled total grows. */
  spill(
    spill: Pick<ReportedPour, 'tap' | 'ticks' | 'volumeMl' | 'pourId'>,
    now: Moment,
  ): { readonly spill: Spill; readonly keg: Keg | null };
  /** Ticks of drips, for the meters' lifetime totals. */
  countDrips(ticksByMeter: ReadonlyMap<string, number>): void;
}

/** Corrections and readings of drinks. Every correction moves keg, session and events in the same transaction. */
export interface Drinks {
  get(id: number): DrinkView | null;
  list(page: { readonly start?: number; readonly limit?: number }): Page<Drink>;
  newest(count: number): readonly Drink[];
  held(): readonly Drink[];
  /** Gives the drink as it was, `isValid` false; with `spilled` its volume becomes the keg's loss. */
  cancel(id: number, options: { readonly spilled: boolean }, now: Moment): DrinkView;
  /** null un-assigns. */
  reassign(id: number, username: string | null): DrinkView;
  setVolume(id: number, volumeMl: number): DrinkView;
  /** A held drink becomes a real one, on the given tap and keg, or where it was poured. */
  keep(
    id: number,
    to: { readonly tapId?: number; readonly kegId?: number | null; readonly username?: string },
    now: Moment,
  ): DrinkView;
  /** A held drink is forgotten; its ticks stay in the meter's total. */
  discard(id: number): void;
  /** A drink is charged to another keg (or to none), with session and totals following. */
  moveToKeg(id: number, kegId: number | null): DrinkView;
}

export interface Kegs {
  get(id: number): Keg | null;
  list(page: { readonly start?: number; readonly limit?: number; readonly state?: KegState }): Page<Keg>;
  sizes(): readonly KegSize[];
  beverage(id: number): Beverage | null;
  create(keg: NewKeg, now: Moment): Keg;
  /** The tap must be empty and the keg available; event keg_tapped once in its life. */
  attach(tapId: number, kegId: number, now: Moment): Keg;
  /** Create and attach. */
  start(tapId: number, keg: NewKeg, now: Moment): Keg;
  /** Takes it off its tap, if on one, and finishes it. */
  end(kegId: number, now: Moment): Keg;
  /** finished → available. */
  reactivate(kegId: number): Keg;
  spill(kegId: number, volumeMl: number, now: Moment): Keg;
}

export interface Taps {
  list(): readonly TapView[];
  /** By id, decimal text of an id, or full meter name; null when there is none. */
  find(ref: TapRef): TapView | null;
  create(tap: { readonly name: string; readonly notes?: string; readonly sortOrder?: number }): Tap;
  /** null disconnects; hardware on another tap is moved. */
  connectMeter(tapId: number, meterId: number | null): Tap;
  connectToggle(tapId: number, toggleId: number | null): Tap;
  connectThermo(tapId: number, sensorId: number | null): Tap;
}

export interface Hardware {
  /** Brings controllers, meters, toggles and new taps into the ledger; what people changed since stays. */
  provision(declared: HardwareDeclaration): void;
  controllers(): readonly Controller[];
  meters(): readonly FlowMeter[];
  toggles(): readonly FlowToggle[];
  createController(controller: {
    readonly name: string;
    readonly modelName?: string;
    readonly serialNumber?: string;
  }): Controller;
  /** Without `ticksPerMl`: the default, marked uncalibrated. */
  createMeter(meter: {
    readonly controllerId: number;
    readonly portName: string;
    readonly ticksPerMl?: number;
  }): FlowMeter;
  setCalibration(meterId: number, ticksPerMl: number): FlowMeter;
}

export interface Thermo {
  /** Keeps one row a sensor and minute, the latest received wins; creates the sensor. −50…125 °C. */
  log(
    reading: { readonly sensor: string; readonly tempC: number },
    now: Moment,
  ): { readonly sensor: ThermoSensor; readonly log: ThermoLog };
  /** Our own probes' readings, in one transaction. */
  logAll(readings: readonly { readonly sensor: string; readonly tempC: number; readonly at: Moment }[]): void;
  /** By id, decimal text of an id, raw name or nice name. */
  find(ref: TapRef): { readonly sensor: ThermoSensor; readonly last: ThermoLog | null } | null;
  sensors(): readonly ThermoSensor[];
}

export interface People {
  user(username: string): User | null;
  /** `password` is hashed with scrypt; at least 8 characters. */
  addUser(
    user: {
      readonly username: string;
      readonly password?: string;
      readonly email?: string;
      readonly isStaff?: boolean;
      readonly isSuperuser?: boolean;
    },
    now: Moment,
  ): User;
  /** The secret is shown here and never again; only its hash is kept. */
  createKey(
    username: string,
    description: string,
    now: Moment,
  ): { readonly keyId: number; readonly secret: string };
  /** The active user behind a key, or why there is none. Constant time in the secret. */
  byKey(secret: string): { readonly user: User } | { readonly refused: 'unknown' | 'inactive' };
  token(device: string, value: string): AuthToken | null;
  site(): Site;
  changeSite(change: Partial<Site>): Site;
}

export interface Clockwork {
  /** The newest stamp ever taken from a set clock; an unset one never starts below it. */
  newestSyncedMs(): number | null;
  /** Corrects everything this boot stamped before the clock was set, in one transaction. Returns how many drinks moved. */
  correct(now: Moment): number;
}

export interface Diary {
  /** Newest first. */
  events(query: { readonly since?: number; readonly limit: number }): readonly SystemEvent[];
  currentSession(now: Moment): Session | null;
}

/** A difference between a kept total and the sum it stands for. */
export interface LedgerFault {
  readonly what: string;
  readonly kept: number;
  readonly summed: number;
}

/** The use-cases, one synchronous transaction each. Everything it throws on purpose is a KegError. */
export interface Engine {
  readonly pours: Pours;
  readonly drinks: Drinks;
  readonly kegs: Kegs;
  readonly taps: Taps;
  readonly hardware: Hardware;
  readonly thermo: Thermo;
  readonly people: People;
  readonly clockwork: Clockwork;
  readonly diary: Diary;
  /** Proves the kept totals equal to their sums; an empty list is the good answer. */
  checkLedger(): readonly LedgerFault[];
}
