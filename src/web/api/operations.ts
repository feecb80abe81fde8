// Written by `node tools/make-client.mjs` from the routes of the current API; not by hand.

export type CurrentUser = {
  readonly username: string;
  readonly display_name: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly joined_time: string;
  /** Empty without a picture. */
  readonly mugshot_url: string;
  readonly is_active: boolean;
  readonly is_staff: boolean;
  readonly is_superuser: boolean;
  /** Shown to its owner only; empty when unknown. */
  readonly email: string;
};

export type Site = {
  readonly server_version: string;
  /** False until somebody has gone through the set-up. */
  readonly is_setup: boolean;
  readonly background_image_url: string | null;
  readonly logo_url: string | null;
  /** What the house is called. */
  readonly title: string;
  /** Who may look: everybody, everybody with an account, or the staff. */
  readonly privacy: 'public' | 'members' | 'staff';
  /** IANA name such as `Europe/Berlin`: days begin and end by it. */
  readonly timezone: string;
  /** How volumes are shown; they are kept in millilitres. */
  readonly volume_display_units: 'metric' | 'imperial';
  /** How temperatures are shown; they are kept in degrees Celsius. */
  readonly temperature_display_units: 'c' | 'f';
  /** A gathering is over when nobody has drunk for so long. Acts on later drinks. */
  readonly session_timeout_minutes: number;
  /** At what share of a keg somebody should look for the next one. Acts on later drinks. */
  readonly keg_low_percent: number;
  /** Who gets an account: everybody, whom a member invites, or whom the staff invite. */
  readonly registration_mode: 'public' | 'member-invite-only' | 'staff-invite-only';
  /** Show what meters and thermometers tell. */
  readonly enable_sensing: boolean;
  /** Show who drank what. */
  readonly enable_users: boolean;
  /** Let whoever is logged in say for ten minutes that a pour of nobody was theirs. */
  readonly allow_claims: boolean;
};

export type Failure = {
  readonly error: {
    /** Name of the error, for machines. */
    readonly code: string;
    /** What is wrong and what to do, for people. */
    readonly message: string;
    /** Field name → what is allowed there. */
    readonly fields?: Readonly<Record<string, string>>;
    /** Why it is refused, where that has a name, with the facts about it. */
    readonly reason?: {
      /** Stays as it is; new ones are added. */
      readonly name: string;
    };
    /** Field name → the rule it breaks, where that has a name. */
    readonly rules?: Readonly<Record<string, {
      /** Stays as it is; new ones are added. */
      readonly name: string;
    }>>;
  };
};

export type Backup = {
  /** Name of the backup’s file. */
  readonly backup_name: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
  /** False when nobody had told the house the time yet. */
  readonly clock_synced: boolean;
  readonly occasion: 'nightly' | 'by_hand';
  readonly size_bytes: number;
  /** Files of pictures in it. */
  readonly num_media_files: number;
  /** Title of the house it was made in. */
  readonly server_name: string;
  readonly server_version: string;
  readonly schema_version: number;
  readonly db_engine: 'sqlite';
  readonly backup_format: number;
  /** Where staff download it. */
  readonly url: string;
};

export type KegTap = {
  /** Identifier, as text. */
  readonly id: string;
  readonly name: string;
  readonly meter_name: string | null;
  /** 0 without a meter. */
  readonly ml_per_tick: number;
  readonly thermo_sensor_id: string | null;
  readonly current_keg_id: number | null;
  readonly meter_id: number | null;
  readonly toggle_id: number | null;
  /** The lowest comes first. */
  readonly sort_order: number;
  /** Shown to staff only. */
  readonly notes?: string;
};

export type Keg = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** `online` while the keg is on a tap. */
  readonly status: 'online' | 'offline';
  readonly state: 'available' | 'on_tap' | 'finished';
  /** Volume left in millilitres; negative when more was poured than the keg should hold. */
  readonly volume_ml_remain: number;
  /** Fraction: 1 is full; may be negative. */
  readonly percent_full: number;
  /** Volume in millilitres. */
  readonly full_volume_ml: number;
  /** Volume in millilitres. */
  readonly served_volume_ml: number;
  /** Volume in millilitres. */
  readonly spilled_ml: number;
  readonly description: string;
  /** Shown to staff only. */
  readonly notes?: string;
  /** Identifier, as text. */
  readonly type_id: string;
  /** Identifier, a positive whole number. */
  readonly size_id: number;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly started_time: string;
  readonly finished_time: string | null;
};

export type BeerType = {
  /** Identifier, as text. */
  readonly id: string;
  readonly name: string;
  /** The style’s own name; empty when unknown. */
  readonly style_id: string;
  /** Identifier, as text. */
  readonly brewer_id: string;
  readonly abv: number | null;
  readonly calories_oz: number | null;
  readonly beverage_type: 'beer' | 'wine' | 'soda' | 'kombucha' | 'other';
  /** `#rrggbb`. */
  readonly color_hex: string;
  /** May be empty. */
  readonly description: string;
  readonly vintage_year: string | null;
  readonly calories_per_ml: number | null;
  readonly carbs_per_ml: number | null;
  readonly original_gravity: number | null;
  readonly specific_gravity: number | null;
  readonly srm: number | null;
  readonly ibu: number | null;
  readonly star_rating: number | null;
  readonly untappd_beer_id: number | null;
  readonly picture: Picture | null;
  readonly producer: Producer;
};

export type Picture = {
  /** At most 1024 pixels long. */
  readonly resized_url: string;
  /** A square of 128 pixels. */
  readonly thumbnail_url: string;
  /** May be empty. */
  readonly caption: string;
};

export type Producer = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  readonly name: string;
  /** ISO 3166, three letters. */
  readonly country: string;
  /** May be empty. */
  readonly origin_state: string;
  /** May be empty. */
  readonly origin_city: string;
  readonly is_homebrew: boolean;
  /** Empty when unknown. */
  readonly url: string;
  /** May be empty. */
  readonly description: string;
  readonly picture: Picture | null;
};

export type Session = {
  /** Identifier, as text. */
  readonly id: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly start_time: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly end_time: string;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  readonly name: string | null;
  /** IANA zone of the site when the session began. */
  readonly timezone: string;
};

export type Event = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  readonly kind: 'keg_tapped' | 'keg_ended' | 'session_started' | 'session_joined' | 'drink_poured' | 'keg_volume_low';
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly time: string;
  readonly drink_id: number | null;
  readonly keg_id: number | null;
  readonly session_id: string | null;
  readonly user_id: string | null;
};

export type Paging = {
  /** Items of the whole list. Where several filters meet, of the newest 2 000 that the narrower one finds. */
  readonly total: number;
  readonly limit: number;
  /** The `start` asked for, else 0. */
  readonly pos: number;
};

export type Drink = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  readonly user_id: string | null;
  /** Ticks counted by the flow meter. */
  readonly ticks: number;
  readonly session_id: string | null;
  /** False while the pour is held for review. */
  readonly is_valid: boolean;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly pour_time: string;
  /** Seconds from the first tick to the last. */
  readonly duration: number;
  readonly keg_id: number | null;
  /** What the drinker had to say. */
  readonly shout?: string;
  /** Why a held pour waits for staff to look at it. */
  readonly held_reason?: string;
};

export type DrinkDetail = {
  readonly drink: Drink;
  readonly keg: Keg | null;
  readonly user: User | null;
  readonly session: Session | null;
  readonly picture: Picture | null;
};

export type User = {
  readonly username: string;
  readonly display_name: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly joined_time: string;
  /** Empty without a picture. */
  readonly mugshot_url: string;
  readonly is_active: boolean;
  readonly is_staff: boolean;
  readonly is_superuser: boolean;
};

export type MaybeDrinkDetail = {
  readonly drink: Drink | null;
  readonly keg: Keg | null;
  readonly user: User | null;
  readonly session: Session | null;
  readonly picture: Picture | null;
};

export type Claimable = {
  readonly drink: Drink;
  readonly tap_name: string | null;
  readonly beverage_name: string | null;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly until: string;
};

export type HeldPour = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Why it waits for staff to look at it. */
  readonly held_reason: string;
  readonly meter_name: string | null;
  readonly tap_id: string | null;
  readonly suggested_tap_id: string | null;
  readonly suggested_keg_id: number | null;
  /** Ticks counted by the flow meter. */
  readonly ticks: number;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly pour_time: string;
  /** Seconds from the first tick to the last. */
  readonly duration: number;
  readonly user_id: string | null;
  readonly claimed_username: string | null;
  readonly source: 'pin' | 'serial' | 'device' | 'post' | 'hand';
  readonly ticks_lost: number | null;
  /** Pulses refused as bounce. */
  readonly rejected_edges: number;
  /** When its ticks fell, from the first one on; empty where nobody knows. */
  readonly series: readonly {
    readonly ms: number;
    /** Ticks counted by the flow meter. */
    readonly ticks: number;
  }[];
};

export type MeteredPour = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Ticks counted by the flow meter. */
  readonly ticks: number;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly pour_time: string;
  /** Seconds from the first tick to the last. */
  readonly duration: number;
  readonly ticks_lost: number | null;
  readonly rejected_edges: number;
  /** False while it is held for review. */
  readonly is_valid: boolean;
  readonly keg_id: number | null;
};

export type CalibrationEstimate = {
  readonly ticks_per_ml: number;
  readonly ticks_per_ml_before: number;
  readonly spread: number | null;
  readonly pours: readonly {
    /** Ticks counted by the flow meter. */
    readonly ticks: number;
    /** Volume in millilitres. */
    readonly volume_ml: number;
    readonly ticks_per_ml: number;
    /** A share: 0.02 is two per cent. */
    readonly deviation: number;
    /** It disagrees with the others more than they do. */
    readonly is_outlier: boolean;
  }[];
};

export type CalibrationPreview = {
  /** Identifier, a positive whole number. */
  readonly flow_meter_id: number;
  readonly ticks_per_ml_before: number;
  readonly ticks_per_ml: number;
  readonly keg: Keg | null;
  /** Drinks whose volume changes. */
  readonly drink_count: number;
  /** Volume in millilitres. */
  readonly volume_ml_before: number;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  /** The newest 100 of them. */
  readonly drinks: readonly {
    /** Identifier, a positive whole number. */
    readonly id: number;
    /** Volume in millilitres. */
    readonly volume_ml_before: number;
    /** Volume in millilitres. */
    readonly volume_ml: number;
  }[];
};

export type Calibration = {
  /** Identifier, a positive whole number. */
  readonly flow_meter_id: number;
  readonly ticks_per_ml_before: number;
  readonly ticks_per_ml: number;
  readonly keg: Keg | null;
  /** Drinks whose volume changes. */
  readonly drink_count: number;
  /** Volume in millilitres. */
  readonly volume_ml_before: number;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  /** The newest 100 of them. */
  readonly drinks: readonly {
    /** Identifier, a positive whole number. */
    readonly id: number;
    /** Volume in millilitres. */
    readonly volume_ml_before: number;
    /** Volume in millilitres. */
    readonly volume_ml: number;
  }[];
  readonly correction_id: number | null;
};

export type AuditEntry = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly time: string;
  readonly user_id: string | null;
  /** `tablet`: by PIN, on the shared tablet of that name. */
  readonly via: 'page' | 'key' | 'tablet' | 'console' | 'house';
  readonly tablet: string | null;
  /** Such as `drink.cancelled`. */
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** A correction of drinks that nobody has undone. */
  readonly can_undo: boolean;
  readonly undone_by: number | null;
};

export type NewTap = {
  readonly name: string;
  readonly notes?: string | null;
  /** The lowest comes first. */
  readonly sort_order?: number;
};

export type TapChange = {
  readonly name?: string;
  readonly notes?: string | null;
  /** The lowest comes first. */
  readonly sort_order?: number;
};

export type NewKeg = {
  readonly beverage_id?: number | string | null;
  readonly beverage_name?: string | null;
  readonly producer_name?: string | null;
  readonly style_name?: string | null;
  readonly beverage_type?: 'beer' | 'wine' | 'soda' | 'kombucha' | 'other';
  /** Key of its size, see `/api/keg-sizes`; `half-barrel` when nothing is said. */
  readonly keg_type?: 'mini' | 'corny-2_5-gal' | 'corny-3-gal' | 'corny' | 'sixth' | 'quarter' | 'euro-30-liter' | 'euro-half' | 'half-barrel' | 'euro' | 'other';
  /** Identifier, a positive whole number or its decimal text. */
  readonly size_id?: number | string;
  readonly full_volume_ml?: number | null;
  readonly description?: string;
  readonly notes?: string;
};

export type KegSize = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** The trade’s short name, `half-barrel`. */
  readonly key: string;
  readonly name: string;
  /** Volume in millilitres. */
  readonly volume_ml: number;
};

export type NewBeverage = {
  readonly name: string;
  /** Identifier, a positive whole number or its decimal text. */
  readonly producer_id: number | string;
  readonly beverage_type?: 'beer' | 'wine' | 'soda' | 'kombucha' | 'other';
  readonly style?: string | null;
  readonly description?: string | null;
  readonly vintage_year?: string | null;
  readonly abv_percent?: number | null;
  readonly calories_per_ml?: number | null;
  readonly carbs_per_ml?: number | null;
  /** `#rgb` or `#rrggbb`; amber when nobody tells. */
  readonly color_hex?: string;
  readonly original_gravity?: number | null;
  readonly specific_gravity?: number | null;
  readonly srm?: number | null;
  readonly ibu?: number | null;
  readonly star_rating?: number | null;
  readonly untappd_beer_id?: number | null;
};

export type BeverageChange = {
  readonly name?: string;
  /** Identifier, a positive whole number or its decimal text. */
  readonly producer_id?: number | string;
  readonly beverage_type?: 'beer' | 'wine' | 'soda' | 'kombucha' | 'other';
  readonly style?: string | null;
  readonly description?: string | null;
  readonly vintage_year?: string | null;
  readonly abv_percent?: number | null;
  readonly calories_per_ml?: number | null;
  readonly carbs_per_ml?: number | null;
  /** `#rgb` or `#rrggbb`; amber when nobody tells. */
  readonly color_hex?: string;
  readonly original_gravity?: number | null;
  readonly specific_gravity?: number | null;
  readonly srm?: number | null;
  readonly ibu?: number | null;
  readonly star_rating?: number | null;
  readonly untappd_beer_id?: number | null;
};

export type NewProducer = {
  readonly name: string;
  /** ISO 3166, three letters; `USA` when nobody tells. */
  readonly country?: string;
  readonly origin_state?: string | null;
  readonly origin_city?: string | null;
  readonly is_homebrew?: boolean;
  readonly url?: string | null;
  readonly description?: string | null;
};

export type ProducerChange = {
  readonly name?: string;
  /** ISO 3166, three letters; `USA` when nobody tells. */
  readonly country?: string;
  readonly origin_state?: string | null;
  readonly origin_city?: string | null;
  readonly is_homebrew?: boolean;
  readonly url?: string | null;
  readonly description?: string | null;
};

export type Statistics = Readonly<Record<string, never>> | {
  /** Identifier, a positive whole number. */
  readonly last_drink_id: number;
  /** In the order of first use; the newest 100. */
  readonly keg_ids: readonly number[];
  /** Volume in millilitres. */
  readonly total_volume_ml: number;
  readonly total_pours: number;
  /** Volume in millilitres. */
  readonly average_volume_ml: number;
  /** Volume in millilitres. */
  readonly greatest_volume_ml: number;
  /** Identifier, a positive whole number. */
  readonly greatest_volume_id: number;
  /** Millilitres by the day on which the session began, in the bar’s zone of that evening; 0 is Sunday. */
  readonly volume_by_day_of_week: Readonly<Record<string, number>>;
  /** Millilitres by the year of the pour, in UTC. */
  readonly volume_by_year: Readonly<Record<string, number>>;
  /** Usernames in the order of their first pours, `guest` for nobody in particular; the 100 who drank last. */
  readonly registered_drinkers: readonly string[];
  /** Millilitres by username; of the same 100. */
  readonly volume_by_drinker: Readonly<Record<string, number>>;
  /** Millilitres by session; of the newest 100. */
  readonly volume_by_session: Readonly<Record<string, number>>;
  readonly sessions_count: number;
  /** Whether somebody drank without being known. */
  readonly has_guest_pour: boolean;
  /** With all that was drunk there, by whomever. */
  readonly largest_session: {
    /** Identifier, a positive whole number. */
    readonly session_id: number;
    /** Volume in millilitres. */
    readonly volume_ml: number;
  };
};

export type PagingNext = {
  /** Items of the whole list. Where several filters meet, of the newest 2 000 that the narrower one finds. */
  readonly total: number;
  readonly limit: number;
  /** The `start` asked for, else 0. */
  readonly pos: number;
  readonly next: number | null;
};

export type ApiKey = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Username of its owner. */
  readonly user_id: string;
  /** The first eight digits, to tell it from others. */
  readonly prefix: string;
  readonly key: string | null;
  readonly description: string;
  readonly is_active: boolean;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
  readonly last_used_time: string | null;
};

export type Tablet = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  readonly name: string;
  readonly enrolled_by: string | null;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly seen_time: string;
};

export type Login = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** How one came in. */
  readonly by: 'password' | 'registration' | 'activation' | 'setup';
  /** What the browser called itself; may be empty. */
  readonly user_agent: string;
  /** The login this was asked with. */
  readonly is_this: boolean;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly last_used_time: string;
};

export type Invitation = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Where it was mailed, or whom its link is for; its code stands there only. */
  readonly for_email: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly invited_date: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly expires_date: string;
  readonly is_expired: boolean;
};

export type AuthToken = {
  /** `<auth_device>|<token_value>`. */
  readonly id: string;
  readonly auth_device: string;
  readonly token_value: string;
  /** What its owner calls it; may be empty. */
  readonly nice_name: string;
  /** A pin belongs to it; the pin itself is never shown. */
  readonly has_pin: boolean;
  readonly user_id: string | null;
  readonly enabled: boolean;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
  readonly expire_time: string | null;
};

export type NewAuthToken = {
  /** Such as `core.rfid`. */
  readonly auth_device: string;
  /** Hexadecimal values of `core.rfid` and `core.onewire` are kept in lower case. */
  readonly token_value: string;
  readonly nice_name?: string | null;
  readonly pin?: string | null;
  readonly user?: string | null;
  readonly enabled?: boolean;
  readonly expire_time?: string | null;
};

export type AuthTokenChange = {
  /** Such as `core.rfid`. */
  readonly auth_device?: string;
  /** Hexadecimal values of `core.rfid` and `core.onewire` are kept in lower case. */
  readonly token_value?: string;
  readonly nice_name?: string | null;
  readonly pin?: string | null;
  readonly user?: string | null;
  readonly enabled?: boolean;
  readonly expire_time?: string | null;
};

export type Controller = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  readonly name: string;
  readonly model_name: string | null;
  readonly serial_number: string | null;
};

export type FlowMeter = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** `<controller>.<port>`. */
  readonly name: string;
  /** Identifier, a positive whole number. */
  readonly controller_id: number;
  readonly port_name: string;
  readonly tap_id: string | null;
  readonly ticks_per_ml: number;
  /** False while the usual figure stands in for a measured one. */
  readonly calibrated: boolean;
};

export type FlowToggle = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** `<controller>.<port>`. */
  readonly name: string;
  /** Identifier, a positive whole number. */
  readonly controller_id: number;
  readonly port_name: string;
  readonly tap_id: string | null;
};

export type NewController = {
  /** Unique, without a dot: it begins the names of its meters. */
  readonly name: string;
  readonly model_name?: string | null;
  readonly serial_number?: string | null;
};

export type ControllerChange = {
  /** Unique, without a dot: it begins the names of its meters. */
  readonly name?: string;
  readonly model_name?: string | null;
  readonly serial_number?: string | null;
};

export type NewFlowMeter = {
  /** Identifier, a positive whole number or its decimal text. */
  readonly controller?: number | string;
  /** Identifier, a positive whole number or its decimal text. */
  readonly controller_id?: number | string;
  /** Such as `flow0` or `relay0`. */
  readonly port_name: string;
  /** A new meter without it has the usual figure, marked uncalibrated. */
  readonly ticks_per_ml?: number;
};

export type FlowMeterReplacement = {
  /** Such as `flow0` or `relay0`. */
  readonly port_name: string;
  /** A new meter without it has the usual figure, marked uncalibrated. */
  readonly ticks_per_ml?: number;
};

export type FlowMeterChange = {
  /** Such as `flow0` or `relay0`. */
  readonly port_name?: string;
  /** A new meter without it has the usual figure, marked uncalibrated. */
  readonly ticks_per_ml?: number;
};

export type NewFlowToggle = {
  /** Identifier, a positive whole number or its decimal text. */
  readonly controller?: number | string;
  /** Identifier, a positive whole number or its decimal text. */
  readonly controller_id?: number | string;
  /** Such as `flow0` or `relay0`. */
  readonly port_name: string;
};

export type FlowToggleReplacement = {
  /** Such as `flow0` or `relay0`. */
  readonly port_name: string;
};

export type FlowToggleChange = {
  /** Such as `flow0` or `relay0`. */
  readonly port_name?: string;
};

export type ThermoSensorItem = {
  /** Identifier, as text. */
  readonly id: string;
  /** What the bus or its poster calls it. */
  readonly name: string;
  /** What people call it; may be empty. */
  readonly nice_name: string;
  readonly last_temp: number | null;
  readonly last_time: string | null;
};

export type ThermoSensor = {
  /** Identifier, as text. */
  readonly id: string;
  /** What the bus or its poster calls it. */
  readonly name: string;
  /** What people call it; may be empty. */
  readonly nice_name: string;
};

export type ThermoLog = {
  /** Identifier, as text. */
  readonly sensor_id: string;
  /** Temperature in degrees Celsius. */
  readonly temp_c: number;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly time: string;
};

export type ThermoPoint = {
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly time: string;
  /** Temperature in degrees Celsius. */
  readonly min_c: number;
  /** Temperature in degrees Celsius. */
  readonly mean_c: number;
  /** Temperature in degrees Celsius. */
  readonly max_c: number;
  /** Of how many readings. */
  readonly readings: number;
};

export type ThermoSensorFields = {
  readonly raw_name?: string;
  readonly name?: string;
  readonly nice_name?: string | null;
};

export type Kegboard = {
  /** The name the board gives itself. */
  readonly device: string;
  readonly state: 'pending' | 'allowed' | 'paired' | 'denied';
  /** Heard of within two and a half of its heartbeats. */
  readonly online: boolean;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly first_seen: string;
  readonly last_seen: string | null;
  readonly ip: string | null;
  readonly fw_version: string | null;
  readonly uptime_ms: number | null;
  readonly wifi_rssi_dbm: number | null;
  readonly events_dropped: number | null;
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly controller_id: number | null;
  readonly last_error: string | null;
  readonly warnings: readonly string[];
  /** Pours of it that could not be read. */
  readonly pours_set_aside: number;
};

export type UnknownToken = {
  readonly auth_device: string;
  readonly token_value: string;
  /** The board it was presented to last. */
  readonly device: string;
  readonly times: number;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly last_seen: string;
};

export type Grant = {
  readonly id: string;
  /** Counts up; pages start from it. */
  readonly serial: number;
  /** The board or controller the token was presented to. */
  readonly controller: string;
  readonly user: string | null;
  readonly auth_device: string;
  readonly token_value: string;
  /** True while it opens a tap of this machine; boards tell only of ends. */
  readonly open: boolean;
  readonly granted_time: string | null;
  readonly ended_time: string | null;
  readonly ended_reason: string | null;
  readonly volume_ml: number | null;
  readonly taps: readonly string[];
};

export type OpenValve = {
  readonly flow_toggle: FlowToggle;
  /** It shuts after this at the latest. */
  readonly seconds_left: number;
  readonly grant_id: string | null;
  readonly by_hand: boolean;
};

export type Wiring = {
  /** `cdev`, `onoff`, `pigpio`, `simulated` or `none`. */
  readonly driver: string;
  readonly describe: string;
  readonly findings: readonly WiringFinding[];
  readonly meters: readonly WiredMeter[];
  readonly relays: readonly WiredPart[];
  readonly probes: readonly WiredProbe[];
  readonly boards: readonly {
    readonly name: string;
    readonly findings: readonly WiringFinding[];
  }[];
  readonly readers: readonly WiredReader[];
};

export type WiringFinding = {
  /** What it is about, a word that stays: `bounce`, `echo`, `never` … */
  readonly topic: string;
  readonly verdict: 'ok' | 'warn' | 'fail' | 'unknown';
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
};

export type WiredMeter = {
  readonly name: string;
  readonly findings: readonly WiringFinding[];
  readonly flow_meter_id: number | null;
  readonly tap_id: string | null;
  readonly pin: number | null;
  readonly header_pin: number | null;
  readonly level: 0 | 1 | null;
  readonly hz: number | null;
  /** Counted since the start. */
  readonly ticks: number;
  /** Edges refused as bounce since the start. */
  readonly refused: number;
  readonly lost: number | null;
  /** How the edges of the last ten seconds look; `stray` keep no rhythm. */
  readonly shape: 'quiet' | 'few' | 'steady' | 'bounce' | 'stray';
  readonly echo_of: string | null;
};

export type WiredPart = {
  readonly name: string;
  readonly findings: readonly WiringFinding[];
};

export type WiredProbe = {
  readonly name: string;
  readonly findings: readonly WiringFinding[];
  readonly tap_id: string | null;
  readonly temp_c: number | null;
  readonly time: string | null;
};

export type WiredReader = {
  readonly name: string;
  readonly findings: readonly WiringFinding[];
  readonly shown: number;
};

export type NotificationSettings = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Username. */
  readonly user_id: string;
  /** The channel; mail is the only one, by the name existing pages use for it. */
  readonly backend: string;
  readonly keg_tapped: boolean;
  readonly session_started: boolean;
  readonly keg_volume_low: boolean;
  readonly keg_ended: boolean;
  /** A tap’s thermometer has been too warm for a while. Staff only. */
  readonly too_warm: boolean;
  /** A board has not been heard of for a while. Staff only. */
  readonly controller_silent: boolean;
  /** Disk, power, counting, a backup. Staff only. */
  readonly house_trouble: boolean;
};

export type OutboxMessage = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** `mail` or `webhook`. */
  readonly kind: string;
  /** The kind of event it tells of, or the name of the letter. */
  readonly topic: string;
  /** A web address, a mail address or a username. */
  readonly recipient: string;
  /** `skipped`: nobody was there to read it any more; `dead`: given up. */
  readonly state: 'waiting' | 'sent' | 'skipped' | 'dead';
  readonly attempts: number;
  readonly last_error: string | null;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
};

export type Upstream = {
  /** `off`: the configuration names no server; `pending`: nobody has let this house in there. */
  readonly state: 'off' | 'starting' | 'pending' | 'denied' | 'connected' | 'trouble';
  readonly problem: string | null;
  readonly host: string | null;
  readonly device: string | null;
  readonly last_answer_time: string | null;
  /** Reports that are still to be sent. */
  readonly waiting: number;
  /** Reports that the other server refused. */
  readonly set_aside: number;
  /** Temperatures let go of in outages, ever; pours never are. */
  readonly events_dropped: number;
  readonly flow_meters: readonly {
    readonly name: string;
    /** `flow<number>` there. */
    readonly number: number;
  }[];
};

export type UpstreamReport = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  readonly type: 'pour' | 'temperature';
  /** As the protocol of device events has it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly time: string;
  /** The other server’s words. */
  readonly refusal: string;
};

export type MailSettings = {
  /** Name or address of the mail server; empty: no mail leaves. */
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte (port 465), `starttls` before anything else is said (587), or none. */
  readonly security: 'none' | 'starttls' | 'tls';
  /** Empty: the server asks for no login. */
  readonly username: string;
  /** The password itself is never shown. */
  readonly has_password: boolean;
  /** Who the mails are from. */
  readonly from_address: string;
  /** What links in mails begin with, `http://bar.example`; empty: they have none. */
  readonly base_url: string;
};

export type AlarmSettings = {
  readonly too_warm_c: number | null;
  readonly too_warm_minutes: number;
  readonly silent_minutes: number;
};

export type Plugin = {
  readonly short_name: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Empty: it is part of the house. */
  readonly url: string;
  readonly has_settings: boolean;
};

export type WebhookSettings = {
  readonly webhook_urls: string | null;
  /** Never shown. */
  readonly secret: null;
  readonly has_secret: boolean;
};

export type PluginDatum = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  readonly plugin_name: string;
  readonly key: string;
  /** Any JSON, up to 16 384 characters of it. */
  readonly value: unknown;
};

export type Webhook = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Web address, http or https. */
  readonly url: string;
  /** While it is not, nothing is told to it. */
  readonly is_enabled: boolean;
  readonly num_waiting: number;
  /** Messages that were given up; `/admin/outbox` has them. */
  readonly num_dead: number;
};

export type BusinessDay = {
  /** A date, `YYYY-MM-DD`. */
  readonly date: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly since: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly until: string;
  readonly is_over: boolean;
  /** ISO 4217. */
  readonly currency: string;
  readonly drinks: number;
  /** Volume in millilitres. */
  readonly poured_ml: number;
  readonly spills: number;
  /** Volume in millilitres. */
  readonly spilled_ml: number;
  /** Pours that wait for review; counted nowhere else. */
  readonly held: number;
  /** Volume in millilitres. */
  readonly held_ml: number;
  readonly revenue: number | null;
  readonly taps: readonly ({
    readonly tap_id: string | null;
    readonly name: string | null;
    readonly drinks: number;
    /** Volume in millilitres. */
    readonly poured_ml: number;
    readonly spills: number;
    /** Volume in millilitres. */
    readonly spilled_ml: number;
    /** Pours that wait for review; counted nowhere else. */
    readonly held: number;
    /** Volume in millilitres. */
    readonly held_ml: number;
    readonly revenue: number | null;
  })[];
  readonly kegs: readonly ({
    readonly keg_id: number | null;
    readonly beverage: string | null;
    readonly drinks: number;
    /** Volume in millilitres. */
    readonly poured_ml: number;
    readonly spills: number;
    /** Volume in millilitres. */
    readonly spilled_ml: number;
    /** Pours that wait for review; counted nowhere else. */
    readonly held: number;
    /** Volume in millilitres. */
    readonly held_ml: number;
    readonly revenue: number | null;
  })[];
};

export type BusinessSpan = {
  /** A date, `YYYY-MM-DD`. */
  readonly first: string;
  /** A date, `YYYY-MM-DD`. */
  readonly last: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly since: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly until: string;
  readonly is_over: boolean;
  /** ISO 4217. */
  readonly currency: string;
  readonly drinks: number;
  /** Volume in millilitres. */
  readonly poured_ml: number;
  readonly spills: number;
  /** Volume in millilitres. */
  readonly spilled_ml: number;
  /** Pours that wait for review; counted nowhere else. */
  readonly held: number;
  /** Volume in millilitres. */
  readonly held_ml: number;
  readonly revenue: number | null;
  readonly taps: readonly ({
    readonly tap_id: string | null;
    readonly name: string | null;
    readonly drinks: number;
    /** Volume in millilitres. */
    readonly poured_ml: number;
    readonly spills: number;
    /** Volume in millilitres. */
    readonly spilled_ml: number;
    /** Pours that wait for review; counted nowhere else. */
    readonly held: number;
    /** Volume in millilitres. */
    readonly held_ml: number;
    readonly revenue: number | null;
  })[];
  readonly kegs: readonly ({
    readonly keg_id: number | null;
    readonly beverage: string | null;
    readonly drinks: number;
    /** Volume in millilitres. */
    readonly poured_ml: number;
    readonly spills: number;
    /** Volume in millilitres. */
    readonly spilled_ml: number;
    /** Pours that wait for review; counted nowhere else. */
    readonly held: number;
    /** Volume in millilitres. */
    readonly held_ml: number;
    readonly revenue: number | null;
  })[];
  /** The oldest first. */
  readonly days: readonly ({
    /** A date, `YYYY-MM-DD`. */
    readonly date: string;
    readonly drinks: number;
    /** Volume in millilitres. */
    readonly poured_ml: number;
    readonly spills: number;
    /** Volume in millilitres. */
    readonly spilled_ml: number;
    /** Pours that wait for review; counted nowhere else. */
    readonly held: number;
    /** Volume in millilitres. */
    readonly held_ml: number;
    readonly revenue: number | null;
  })[];
};

export type BusinessSettings = {
  /** When the business day ends, by the clocks of the bar: `00:00` to `12:00`. */
  readonly day_ends: string;
  /** Make a backup when the business day ends. */
  readonly nightly_backups: boolean;
  /** ISO 4217. */
  readonly currency: string;
};

/** What is asked and answered in JSON. */
export interface Operations {
  /** What a page needs first: who asks, and what house this is. */
  readonly 'GET /users/me': {
    readonly result: {
      readonly user: CurrentUser | null;
      readonly tablet: {
        /** Present where this browser is a shared tablet of the house. */
        readonly name: string;
      } | null;
      readonly site: Site;
      /** Whether who asks may invite others, and the mails for it leave. */
      readonly can_invite: boolean;
      /** Whether a forgotten password can be replaced by mail. */
      readonly sends_mail: boolean;
      /** True once anybody has drunk here. */
      readonly have_sessions: boolean;
      readonly sso_login_url: string | null;
      readonly sso_logout_url: string | null;
      readonly plugins: readonly {
        readonly short_name: string;
        readonly name: string;
      }[];
    };
  };
  /** Log in by name and password; the answer sets the cookie `sessionid`. */
  readonly 'POST /auth/login': {
    readonly body: {
      /** The user’s name. */
      readonly username: string;
      /** The password. */
      readonly password: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Log out, on this browser only. */
  readonly 'POST /auth/logout': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** Make an account of one’s own and log in; whom the house lets do that, `registration_mode` says. */
  readonly 'POST /auth/register': {
    readonly body: {
      /** Letters, digits and _ . @ + - */
      readonly username: string;
      readonly email: string;
      /** At least 8 characters. */
      readonly password: string;
      /** From the invitation, where the house asks for one. */
      readonly invite_code?: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Choose the first password of an account that staff have made, and log in. */
  readonly 'POST /account/activate': {
    readonly body: {
      /** From the link in the mail. */
      readonly activation_key: string;
      /** At least 8 characters. */
      readonly password: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** What is left to do before this house opens. */
  readonly 'GET /setup/status': {
    readonly result: {
      readonly need_setup: boolean;
      /** Never: the ledger is upgraded at the start. */
      readonly need_upgrade: boolean;
      readonly installed_version: string | null;
      readonly current_version: string;
      /** True once there is somebody to look after the house. */
      readonly has_admin: boolean;
    };
  };
  /** Make the ledger ready; it always is, since it is brought up to date at the start. */
  readonly 'POST /setup/migrate': {
    readonly body: {
      /** The code that the console of this machine shows, and its journal. */
      readonly code: string;
    };
    readonly result: {
      readonly output: string;
    };
  };
  /** Make the first settings of the house, and a first tap where there is none. */
  readonly 'POST /setup/settings': {
    readonly body: {
      /** The code that the console of this machine shows, and its journal. */
      readonly code: string;
      /** What the house is called. */
      readonly title?: string;
      /** Who may look: everybody, everybody with an account, or the staff. */
      readonly privacy?: 'public' | 'members' | 'staff';
      /** IANA name such as `Europe/Berlin`: days begin and end by it. */
      readonly timezone?: string;
      /** How volumes are shown; they are kept in millilitres. */
      readonly volume_display_units?: 'metric' | 'imperial';
      /** How temperatures are shown; they are kept in degrees Celsius. */
      readonly temperature_display_units?: 'c' | 'f';
      /** A gathering is over when nobody has drunk for so long. Acts on later drinks. */
      readonly session_timeout_minutes?: number;
      /** At what share of a keg somebody should look for the next one. Acts on later drinks. */
      readonly keg_low_percent?: number;
      /** Who gets an account: everybody, whom a member invites, or whom the staff invite. */
      readonly registration_mode?: 'public' | 'member-invite-only' | 'staff-invite-only';
      /** Show what meters and thermometers tell. */
      readonly enable_sensing?: boolean;
      /** Show who drank what. */
      readonly enable_users?: boolean;
      /** Let whoever is logged in say for ten minutes that a pour of nobody was theirs. */
      readonly allow_claims?: boolean;
    };
    readonly result: {
      readonly site: Site;
    };
  };
  /** Make the account that looks after the house, and log it in. */
  readonly 'POST /setup/admin-user': {
    readonly body: {
      /** The code that the console of this machine shows, and its journal. */
      readonly code: string;
      /** Letters, digits and _ . @ + - */
      readonly username: string;
      readonly email?: string;
      /** At least 8 characters. */
      readonly password: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Open the house; the code is worth nothing from then on. */
  readonly 'POST /setup/finish': {
    readonly body: {
      /** The code that the console of this machine shows, and its journal. */
      readonly code: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Refused: nothing is ever left to upgrade. */
  readonly 'POST /setup/upgrade': {
    readonly body: {
      /** The code that the console of this machine shows, and its journal. */
      readonly code: string;
    };
    readonly result: {
      readonly output: string;
    };
  };
  /** Backups that lie on this machine or on its stick, the newest first, for who has the code. */
  readonly 'POST /setup/backups': {
    readonly body: {
      /** The code that the console shows. */
      readonly code: string;
    };
    readonly result: {
      readonly backups: readonly Backup[];
      /** How large a file may be sent now. */
      readonly most_bytes: number;
    };
  };
  /** Put back a backup: one that lies on this machine, or a file of up to 4 GiB sent after the code. */
  readonly 'POST /setup/restore': {
    readonly body: FormData;
    readonly result: {
      /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
      readonly created_time: string;
      /** True when `tapster doctor` should look at its totals. */
      readonly is_doubtful: boolean;
    };
  };
  /** The house at a glance: taps in their order, who is at it, what happened last. */
  readonly 'GET /status': {
    readonly result: {
      readonly site: Site;
      readonly taps: readonly ({
        readonly tap: KegTap;
        readonly keg: Keg | null;
        readonly beverage: BeerType | null;
        readonly next: {
          readonly keg_id: number | null;
          readonly beverage: BeerType;
        } | null;
        readonly price: {
          /** Volume in millilitres. */
          readonly serving_ml: number;
          readonly price: number;
          /** ISO 4217. */
          readonly currency: string;
        } | null;
      })[];
      readonly active_session: Session | null;
      readonly events: readonly Event[];
    };
  };
  /** Drinks, the newest first. */
  readonly 'GET /drinks': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      /** Only this user’s, by username. */
      readonly user?: string;
      /** Identifier, a positive whole number. */
      readonly keg?: number;
      /** Identifier, a positive whole number. */
      readonly session?: number;
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly tap?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly since?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly until?: string;
      /** False shows staff the pours that are held for review; default true. */
      readonly is_valid?: boolean;
    };
    readonly result: {
      readonly paging: Paging;
      readonly drinks: readonly Drink[];
    };
  };
  /** One drink with its keg, drinker and session. */
  readonly 'GET /drinks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** Shout of a drink, by its drinker or staff; its volume, by staff. */
  readonly 'PATCH /drinks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** What the drinker has to say; empty takes it away. */
      readonly shout?: string;
      /** Volume in millilitres. */
      readonly volume_ml?: number;
    };
    readonly result: DrinkDetail;
  };
  /** Take a drink back with all that was charged for it; it can be undone. */
  readonly 'DELETE /drinks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly query: {
      /** True: the beer is gone all the same, as the keg’s loss. */
      readonly spilled?: boolean;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Give a drink to another drinker, or to nobody. */
  readonly 'POST /drinks/{id}/reassign': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly username: string | null;
    };
    readonly result: DrinkDetail;
  };
  /** Say that a pour of nobody was one’s own, for ten minutes, where the house lets people. */
  readonly 'POST /drinks/{id}/claim': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** Say that a pour claimed within ten minutes was not one’s own after all. */
  readonly 'DELETE /drinks/{id}/claim': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** Cut a drink in two: a part of it, by volume or by ticks, becomes a drink of its own. */
  readonly 'POST /drinks/{id}/split': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Volume in millilitres. */
      readonly volume_ml?: number;
      /** Ticks counted by the flow meter. */
      readonly ticks?: number;
      readonly username?: string | null;
    };
    readonly result: {
      readonly drink: Drink;
      readonly part: Drink;
    };
  };
  /** Put another drink of the same keg and session into this one; this one’s drinker stays. */
  readonly 'POST /drinks/{id}/join': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Identifier, a positive whole number or its decimal text. */
      readonly drink_id: number | string;
    };
    readonly result: DrinkDetail;
  };
  /** Charge a drink to another keg, to none, or to a tap and the keg that is on it. */
  readonly 'POST /drinks/{id}/move': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly keg_id?: number | string | null;
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly tap?: string;
    };
    readonly result: DrinkDetail;
  };
  /** Take back the latest correction of a drink; one that was cancelled comes back. */
  readonly 'POST /drinks/{id}/undo': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: MaybeDrinkDetail;
  };
  /** Take back a correction by its number in the book of changes. */
  readonly 'POST /corrections/{id}/undo': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Pours of nobody that one may still say were one’s own, the newest first; none where the house lets nobody. */
  readonly 'GET /claims': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly claims: readonly Claimable[];
      readonly next: number | null;
    };
  };
  /** Give a drink its picture, by its drinker or staff; the one it had is erased. */
  readonly 'POST /drinks/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FormData;
    readonly result: DrinkDetail;
  };
  /** Erase a drink’s picture for good, by its drinker or staff. */
  readonly 'DELETE /drinks/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Pours that wait for staff to look at them, the newest first. */
  readonly 'GET /held-pours': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly held_pours: readonly HeldPour[];
    };
  };
  /** Make a drink of a held pour, on any tap, keg and drinker; what is left out is as suggested. */
  readonly 'POST /held-pours/{id}/keep': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly tap?: string;
      readonly keg_id?: number | string | null;
      readonly username?: string;
    };
    readonly result: DrinkDetail;
  };
  /** Forget a held pour; it can be undone. */
  readonly 'POST /held-pours/{id}/discard': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Hold a pour again that was kept or discarded. */
  readonly 'POST /held-pours/{id}/undo': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** What a meter counted of late, the newest first; held pours too. */
  readonly 'GET /flow-meters/{id}/pours': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly pours: readonly MeteredPour[];
    };
  };
  /** The figure that measured pours come to, each by volume or by weight; changes nothing. */
  readonly 'POST /flow-meters/{id}/calibration-estimate': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly pours: readonly {
        readonly ticks: number;
        readonly volume_ml?: number;
        readonly grams?: number;
        readonly tare_grams?: number;
        /** Of the finished beer, against water at 20 °C. */
        readonly final_gravity?: number;
        /** Of the beer as it ran through the meter. */
        readonly temp_c?: number;
      }[];
    };
    readonly result: CalibrationEstimate;
  };
  /** What a calibration would make of a keg’s past drinks; changes nothing. */
  readonly 'POST /flow-meters/{id}/calibration-preview': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly ticks_per_ml: number;
      readonly apply_to_keg?: number | string | null;
    };
    readonly result: CalibrationPreview;
  };
  /** Calibrate a meter; with a keg, volumes of its past drinks that we computed from ticks follow. Undone as one correction. */
  readonly 'POST /flow-meters/{id}/calibrate': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly ticks_per_ml: number;
      readonly apply_to_keg?: number | string | null;
    };
    readonly result: Calibration;
  };
  /** Who changed what by hand, the newest first. */
  readonly 'GET /audit': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      /** Only this user’s, by username. */
      readonly user?: string;
      readonly action?: string;
      /** With `subject_id`: one thing’s. */
      readonly subject_kind?: string;
      readonly subject_id?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly since?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly until?: string;
    };
    readonly result: {
      readonly paging: Paging;
      readonly entries: readonly AuditEntry[];
    };
  };
  /** All taps with what is on them. */
  readonly 'GET /taps': {
    readonly result: {
      readonly taps: readonly ({
        readonly tap: KegTap;
        readonly keg: Keg | null;
        readonly beverage: BeerType | null;
        readonly next: {
          readonly keg_id: number | null;
          readonly beverage: BeerType;
        } | null;
        readonly price: {
          /** Volume in millilitres. */
          readonly serving_ml: number;
          readonly price: number;
          /** ISO 4217. */
          readonly currency: string;
        } | null;
      })[];
    };
  };
  /** A new tap. */
  readonly 'POST /taps': {
    readonly body: NewTap;
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** One tap, by its id or its meter’s name. */
  readonly 'GET /taps/{ref}': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Name, notes and place of a tap; what is left out stays. */
  readonly 'PUT /taps/{ref}': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: NewTap;
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Name, notes and place of a tap; what is left out stays. */
  readonly 'PATCH /taps/{ref}': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: TapChange;
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Take a tap away: refused while a keg is on it; its meter and toggle are free then, its drinks stay. */
  readonly 'DELETE /taps/{ref}': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Put an available keg on an empty tap. */
  readonly 'POST /taps/{ref}/attach-keg': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: {
      /** Identifier, a positive whole number or its decimal text. */
      readonly keg_id: number | string;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Put a new keg on an empty tap. */
  readonly 'POST /taps/{ref}/start-keg': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: NewKeg;
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Take the keg off its tap and finish it. */
  readonly 'POST /taps/{ref}/end-keg': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Say what comes next on a tap: a keg that waits, or a beverage whose keg is still to come. */
  readonly 'PUT /taps/{ref}/next': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: {
      /** Identifier, a positive whole number or its decimal text. */
      readonly keg_id?: number | string;
      /** Identifier, a positive whole number or its decimal text. */
      readonly beverage_id?: number | string;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Announce nothing for a tap any more. */
  readonly 'DELETE /taps/{ref}/next': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Give a tap its meter, from another tap if need be; null takes it away. */
  readonly 'POST /taps/{ref}/connect-meter': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: {
      readonly meter_id: number | string | null;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Give a tap its relay, from another tap if need be; null takes it away. */
  readonly 'POST /taps/{ref}/connect-toggle': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: {
      readonly toggle_id: number | string | null;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Give a tap its thermometer, which several may share; null takes it away. */
  readonly 'POST /taps/{ref}/connect-thermo': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: {
      readonly thermo_sensor_id: number | string | null;
    };
    readonly result: {
      readonly tap: KegTap;
      readonly keg: Keg | null;
      readonly beverage: BeerType | null;
      readonly next: {
        readonly keg_id: number | null;
        readonly beverage: BeerType;
      } | null;
      readonly price: {
        /** Volume in millilitres. */
        readonly serving_ml: number;
        readonly price: number;
        /** ISO 4217. */
        readonly currency: string;
      } | null;
    };
  };
  /** Record a drink or a spill by hand; an `Idempotency-Key` that was used before records nothing. */
  readonly 'POST /taps/{ref}/record-drink': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: {
      /** Volume in millilitres. */
      readonly volume_ml: number;
      /** Who drank it; empty and `guest` mean nobody. */
      readonly username?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly pour_time?: string;
      /** Seconds from the first tick to the last. */
      readonly duration?: number;
      readonly shout?: string;
      /** True: no drink; the volume is the keg’s loss. */
      readonly spilled?: boolean;
    };
    readonly result: MaybeDrinkDetail;
  };
  /** Kegs, the newest first. */
  readonly 'GET /kegs': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      readonly status?: 'online' | 'offline' | 'available' | 'on_tap' | 'finished';
      readonly state?: 'available' | 'on_tap' | 'finished';
    };
    readonly result: {
      readonly paging: Paging;
      readonly kegs: readonly Keg[];
    };
  };
  /** A new keg in the cellar. */
  readonly 'POST /kegs': {
    readonly body: NewKeg;
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
    };
  };
  /** One keg with what is in it, its size and its newest drinks. */
  readonly 'GET /kegs/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
      readonly drinks: readonly Drink[];
    };
  };
  /** Size, volume and words of a keg; what is left out stays, and another size leaves the volume. */
  readonly 'PUT /kegs/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Key of its size, see `/api/keg-sizes`; `half-barrel` when nothing is said. */
      readonly keg_type?: 'mini' | 'corny-2_5-gal' | 'corny-3-gal' | 'corny' | 'sixth' | 'quarter' | 'euro-30-liter' | 'euro-half' | 'half-barrel' | 'euro' | 'other';
      /** Identifier, a positive whole number or its decimal text. */
      readonly size_id?: number | string;
      readonly full_volume_ml?: number | null;
      readonly description?: string;
      readonly notes?: string;
    };
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
    };
  };
  /** Size, volume and words of a keg; what is left out stays, and another size leaves the volume. */
  readonly 'PATCH /kegs/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Key of its size, see `/api/keg-sizes`; `half-barrel` when nothing is said. */
      readonly keg_type?: 'mini' | 'corny-2_5-gal' | 'corny-3-gal' | 'corny' | 'sixth' | 'quarter' | 'euro-30-liter' | 'euro-half' | 'half-barrel' | 'euro' | 'other';
      /** Identifier, a positive whole number or its decimal text. */
      readonly size_id?: number | string;
      readonly full_volume_ml?: number | null;
      readonly description?: string;
      readonly notes?: string;
    };
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
    };
  };
  /** Forget a keg that nothing came from: one on a tap, or with drinks or spills, stays. */
  readonly 'DELETE /kegs/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Drinks poured from a keg, the newest first. */
  readonly 'GET /kegs/{id}/drinks': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly drinks: readonly Drink[];
    };
  };
  /** Sessions that drank of a keg, the newest first. */
  readonly 'GET /kegs/{id}/sessions': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly sessions: readonly Session[];
    };
  };
  /** Finish a keg that is on no tap. */
  readonly 'POST /kegs/{id}/end': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
    };
  };
  /** Bring a finished keg back as available. */
  readonly 'POST /kegs/{id}/reactivate': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
    };
  };
  /** Beer of that keg went down the drain: no drink and no event, its spilled volume grows. */
  readonly 'POST /kegs/{id}/spill': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Volume in millilitres. */
      readonly volume_ml: number;
    };
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
    };
  };
  /** Sizes of kegs in the trade. */
  readonly 'GET /keg-sizes': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly keg_sizes: readonly KegSize[];
    };
  };
  /** Beverages, the newest first. */
  readonly 'GET /beverages': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly beverages: readonly BeerType[];
    };
  };
  /** A new beverage. */
  readonly 'POST /beverages': {
    readonly body: NewBeverage;
    readonly result: {
      readonly beverage: BeerType;
    };
  };
  /** One beverage. */
  readonly 'GET /beverages/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly beverage: BeerType;
    };
  };
  /** What is known of a beverage; what is left out stays. */
  readonly 'PUT /beverages/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: NewBeverage;
    readonly result: {
      readonly beverage: BeerType;
    };
  };
  /** What is known of a beverage; what is left out stays. */
  readonly 'PATCH /beverages/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: BeverageChange;
    readonly result: {
      readonly beverage: BeerType;
    };
  };
  /** Forget a beverage; refused while a keg has it, finished ones too. */
  readonly 'DELETE /beverages/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Producers of beverages, the newest first. */
  readonly 'GET /beverage-producers': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly beverage_producers: readonly Producer[];
    };
  };
  /** A new producer of beverages. */
  readonly 'POST /beverage-producers': {
    readonly body: NewProducer;
    readonly result: {
      readonly beverage_producer: Producer;
    };
  };
  /** One producer. */
  readonly 'GET /beverage-producers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly beverage_producer: Producer;
    };
  };
  /** What is known of a producer; what is left out stays. */
  readonly 'PUT /beverage-producers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: NewProducer;
    readonly result: {
      readonly beverage_producer: Producer;
    };
  };
  /** What is known of a producer; what is left out stays. */
  readonly 'PATCH /beverage-producers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: ProducerChange;
    readonly result: {
      readonly beverage_producer: Producer;
    };
  };
  /** Forget a producer; refused while a beverage is theirs. */
  readonly 'DELETE /beverage-producers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Give a beverage its one picture; the one it had goes. */
  readonly 'POST /beverages/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FormData;
    readonly result: {
      readonly beverage: BeerType;
    };
  };
  /** Take its picture away; harmless where there is none. */
  readonly 'DELETE /beverages/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Give a producer its one picture; the one it had goes. */
  readonly 'POST /beverage-producers/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FormData;
    readonly result: {
      readonly beverage_producer: Producer;
    };
  };
  /** Take its picture away; harmless where there is none. */
  readonly 'DELETE /beverage-producers/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Sessions, the newest first; by the day they began in the site’s own zone. */
  readonly 'GET /sessions': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      /** Only those that began in this year. */
      readonly year?: number;
      /** Only with a year. */
      readonly month?: number;
      /** Looked at only with a month. */
      readonly day?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly sessions: readonly Session[];
    };
  };
  /** The session that people are at now. */
  readonly 'GET /sessions/current': {
    readonly result: {
      readonly session: Session;
    };
  };
  /** On which days sessions began, the newest first, by the bar’s zone of that evening. */
  readonly 'GET /sessions/directory': {
    readonly result: {
      readonly years: readonly {
        readonly year: number;
        /** Sessions that began then. */
        readonly count: number;
        readonly months: readonly {
          readonly month: number;
          /** Sessions that began then. */
          readonly count: number;
          readonly days: readonly {
            readonly day: number;
            /** Sessions that began then. */
            readonly count: number;
          }[];
        }[];
      }[];
    };
  };
  /** One session. */
  readonly 'GET /sessions/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly session: Session;
    };
  };
  /** What happened, the newest first; by `since` and `wait` as it happens. */
  readonly 'GET /events': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      /** Only events with a greater id. */
      readonly since?: number;
      /** With `since`: when there is nothing to tell yet, the answer waits so many seconds for it. May be shorter. */
      readonly wait?: number;
      readonly kind?: 'keg_tapped' | 'keg_ended' | 'session_started' | 'session_joined' | 'drink_poured' | 'keg_volume_low';
      /** Only this user’s, by username. */
      readonly user?: string;
      /** Identifier, a positive whole number. */
      readonly keg?: number;
      /** Identifier, a positive whole number. */
      readonly session?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly events: readonly Event[];
    };
  };
  /** One event. */
  readonly 'GET /events/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly event: Event;
    };
  };
  /** What all drinks of the house come to. */
  readonly 'GET /stats': {
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** What all drinks of the house come to. */
  readonly 'GET /stats/system': {
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** What a user’s drinks come to. */
  readonly 'GET /users/{username}/stats': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** What a keg’s drinks come to. */
  readonly 'GET /kegs/{id}/stats': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** What a session’s drinks come to. */
  readonly 'GET /sessions/{id}/stats': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** Accounts, the newest first. */
  readonly 'GET /users': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      readonly is_active?: boolean;
      readonly is_staff?: boolean;
      /** A part of the user name or the display name. */
      readonly search?: string;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly users: readonly User[];
    };
  };
  /** A new account. */
  readonly 'POST /users': {
    readonly body: {
      /** Letters, digits and _ . @ + - */
      readonly username: string;
      /** At least 8 characters. Without one, its owner gets a mail with a link to choose it where that can be; else nobody logs in to the account until it has a password, and it pours by token only. */
      readonly password?: string;
      /** Empty for none. Shown to its owner only. */
      readonly email?: string;
      /** Empty for the user name. */
      readonly display_name?: string;
      readonly is_staff?: boolean;
    };
    readonly result: {
      readonly user: User;
      /** Whether a link to choose the first password is on its way by mail. False for an account that has a password or no address, and where the house has no mail server or does not know its own address. */
      readonly activation_sent: boolean;
    };
  };
  /** One user. */
  readonly 'GET /users/{username}': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly result: {
      readonly user: User;
    };
  };
  /** Change an account, or switch it off: nobody is ever deleted. */
  readonly 'PATCH /users/{username}': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly body: {
      /** Empty for none. Shown to its owner only. */
      readonly email?: string;
      /** Empty for the user name. */
      readonly display_name?: string;
      readonly is_staff?: boolean;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly user: User;
    };
  };
  /** What a user drank, the newest first. */
  readonly 'GET /users/{username}/drinks': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly drinks: readonly Drink[];
    };
  };
  /** Whether somebody has chosen a password and has an address, and when they were here last. */
  readonly 'GET /users/{username}/state': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly result: {
      readonly has_password: boolean;
      /** Whether mails reach them; the address is its owner’s own. */
      readonly has_email: boolean;
      readonly last_seen_time: string | null;
    };
  };
  /** Give somebody a new password; all their logins end. */
  readonly 'POST /users/{username}/set-password': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly body: {
      /** At least 8 characters. */
      readonly password: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Mail the link for a first password once more to who has none yet; the link before opens nothing any more. */
  readonly 'POST /users/{username}/send-activation': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Change one’s own password; one’s other logins end. */
  readonly 'POST /account/password': {
    readonly body: {
      /** The password. */
      readonly current_password: string;
      /** At least 8 characters. */
      readonly new_password: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Put up a picture of oneself, as the file `image`. */
  readonly 'POST /account/mugshot': {
    readonly body: FormData;
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Take one’s own picture down. */
  readonly 'DELETE /account/mugshot': {
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Replace one’s only API key by a new one, or make the first. */
  readonly 'POST /account/regenerate-api-key': {
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** One’s own API keys, the newest first. */
  readonly 'GET /api-keys': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly api_keys: readonly ApiKey[];
    };
  };
  /** A new API key of one’s own; this answer is the only one that shows it. */
  readonly 'POST /api-keys': {
    readonly body: {
      /** What it is for. */
      readonly description?: string;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** One of one’s own API keys. */
  readonly 'GET /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** Describe a key of one’s own anew, or switch it on or off. */
  readonly 'PUT /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** What it is for. */
      readonly description?: string;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** Describe a key of one’s own anew, or switch it on or off. */
  readonly 'PATCH /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** What it is for. */
      readonly description?: string;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** Delete a key of one’s own: from now on nobody has it. */
  readonly 'DELETE /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Mail a link for a new password to every account with this address; never says whether there is one. */
  readonly 'POST /auth/password-reset': {
    readonly body: {
      readonly email: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Choose a new password by the link in the mail, once and within three days; all logins end. */
  readonly 'POST /auth/password-reset-confirm': {
    readonly body: {
      /** What stands before the first hyphen. */
      readonly uid: string;
      /** From the link in the mail. */
      readonly token: string;
      /** At least 8 characters. */
      readonly new_password: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Mail a link to a new address of one’s own; it is taken when the link is followed within a day. */
  readonly 'POST /account/email': {
    readonly body: {
      readonly email: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Take the new address, by the link that was mailed to it. */
  readonly 'POST /account/confirm-email': {
    readonly body: {
      /** From the link in the mail. */
      readonly token: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Shared tablets, the newest first. */
  readonly 'GET /tablets': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly tablets: readonly Tablet[];
    };
  };
  /** Make this very browser a shared tablet: the answer sets its cookie, and ends the login at hand. */
  readonly 'POST /tablets': {
    readonly body: {
      /** What the book of changes calls it. */
      readonly name: string;
    };
    readonly result: {
      readonly tablet: Tablet;
    };
  };
  /** Call a shared tablet something else. */
  readonly 'PATCH /tablets/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** What the book of changes calls it. */
      readonly name: string;
    };
    readonly result: {
      readonly tablet: Tablet;
    };
  };
  /** Take a shared tablet out: from now on it is a stranger. */
  readonly 'DELETE /tablets/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Who may confirm by PIN on this shared tablet, by name. */
  readonly 'GET /tablet/staff': {
    readonly result: {
      readonly staff: readonly {
        readonly username: string;
        readonly display_name: string;
        /** A square of 128 pixels; empty without a picture. */
        readonly mugshot_url: string;
      }[];
    };
  };
  /** Confirm by PIN on this shared tablet; send the returned `pin_unlock` in `X-Tapster-Pin-Unlock`. */
  readonly 'POST /tablet/pin-unlock': {
    readonly body: {
      /** Whose PIN it is. */
      readonly username: string;
      /** The PIN as it was typed. */
      readonly pin: string;
    };
    readonly result: {
      /** Good on this tablet only; shown here and never again. */
      readonly pin_unlock: string;
      /** How long it lasts. */
      readonly seconds: number;
      readonly username: string;
      readonly display_name: string;
      /** Wrong PINs typed for this name since its last right one. */
      readonly wrong_before: number;
    };
  };
  /** End the PIN unlock of this shared tablet before its time. */
  readonly 'DELETE /tablet/pin-unlock': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** Whether one has a PIN for shared tablets. */
  readonly 'GET /account/pin': {
    readonly result: {
      readonly is_set: boolean;
      /** After too many wrong ones, until its owner logs in by password. */
      readonly is_locked: boolean;
    };
  };
  /** Choose one’s own PIN for shared tablets; the password is asked once more. */
  readonly 'POST /account/pin': {
    readonly body: {
      /** The password. */
      readonly current_password: string;
      /** 4 to 8 digits. */
      readonly pin: string;
    };
    readonly result: {
      readonly is_set: boolean;
      /** After too many wrong ones, until its owner logs in by password. */
      readonly is_locked: boolean;
    };
  };
  /** Have no PIN any more. */
  readonly 'DELETE /account/pin': {
    readonly result: {
      readonly is_set: boolean;
      /** After too many wrong ones, until its owner logs in by password. */
      readonly is_locked: boolean;
    };
  };
  /** Browsers on which one is logged in, the newest first. */
  readonly 'GET /account/logins': {
    readonly result: {
      readonly logins: readonly Login[];
    };
  };
  /** Log out on one of one’s browsers. */
  readonly 'DELETE /account/logins/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** One’s own invitations that were not used, the newest first. */
  readonly 'GET /invitations': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly invitations: readonly Invitation[];
    };
  };
  /** Invite somebody by mail or by a link to hand over, for a day when nothing else is said. */
  readonly 'POST /invitations': {
    readonly body: {
      /** Needed for one that is mailed. */
      readonly for_email?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly expires_date?: string;
      /** False: no mail leaves, and the answer has the link. */
      readonly by_mail?: boolean;
    };
    readonly result: {
      readonly invitation: Invitation;
      readonly link: string | null;
    };
  };
  /** One of one’s own invitations. */
  readonly 'GET /invitations/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly invitation: Invitation;
    };
  };
  /** Take an invitation of one’s own back: its link opens nothing any more. */
  readonly 'DELETE /invitations/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** The settings of the house. */
  readonly 'GET /site': {
    readonly result: {
      readonly site: Site;
    };
  };
  /** Change settings of the house, all of those sent or none. */
  readonly 'PATCH /site': {
    readonly body: {
      /** What the house is called. */
      readonly title?: string;
      /** Who may look: everybody, everybody with an account, or the staff. */
      readonly privacy?: 'public' | 'members' | 'staff';
      /** IANA name such as `Europe/Berlin`: days begin and end by it. */
      readonly timezone?: string;
      /** How volumes are shown; they are kept in millilitres. */
      readonly volume_display_units?: 'metric' | 'imperial';
      /** How temperatures are shown; they are kept in degrees Celsius. */
      readonly temperature_display_units?: 'c' | 'f';
      /** A gathering is over when nobody has drunk for so long. Acts on later drinks. */
      readonly session_timeout_minutes?: number;
      /** At what share of a keg somebody should look for the next one. Acts on later drinks. */
      readonly keg_low_percent?: number;
      /** Who gets an account: everybody, whom a member invites, or whom the staff invite. */
      readonly registration_mode?: 'public' | 'member-invite-only' | 'staff-invite-only';
      /** Show what meters and thermometers tell. */
      readonly enable_sensing?: boolean;
      /** Show who drank what. */
      readonly enable_users?: boolean;
      /** Let whoever is logged in say for ten minutes that a pour of nobody was theirs. */
      readonly allow_claims?: boolean;
      /** The mail server in one line, `submission://user:password@host:587/?_default_from_email=a@b`, `smtp://…` or `smtps://…`; `console:` for none. A password that is left out stays with its server and name. Shown by `GET /api/admin/mail` alone. */
      readonly email_config?: string;
    };
    readonly result: {
      readonly site: Site;
    };
  };
  /** Put up a picture behind the pages, as the file `image`. */
  readonly 'POST /site/background-image': {
    readonly body: FormData;
    readonly result: {
      readonly site: Site;
    };
  };
  /** Take the picture behind the pages down. */
  readonly 'DELETE /site/background-image': {
    readonly result: {
      readonly site: Site;
    };
  };
  /** Hang up the sign of the house, as the file `image`. */
  readonly 'POST /site/logo': {
    readonly body: FormData;
    readonly result: {
      readonly site: Site;
    };
  };
  /** Take the sign of the house down. */
  readonly 'DELETE /site/logo': {
    readonly result: {
      readonly site: Site;
    };
  };
  /** Tags and buttons that people present, the newest first. */
  readonly 'GET /auth-tokens': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      readonly auth_device?: string;
      readonly enabled?: boolean;
      /** Username of the owner. */
      readonly user?: string;
      /** A part of its value, its name or its owner’s name. */
      readonly search?: string;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly tokens: readonly AuthToken[];
    };
  };
  /** A new token, somebody’s or nobody’s yet; `/api/admin/unknown-tokens` shows which were presented. */
  readonly 'POST /auth-tokens': {
    readonly body: NewAuthToken;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** A token by its whole id, device and value joined by a dot or a bar. */
  readonly 'GET /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** A token by its whole id, device and value joined by a dot or a bar. */
  readonly 'POST /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Whose a token is, until when, and whether it works; what is left out stays. */
  readonly 'PUT /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly body: NewAuthToken;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Whose a token is, until when, and whether it works; what is left out stays. */
  readonly 'PATCH /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly body: AuthTokenChange;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Forget a token: whoever presents it is nobody again. */
  readonly 'DELETE /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** A token by its device and value. */
  readonly 'GET /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** A token by its device and value. */
  readonly 'POST /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Whose a token is, until when, and whether it works; what is left out stays. */
  readonly 'PUT /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly body: NewAuthToken;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Whose a token is, until when, and whether it works; what is left out stays. */
  readonly 'PATCH /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly body: AuthTokenChange;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Forget a token: whoever presents it is nobody again. */
  readonly 'DELETE /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Boards that own meters and toggles. */
  readonly 'GET /controllers': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly controllers: readonly Controller[];
    };
  };
  /** A new board. */
  readonly 'POST /controllers': {
    readonly body: NewController;
    readonly result: {
      readonly controller: Controller;
    };
  };
  /** One board. */
  readonly 'GET /controllers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly controller: Controller;
    };
  };
  /** What is said of a board; what is left out stays. A name that the configuration file or a plugged-in board uses stays too. */
  readonly 'PUT /controllers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: NewController;
    readonly result: {
      readonly controller: Controller;
    };
  };
  /** What is said of a board; what is left out stays. A name that the configuration file or a plugged-in board uses stays too. */
  readonly 'PATCH /controllers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: ControllerChange;
    readonly result: {
      readonly controller: Controller;
    };
  };
  /** Take a board away with its meters, toggles and token; drinks stay. Refused for what the configuration file declares or what is plugged in; a board that reports by itself has to ask to be let in again. */
  readonly 'DELETE /controllers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Flow meters with their calibration. */
  readonly 'GET /flow-meters': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly flow_meters: readonly FlowMeter[];
    };
  };
  /** A new meter on a board, by `controller` or `controller_id`. */
  readonly 'POST /flow-meters': {
    readonly body: NewFlowMeter;
    readonly result: {
      readonly flow_meter: FlowMeter;
    };
  };
  /** One flow meter. */
  readonly 'GET /flow-meters/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly flow_meter: FlowMeter;
    };
  };
  /** Port and calibration of a meter; what is left out stays, and past drinks do. */
  readonly 'PUT /flow-meters/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FlowMeterReplacement;
    readonly result: {
      readonly flow_meter: FlowMeter;
    };
  };
  /** Port and calibration of a meter; what is left out stays, and past drinks do. */
  readonly 'PATCH /flow-meters/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FlowMeterChange;
    readonly result: {
      readonly flow_meter: FlowMeter;
    };
  };
  /** Take a meter away; its tap has none then, drinks stay. One that its board reports is made anew. */
  readonly 'DELETE /flow-meters/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Relays that open taps. */
  readonly 'GET /flow-toggles': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly flow_toggles: readonly FlowToggle[];
    };
  };
  /** A new relay on a board, by `controller` or `controller_id`. */
  readonly 'POST /flow-toggles': {
    readonly body: NewFlowToggle;
    readonly result: {
      readonly flow_toggle: FlowToggle;
    };
  };
  /** One relay. */
  readonly 'GET /flow-toggles/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly flow_toggle: FlowToggle;
    };
  };
  /** The port of a relay. */
  readonly 'PUT /flow-toggles/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FlowToggleReplacement;
    readonly result: {
      readonly flow_toggle: FlowToggle;
    };
  };
  /** The port of a relay. */
  readonly 'PATCH /flow-toggles/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FlowToggleChange;
    readonly result: {
      readonly flow_toggle: FlowToggle;
    };
  };
  /** Take a relay away; one that its board reports is made anew. */
  readonly 'DELETE /flow-toggles/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Thermometers and what they showed last. */
  readonly 'GET /thermo-sensors': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly thermo_sensors: readonly ThermoSensorItem[];
    };
  };
  /** A new thermometer, by the name its bus or poster calls it; others are made by their first reading. */
  readonly 'POST /thermo-sensors': {
    readonly body: ThermoSensorFields;
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** A thermometer and what it showed last. */
  readonly 'GET /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermometer, by its own name, the name people gave it, or its id. */
      readonly sensor: string;
    };
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** What a thermometer is called; what is left out stays. */
  readonly 'PUT /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermometer, by its own name, the name people gave it, or its id. */
      readonly sensor: string;
    };
    readonly body: ThermoSensorFields;
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** What a thermometer is called; what is left out stays. */
  readonly 'PATCH /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermometer, by its own name, the name people gave it, or its id. */
      readonly sensor: string;
    };
    readonly body: ThermoSensorFields;
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** Forget a thermometer with its readings; one that goes on measuring is made anew. */
  readonly 'DELETE /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermometer, by its own name, the name people gave it, or its id. */
      readonly sensor: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Temperatures, at most one a thermometer and minute, the last received first. */
  readonly 'GET /thermo-logs': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      /** A thermometer, by its own name, the name people gave it, or its id. */
      readonly sensor?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly since?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly until?: string;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly logs: readonly ThermoLog[];
    };
  };
  /** Temperatures of a span, the oldest first: by the minute for a month, by the hour before. */
  readonly 'GET /thermo-sensors/{sensor}/chart': {
    readonly path: {
      /** A thermometer, by its own name, the name people gave it, or its id. */
      readonly sensor: string;
    };
    readonly query: {
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly since?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly until?: string;
      /** `auto`, the default, takes minutes for up to two days. At most 10 000 of either. */
      readonly resolution?: 'auto' | 'minute' | 'hour';
    };
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly resolution: 'minute' | 'hour';
      readonly points: readonly ThermoPoint[];
    };
  };
  /** Make a simulated meter pulse. */
  readonly 'POST /simulator/pulses': {
    readonly body: {
      /** Full name, such as `pi.flow0`. */
      readonly meter: string;
      /** Pulses to make. */
      readonly ticks: number;
      /** Pulses in a second. */
      readonly hz: number;
      /** Meters that hear the same pulses, as cables that touch make them. */
      readonly echoes?: readonly string[];
    };
    readonly result: {
      /** Full name, such as `pi.flow0`. */
      readonly meter: string;
      readonly ticks: number;
      readonly seconds: number;
    };
  };
  /** Tell the house what time it is, while nobody else has. */
  readonly 'POST /clock': {
    readonly body: {
      /** Unix seconds, or ISO 8601 with its zone. */
      readonly time: number | string;
    };
    readonly result: {
      /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
      readonly time: string;
      readonly clock_synced: boolean;
    };
  };
  /** Boards that report device events, the newest heard of first. */
  readonly 'GET /admin/kegboards': {
    readonly result: {
      readonly kegboards: readonly Kegboard[];
    };
  };
  /** Let a board in: a new token waits an hour for it, to be fetched once. */
  readonly 'POST /admin/kegboards/{device}/allow': {
    readonly path: {
      /** The name the board gives itself. */
      readonly device: string;
    };
    readonly result: {
      readonly kegboard: Kegboard;
    };
  };
  /** Send a board away, its token with it. */
  readonly 'POST /admin/kegboards/{device}/deny': {
    readonly path: {
      /** The name the board gives itself. */
      readonly device: string;
    };
    readonly result: {
      readonly kegboard: Kegboard;
    };
  };
  /** End a board’s token; its controller, meters and drinks stay. */
  readonly 'POST /admin/kegboards/{device}/revoke': {
    readonly path: {
      /** The name the board gives itself. */
      readonly device: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Forget what is known of a board; a paired one keeps its token and shows up again. */
  readonly 'DELETE /admin/kegboards/{device}': {
    readonly path: {
      /** The name the board gives itself. */
      readonly device: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Close a board’s taps: its grants end when it next reports, all of them unless some are named. */
  readonly 'POST /admin/kegboards/{device}/deauthorize': {
    readonly path: {
      /** The name the board gives itself. */
      readonly device: string;
    };
    readonly body: {
      readonly grant_ids?: readonly string[];
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Close the taps of every board when it next reports. */
  readonly 'POST /admin/kegboards/deauthorize': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** Tokens presented lately that nobody knows, the latest first. */
  readonly 'GET /admin/unknown-tokens': {
    readonly result: {
      readonly unknown_tokens: readonly UnknownToken[];
    };
  };
  /** Leave to pour that was given for tokens, the newest first. */
  readonly 'GET /admin/grants': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly grants: readonly Grant[];
    };
  };
  /** Relays of this machine and its serial boards that are open now. */
  readonly 'GET /admin/valves': {
    readonly result: {
      readonly valves: readonly OpenValve[];
    };
  };
  /** Close a tap: its grants end now; on a board that reports device events, when it next reports. */
  readonly 'POST /admin/taps/{id}/deauthorize': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly ended: number;
      readonly board: string | null;
    };
  };
  /** Close every tap: all grants end now; on boards that report device events, when they next report. */
  readonly 'POST /admin/taps/deauthorize': {
    readonly result: {
      readonly ended: number;
    };
  };
  /** Open a relay by hand for a while, to rinse a line or find a fault; what runs is recorded as ever. */
  readonly 'POST /flow-toggles/{id}/open': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly seconds: number;
    };
    readonly result: {
      readonly valve: OpenValve;
    };
  };
  /** Shut a relay, whatever it was opened for; a grant on its tap ends with it; on a board that reports device events, when it next reports. */
  readonly 'POST /flow-toggles/{id}/close': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly board: string | null;
    };
  };
  /** How every wire is now; asked again within five seconds, it tells rates and rhythm as well. Twice a second is often enough. */
  readonly 'GET /admin/wiring': {
    readonly result: {
      readonly wiring: Wiring;
    };
  };
  /** Which news one wants; empty for who has not asked for any. */
  readonly 'GET /notification-settings': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly notification_settings: readonly NotificationSettings[];
    };
  };
  /** Ask for news; what is not named gets its usual value: fresh kegs, and nothing else. */
  readonly 'POST /notification-settings': {
    readonly body: {
      /** The channel; mail is the only one, by the name existing pages use for it. */
      readonly backend?: string;
      readonly keg_tapped?: boolean;
      readonly session_started?: boolean;
      readonly keg_volume_low?: boolean;
      readonly keg_ended?: boolean;
      /** A tap’s thermometer has been too warm for a while. Staff only. */
      readonly too_warm?: boolean;
      /** A board has not been heard of for a while. Staff only. */
      readonly controller_silent?: boolean;
      /** Disk, power, counting, a backup. Staff only. */
      readonly house_trouble?: boolean;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** One of one’s own settings. */
  readonly 'GET /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** Ask for news anew; what is not named gets its usual value again. */
  readonly 'PUT /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** The channel; mail is the only one, by the name existing pages use for it. */
      readonly backend?: string;
      readonly keg_tapped?: boolean;
      readonly session_started?: boolean;
      readonly keg_volume_low?: boolean;
      readonly keg_ended?: boolean;
      /** A tap’s thermometer has been too warm for a while. Staff only. */
      readonly too_warm?: boolean;
      /** A board has not been heard of for a while. Staff only. */
      readonly controller_silent?: boolean;
      /** Disk, power, counting, a backup. Staff only. */
      readonly house_trouble?: boolean;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** Ask for more news or for less; what is not named stays. */
  readonly 'PATCH /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** The channel; mail is the only one, by the name existing pages use for it. */
      readonly backend?: string;
      readonly keg_tapped?: boolean;
      readonly session_started?: boolean;
      readonly keg_volume_low?: boolean;
      readonly keg_ended?: boolean;
      /** A tap’s thermometer has been too warm for a while. Staff only. */
      readonly too_warm?: boolean;
      /** A board has not been heard of for a while. Staff only. */
      readonly controller_silent?: boolean;
      /** Disk, power, counting, a backup. Staff only. */
      readonly house_trouble?: boolean;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** Ask for no news any more. */
  readonly 'DELETE /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Messages that wait, have left or were given up, the newest first; never what they say. */
  readonly 'GET /admin/outbox': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
      /** `skipped`: nobody was there to read it any more; `dead`: given up. */
      readonly state?: 'waiting' | 'sent' | 'skipped' | 'dead';
      readonly kind?: 'mail' | 'webhook';
    };
    readonly result: {
      readonly paging: Paging;
      readonly messages: readonly OutboxMessage[];
    };
  };
  /** Try a message anew that was given up. */
  readonly 'POST /admin/outbox/{id}/send-again': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly message: OutboxMessage;
    };
  };
  /** Try everything of one kind anew that was given up, as after a repair. */
  readonly 'POST /admin/outbox/send-again': {
    readonly body: {
      readonly kind: 'mail' | 'webhook';
    };
    readonly result: {
      readonly num_messages: number;
    };
  };
  /** Throw a message away; one that waits is not sent any more. */
  readonly 'DELETE /admin/outbox/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** How reporting to another server goes. */
  readonly 'GET /admin/upstream': {
    readonly result: {
      readonly upstream: Upstream;
    };
  };
  /** Ask the other server now, also after it has refused this house. */
  readonly 'POST /admin/upstream/ask-again': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** Reports that the other server refused, the newest first. */
  readonly 'GET /admin/upstream/set-aside': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly reports: readonly UpstreamReport[];
    };
  };
  /** Send up to 1000 of the refused reports anew. */
  readonly 'POST /admin/upstream/set-aside/send-again': {
    readonly result: {
      readonly sent_again: number;
    };
  };
  /** Send a refused report anew. */
  readonly 'POST /admin/upstream/set-aside/{id}/send-again': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly sent_again: number;
    };
  };
  /** Throw a refused report away; the drink itself stays in this house. */
  readonly 'DELETE /admin/upstream/set-aside/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** How mails leave the house. */
  readonly 'GET /admin/mail': {
    readonly result: {
      readonly mail: MailSettings;
    };
  };
  /** Change how mails leave; a password goes with its server and name, and must be given anew for others. */
  readonly 'PATCH /admin/mail': {
    readonly body: {
      /** Name or address of the mail server; empty: no mail leaves. */
      readonly host?: string;
      readonly port?: number;
      /** `tls` from the first byte (port 465), `starttls` before anything else is said (587), or none. */
      readonly security?: 'none' | 'starttls' | 'tls';
      /** Empty: the server asks for no login. */
      readonly username?: string;
      /** Never shown again. */
      readonly password?: string;
      /** Who the mails are from. */
      readonly from_address?: string;
      /** What links in mails begin with, `http://bar.example`; empty: they have none. */
      readonly base_url?: string;
    };
    readonly result: {
      readonly mail: MailSettings;
    };
  };
  /** Send a mail now and wait until the mail server has taken it; 409 says why it has not. */
  readonly 'POST /admin/email-test': {
    readonly body: {
      /** Where the test mail goes. */
      readonly address: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** When staff are told that a tap is too warm or a board silent. */
  readonly 'GET /admin/alarms': {
    readonly result: {
      readonly alarms: AlarmSettings;
    };
  };
  /** Change when staff are told. */
  readonly 'PATCH /admin/alarms': {
    readonly body: {
      readonly too_warm_c?: number | null;
      readonly too_warm_minutes?: number;
      readonly silent_minutes?: number;
    };
    readonly result: {
      readonly alarms: AlarmSettings;
    };
  };
  /** What the house can do beside pouring. */
  readonly 'GET /admin/plugins': {
    readonly result: {
      readonly plugins: readonly Plugin[];
    };
  };
  /** Settings of a plugin; the one there is are the webhooks. */
  readonly 'GET /admin/plugins/{short_name}/settings': {
    readonly path: {
      readonly short_name: string;
    };
    readonly result: {
      readonly settings: WebhookSettings;
    };
  };
  /** Set where webhooks go; a secret that is not sent stays, an empty one takes it away. */
  readonly 'PUT /admin/plugins/{short_name}/settings': {
    readonly path: {
      readonly short_name: string;
    };
    readonly body: {
      readonly webhook_urls: string | null;
      readonly secret?: string | null;
    };
    readonly result: {
      readonly settings: WebhookSettings;
    };
  };
  /** What plugins and programs of the house have put by, the newest first. */
  readonly 'GET /plugin-data': {
    readonly query: {
      /** First id to show, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Items on the page; 100 when absent. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly plugin_data: readonly PluginDatum[];
    };
  };
  /** Put a value by; a plugin has each key once. */
  readonly 'POST /plugin-data': {
    readonly body: {
      readonly plugin_name: string;
      readonly key: string;
      readonly value: unknown;
    };
    readonly result: {
      readonly plugin_datum: PluginDatum;
    };
  };
  /** One value that was put by. */
  readonly 'GET /plugin-data/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly plugin_datum: PluginDatum;
    };
  };
  /** Put another value in its place. */
  readonly 'PUT /plugin-data/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly plugin_name: string;
      readonly key: string;
      readonly value: unknown;
    };
    readonly result: {
      readonly plugin_datum: PluginDatum;
    };
  };
  /** Change its plugin, key or value. */
  readonly 'PATCH /plugin-data/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly plugin_name?: string;
      readonly key?: string;
      readonly value?: unknown;
    };
    readonly result: {
      readonly plugin_datum: PluginDatum;
    };
  };
  /** Remove a value. */
  readonly 'DELETE /plugin-data/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Web addresses that hear of every event, in the order they were added. */
  readonly 'GET /admin/webhooks': {
    readonly result: {
      readonly is_signed: boolean;
      readonly webhooks: readonly Webhook[];
    };
  };
  /** Tell every event to one more address; ten at most. */
  readonly 'POST /admin/webhooks': {
    readonly body: {
      /** Web address, http or https. */
      readonly url: string;
    };
    readonly result: {
      readonly webhook: Webhook;
    };
  };
  /** Give it another address, or switch it off or on. */
  readonly 'PATCH /admin/webhooks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Web address, http or https. */
      readonly url?: string;
      readonly is_enabled?: boolean;
    };
    readonly result: {
      readonly webhook: Webhook;
    };
  };
  /** Tell it nothing any more; what waits for it is thrown away. */
  readonly 'DELETE /admin/webhooks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Call it now with the event `test` and wait for its answer; 409 says what is wrong. */
  readonly 'POST /admin/webhooks/{id}/test': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Sign what is sent with a new secret; this answer is the only one that shows it. */
  readonly 'POST /admin/webhook-secret': {
    readonly result: {
      readonly secret: string;
    };
  };
  /** Backups, the newest first, and how the making of them goes. */
  readonly 'GET /admin/backups': {
    readonly result: {
      readonly backups: readonly Backup[];
      readonly state: {
        readonly running: {
          readonly occasion: 'nightly' | 'by_hand';
          /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
          readonly started_time: string;
        } | null;
        readonly problem: string | null;
      };
    };
  };
  /** Begin a backup; beer is counted all the while. */
  readonly 'POST /admin/backups': {
    readonly result: {
      readonly started: true;
    };
  };
  /** Remove a backup. */
  readonly 'DELETE /admin/backups/{name}': {
    readonly path: {
      /** Name of the backup’s file. */
      readonly name: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** What was poured, spilled and held on the last business days, the newest first. */
  readonly 'GET /reports/days': {
    readonly query: {
      /** A date, `YYYY-MM-DD`. */
      readonly last?: string;
      /** How many days. */
      readonly limit?: number;
    };
    readonly result: {
      readonly days: readonly BusinessDay[];
    };
  };
  /** What was poured, spilled and held on one business day, by tap and by keg. */
  readonly 'GET /reports/days/{date}': {
    readonly path: {
      /** A date, `YYYY-MM-DD`. */
      readonly date: string;
    };
    readonly result: {
      readonly day: BusinessDay;
    };
  };
  /** The same of all days from `first` to `last`, at most 92, in one sum and day by day; today where nothing is named. */
  readonly 'GET /reports/span': {
    readonly query: {
      /** A date, `YYYY-MM-DD`. */
      readonly first?: string;
      /** A date, `YYYY-MM-DD`. */
      readonly last?: string;
    };
    readonly result: {
      readonly span: BusinessSpan;
    };
  };
  /** When the business day ends, the currency, and whether a backup is made every night. */
  readonly 'GET /admin/business': {
    readonly result: {
      readonly business: BusinessSettings;
    };
  };
  /** Change when the business day ends, the currency, and whether a backup is made every night. */
  readonly 'PATCH /admin/business': {
    readonly body: {
      /** When the business day ends, by the clocks of the bar: `00:00` to `12:00`. */
      readonly day_ends?: string;
      /** Make a backup when the business day ends. */
      readonly nightly_backups?: boolean;
      /** ISO 4217. */
      readonly currency?: string;
    };
    readonly result: {
      readonly business: BusinessSettings;
    };
  };
  /** What a serving costs at each tap. */
  readonly 'GET /admin/prices': {
    readonly result: {
      readonly currency: string;
      readonly prices: readonly ({
        readonly tap_id: string;
        readonly serving_ml: number | null;
        readonly price: number | null;
      })[];
    };
  };
  /** Say what a serving costs at a tap from now on; null for both takes the price away. */
  readonly 'PUT /admin/prices/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      readonly serving_ml: number | null;
      readonly price: number | null;
    };
    readonly result: {
      readonly price: {
        readonly tap_id: string;
        readonly serving_ml: number | null;
        readonly price: number | null;
      };
    };
  };
  /** Whether the report of each business day is mailed to you. */
  readonly 'GET /admin/report-mail': {
    readonly result: {
      readonly daily_report: boolean;
    };
  };
  /** Ask for the report of each business day by mail, or ask for it no more. */
  readonly 'PUT /admin/report-mail': {
    readonly body: {
      readonly daily_report: boolean;
    };
    readonly result: {
      readonly daily_report: boolean;
    };
  };
  /** How many people there are, and what waits for the staff. */
  readonly 'GET /admin/dashboard': {
    readonly result: {
      /** True when a mail server is set. */
      readonly email_configured: boolean;
      /** Active accounts. */
      readonly num_users: number;
      /** Those of them that joined within 30 days. */
      readonly num_new_users: number;
      readonly num_held_pours: number;
    };
  };
  /** The last lines of the log, the newest first; secrets are struck out. */
  readonly 'GET /admin/logs': {
    readonly query: {
      /** This severity and above. */
      readonly level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
      readonly limit?: number;
    };
    readonly result: {
      readonly logs: readonly ({
        readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
        /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
        readonly time: string;
        readonly msg: string;
        /** What was told beside it, as JSON; may be empty. */
        readonly details: string;
      })[];
    };
  };
  /** A text for whoever mends the program: no names, keys, tokens or addresses are in it. */
  readonly 'GET /admin/bugreport': {
    readonly result: {
      readonly output: string;
    };
  };
}

/** What is fetched as it is: pictures, tables, streams, documents. */
export interface Files {
  /** A picture, at most 1024 pixels long, or a square of 128. */
  readonly 'GET /pictures/{file}': {
    readonly path: {
      /** `<name>-1024.jpg` or `<name>-128.jpg`. */
      readonly file: string;
    };
  };
  /** Taps, pours and drinks as they happen: events `house` and `pour`. */
  readonly 'GET /live': {
  };
  /** This document: OpenAPI 3.1. */
  readonly 'GET /schema': {
    readonly query: {
      readonly format?: 'json' | 'yaml';
    };
  };
  /** The archive itself: ledger and pictures, everybody’s names and addresses in it. */
  readonly 'GET /admin/backups/{name}/download': {
    readonly path: {
      /** Name of the backup’s file. */
      readonly name: string;
    };
  };
  /** Everything of one kind, the oldest first, as CSV or as one JSON object a line. */
  readonly 'GET /admin/export/{file}': {
    readonly path: {
      /** What, and in which form. */
      readonly file: 'drinks.csv' | 'drinks.jsonl' | 'kegs.csv' | 'kegs.jsonl' | 'sessions.csv' | 'sessions.jsonl' | 'temperatures.csv' | 'temperatures.jsonl';
    };
    readonly query: {
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly since?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly until?: string;
    };
  };
  /** The same for a spreadsheet. */
  readonly 'GET /reports/days/{date}/csv': {
    readonly path: {
      /** A date, `YYYY-MM-DD`. */
      readonly date: string;
    };
  };
  /** Its days for a spreadsheet. */
  readonly 'GET /reports/span/csv': {
    readonly query: {
      /** A date, `YYYY-MM-DD`. */
      readonly first?: string;
      /** A date, `YYYY-MM-DD`. */
      readonly last?: string;
    };
  };
  /** The interactive page of this document and of the legacy one. */
  readonly 'GET /docs': {
  };
  /** What the interactive page is made of. */
  readonly 'GET /docs/{file}': {
    readonly path: {
      readonly file: string;
    };
  };
}
