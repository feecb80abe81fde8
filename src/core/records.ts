import type { FlowMeter, FlowToggle, ThermoSensor } from './hardware-records.ts';
import type { DrinkPart } from './kegs/keg-spans.ts';
import type { RateDefault } from './measurement/tap-rate.ts';
import type { PourSource } from './pours/pour.ts';
import type { SiteSettings } from './settings/site-settings.ts';
import type { TapFields } from './taps/tap-record.ts';

export type {
  Controller,
  FlowMeter,
  FlowToggle,
  MeterConfig,
  ThermoLog,
  ThermoSensor,
} from './hardware-records.ts';
export type { Beverage, BeverageType } from './kegs/records/beverage-record.ts';
export type { Keg, KegState } from './kegs/records/keg-record.ts';
export type { CataloguePicture, Producer } from './kegs/records/producer-record.ts';
export { type PourSource, pourSources } from './pours/pour.ts';

/** The recorded pour. A held one has `isValid` false and is counted in no keg, session or total. */
export interface Drink {
  readonly id: number;
  readonly tapId: number | null;
  /** The keg that was on the tap while it flowed; of several, the one that most of it came from. */
  readonly kegId: number | null;
  /** What came from which keg, in order, where the keg was changed within the pour; null else. */
  readonly parts: readonly DrinkPart[] | null;
  /** True where staff chose the keg: it does not follow from tap and time. */
  readonly isKegAssigned: boolean;
  readonly sessionId: number | null;
  /** The drinker; null when unattributed. */
  readonly username: string | null;
  /** A name given by the sender that no account has, stored so that staff can assign the drink later. */
  readonly claimedUsername: string | null;
  /** The token presented with the pour: `device|value`, or a value whose device is unknown. */
  readonly authToken: string | null;
  /** Counted ticks, those of gas too; only splitting or joining drinks changes them. */
  readonly ticks: number;
  /** Ticks of gas that followed the beer of an empty keg; they are not in `volumeMl`. */
  readonly gasTicks: number;
  /** Ticks of the gas and foam that came before the beer of a fresh keg; a quarter of them is in `volumeMl`. */
  readonly foamTicks: number;
  /**
   * When the flow first jumped above the tap's rate, milliseconds after the first tick; null when it never did. Without
   * gas ticks it was foam.
   */
  readonly gasOnsetMs: number | null;
  /** What stood in for the tap's usual rate when gas was looked for; null where it was known, or nobody looked. */
  readonly rateDefault: RateDefault | null;
  readonly volumeMl: number;
  /** False when the volume is computed from ticks and calibration, true when it was stated. */
  readonly volumeGiven: boolean;
  /** Unix milliseconds of the pour's end. */
  readonly pourTimeMs: number;
  /** False while that time comes from a clock that was not set; stays false when the controller's clock was not. */
  readonly timeCertain: boolean;
  readonly durationMs: number;
  readonly isValid: boolean;
  /** One of `heldReasons`, or what an extension declares; null for a drink. */
  readonly heldReason: string | null;
  readonly pourId: string | null;
  /** Full meter name at the time of the pour. */
  readonly meter: string | null;
  /** Ticks known to be missed; 0 when proven complete, null where nothing is proven. */
  readonly ticksLost: number | null;
  readonly rejectedEdges: number;
  readonly series: string | null;
  readonly shout: string | null;
  /** True when finished from the journal after a power cut or crash. */
  readonly recovered: boolean;
  /** True when beer flowed although the tap's valve was shut: it is stuck or bypassed. */
  readonly flowWhileShut: boolean;
  readonly source: PourSource;
  /** An extension knows what flowed: no drink, and nothing to review. */
  readonly isSetAside: boolean;
}

/** A keg that staff weighed. */
export interface StoredWeighing {
  readonly id: number;
  readonly kegId: number;
  readonly timeMs: number;
  /** With the keg, grams. */
  readonly weightG: number;
  /** As stamped on the keg, grams; null: that of its size. */
  readonly emptyWeightG: number | null;
  /** ± of the balance, half width of the 95 % interval, grams. */
  readonly balanceG: number;
  /** Who entered it; null for a key without a user, and a deleted account. */
  readonly userId: number | null;
}

export interface KegSize {
  readonly id: number;
  /** Key from the legacy API: `corny`, `half-barrel`, … */
  readonly key: string;
  readonly name: string;
  /** 0 for `other`: such a keg needs its own volume. */
  readonly volumeMl: number;
}

export interface Tap extends TapFields {
  readonly id: number;
  /** The serving sizes that it offers, in the order of the menu; empty for all sizes of the site. */
  readonly servingSizeIds: readonly number[];
  readonly kegId: number | null;
  /** The kegs that follow it, in the order in which they empty. */
  readonly kegIdsBehind: readonly number[];
  readonly meter: FlowMeter | null;
  readonly toggle: FlowToggle | null;
  readonly thermoSensor: ThermoSensor | null;
  /** The available keg that comes next on this tap. */
  readonly nextKegId: number | null;
  /** The beverage that comes next while no keg of it is in stock; null where a keg is named. */
  readonly nextBeverageId: number | null;
}

export interface Session {
  readonly id: number;
  readonly startTimeMs: number;
  /** Time of the last drink plus the session timeout. */
  readonly endTimeMs: number;
  readonly volumeMl: number;
  readonly name: string | null;
  /** IANA zone of the site when the session began. */
  readonly timeZone: string;
}

export interface User {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  /** Never in a public reply, event or webhook. */
  readonly email: string;
  readonly isStaff: boolean;
  readonly isSuperuser: boolean;
  readonly isActive: boolean;
  readonly joinedTimeMs: number;
  /** Name of the user's picture; null without one. */
  readonly mugshot: string | null;
  /** Language of mails to the user, an IETF tag; null: the site's. */
  readonly notificationLanguage: string | null;
}

export interface AuthToken {
  readonly id: number;
  readonly authDevice: string;
  readonly tokenValue: string;
  /** Further values under which readers send the same token. */
  readonly otherValues: readonly string[];
  /** The owner's name for it, `Blue fob`; may be empty. */
  readonly niceName: string;
  /** Whether it has a PIN; the PIN itself is never returned. */
  readonly hasPin: boolean;
  readonly username: string | null;
  readonly enabled: boolean;
  readonly createdTimeMs: number;
  readonly expireTimeMs: number | null;
  /** Its latest presentment, with the controller; null when it was not presented lately. */
  readonly lastSeen: { readonly timeMs: number; readonly device: string } | null;
}

/** Settings made on a page; hardware and addresses are in the configuration file. */
export interface Site extends SiteSettings {
  readonly isSetUp: boolean;
}

/** Beer recorded as lost at the tap. */
export interface Spill {
  readonly id: number;
  readonly tapId: number | null;
  readonly kegId: number | null;
  readonly volumeMl: number;
  readonly timeMs: number;
}

/** A stored picture. */
export interface Picture {
  readonly id: number;
  /** 32 hexadecimal digits: part of its file names and its URL. */
  readonly name: string;
  /** Caption; may be empty. */
  readonly caption: string;
  readonly drinkId: number | null;
}
