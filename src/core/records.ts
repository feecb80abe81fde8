import type { HeldReason } from './pour.ts';
import type { SiteSettings } from './site-settings.ts';

/** Through which door a drink came in. */
export type PourSource = 'pin' | 'serial' | 'device' | 'post' | 'hand';

/** The recorded pour. A held one has `isValid` false and no keg, session or total knows it. */
export interface Drink {
  readonly id: number;
  readonly tapId: number | null;
  readonly kegId: number | null;
  readonly sessionId: number | null;
  /** Who drank it; null when unattributed. */
  readonly username: string | null;
  /** A name the poster gave that no account has, kept so that staff can assign the drink later. */
  readonly claimedUsername: string | null;
  /** The token presented with the pour, as it came: `device|value` or a bare value. */
  readonly authToken: string | null;
  /** Counted ticks; never changed later. */
  readonly ticks: number;
  readonly volumeMl: number;
  /** False when the volume follows from ticks and calibration, true when somebody stated it. */
  readonly volumeGiven: boolean;
  /** Unix milliseconds of the pour's end. */
  readonly pourTimeMs: number;
  /** False while that time rests on a clock nobody has set yet. */
  readonly timeCertain: boolean;
  readonly durationMs: number;
  readonly isValid: boolean;
  readonly heldReason: HeldReason | null;
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
  readonly source: PourSource;
}

export type KegState = 'available' | 'on_tap' | 'finished';

export interface Keg {
  readonly id: number;
  readonly beverageId: number;
  readonly sizeId: number;
  readonly state: KegState;
  readonly fullVolumeMl: number;
  readonly servedVolumeMl: number;
  readonly spilledVolumeMl: number;
  readonly description: string;
  /** Staff only. */
  readonly notes: string;
  readonly createdTimeMs: number;
  /** The creation time until it is tapped. */
  readonly startedTimeMs: number;
  readonly finishedTimeMs: number | null;
}

export interface KegSize {
  readonly id: number;
  /** The field's key: `corny`, `half-barrel`, … */
  readonly key: string;
  readonly name: string;
  /** 0 for `other`: the keg's own volume must be given. */
  readonly volumeMl: number;
}

export interface Producer {
  readonly id: number;
  readonly name: string;
  /** ISO 3166, three letters. */
  readonly country: string;
  readonly originState: string;
  readonly originCity: string;
  readonly isHomebrew: boolean;
  readonly url: string;
  readonly description: string;
  readonly picture: CataloguePicture | null;
}

/** What a picture in the catalogue is called, and what somebody wrote under it. */
export interface CataloguePicture {
  /** See `Picture`. */
  readonly name: string;
  readonly caption: string;
}

export type BeverageType = 'beer' | 'wine' | 'soda' | 'kombucha' | 'other';

export interface Beverage {
  readonly id: number;
  readonly name: string;
  readonly producer: Producer;
  readonly beverageType: BeverageType;
  readonly style: string | null;
  readonly description: string;
  /** `YYYY-MM-DD`. */
  readonly vintageYear: string | null;
  readonly abvPercent: number | null;
  readonly caloriesPerMl: number | null;
  /** Grams. */
  readonly carbsPerMl: number | null;
  /** `#rrggbb`. */
  readonly colorHex: string;
  readonly originalGravity: number | null;
  readonly specificGravity: number | null;
  /** Colour by the Standard Reference Method. */
  readonly srm: number | null;
  /** International bitterness units. */
  readonly ibu: number | null;
  /** 0 to 5. */
  readonly starRating: number | null;
  readonly untappdBeerId: number | null;
  readonly picture: CataloguePicture | null;
}

export interface Controller {
  readonly id: number;
  readonly name: string;
  readonly modelName: string | null;
  readonly serialNumber: string | null;
}

export interface FlowMeter {
  readonly id: number;
  readonly controllerId: number;
  readonly portName: string;
  /** `<controller>.<port>`. */
  readonly name: string;
  readonly tapId: number | null;
  readonly ticksPerMl: number;
  /** False while the default stands in for a measured or chosen figure. */
  readonly calibrated: boolean;
  /** Every tick ever counted, drips and held pours included. */
  readonly ticksTotal: number;
}

/** What of a meter stays as it is while it counts. */
export type MeterConfig = Omit<FlowMeter, 'ticksTotal'>;

export interface FlowToggle {
  readonly id: number;
  readonly controllerId: number;
  readonly portName: string;
  readonly name: string;
  readonly tapId: number | null;
}

export interface ThermoSensor {
  readonly id: number;
  /** The bus or poster's own name, unique. */
  readonly rawName: string;
  readonly niceName: string;
}

/** One kept reading: at most one a sensor and minute. */
export interface ThermoLog {
  readonly id: number;
  readonly sensorId: number;
  readonly tempC: number;
  /** Unix milliseconds, cut down to the minute. */
  readonly timeMs: number;
}

export interface Tap {
  readonly id: number;
  readonly name: string;
  /** Staff only. */
  readonly notes: string;
  readonly sortOrder: number;
  readonly kegId: number | null;
  readonly meter: FlowMeter | null;
  readonly toggle: FlowToggle | null;
  readonly thermoSensor: ThermoSensor | null;
  /** The keg that comes next on it, which waits in the cellar. */
  readonly nextKegId: number | null;
  /** The beverage that comes next where no keg of it is here yet; null where a keg is named. */
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
  /** Never on a public answer, event or webhook. */
  readonly email: string;
  readonly isStaff: boolean;
  readonly isSuperuser: boolean;
  readonly isActive: boolean;
  readonly joinedTimeMs: number;
  /** Name of the picture of them; null without one. */
  readonly mugshot: string | null;
}

export interface AuthToken {
  readonly id: number;
  readonly authDevice: string;
  readonly tokenValue: string;
  /** What its owner calls it, `Blue fob`; may be empty. */
  readonly niceName: string;
  /** A pin belongs to it; the pin itself is shown to nobody. */
  readonly hasPin: boolean;
  readonly username: string | null;
  readonly enabled: boolean;
  readonly createdTimeMs: number;
  readonly expireTimeMs: number | null;
}

export type SystemEventKind =
  | 'keg_tapped'
  | 'keg_ended'
  | 'session_started'
  | 'session_joined'
  | 'drink_poured'
  | 'keg_volume_low';

/** A line of the house's own diary; carries ids, never people's addresses. */
export interface SystemEvent {
  readonly id: number;
  readonly kind: SystemEventKind;
  readonly timeMs: number;
  readonly drinkId: number | null;
  readonly kegId: number | null;
  readonly sessionId: number | null;
  readonly username: string | null;
}

/** Settings a person makes on a page; hardware and addresses live in the configuration file. */
export interface Site extends SiteSettings {
  readonly isSetUp: boolean;
}

/** Beer that went down the drain. */
export interface Spill {
  readonly id: number;
  readonly tapId: number | null;
  readonly kegId: number | null;
  readonly volumeMl: number;
  readonly timeMs: number;
}

/** A picture of something in the house. */
export interface Picture {
  readonly id: number;
  /** 32 hexadecimal digits: the name of its files and of its address. */
  readonly name: string;
  /** What somebody wrote under it; may be empty. */
  readonly caption: string;
  readonly drinkId: number | null;
}
