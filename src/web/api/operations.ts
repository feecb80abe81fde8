// Written by `node tools/make-client.mjs` from the routes of the current API. Do not edit.

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
  /** False until the set-up is finished. */
  readonly is_setup: boolean;
  readonly background_image_url: string | null;
  readonly logo_url: string | null;
  /** Name of the bar. */
  readonly title: string;
  /** Who may see the pages: everybody, users with an account, or staff only. */
  readonly privacy: 'public' | 'members' | 'staff';
  /** IANA name such as `Europe/Berlin`: days begin and end in this time zone. */
  readonly timezone: string;
  /** Units for displaying volumes; they are stored in millilitres. */
  readonly volume_display_units: 'metric' | 'imperial';
  /** Units for displaying temperatures; they are stored in degrees Celsius. */
  readonly temperature_display_units: 'c' | 'f';
  /** A session ends when no drink was poured for this long. Affects later drinks. */
  readonly session_timeout_minutes: number;
  /** Remaining share of a keg at which its volume counts as low. Affects later drinks. */
  readonly keg_low_percent: number;
  /** Who may register: everybody, people invited by members, or people invited by staff. */
  readonly registration_mode: 'public' | 'member-invite-only' | 'staff-invite-only';
  /** Show data of meters and thermo sensors. */
  readonly enable_sensing: boolean;
  /** Show who drank what. */
  readonly enable_users: boolean;
  /** Let logged-in users claim an unattributed pour within ten minutes. */
  readonly allow_claims: boolean;
};

export type Failure = {
  readonly error: {
    /** Name of the error, for programs. */
    readonly code: string;
    /** What is wrong and what to do, for users. */
    readonly message: string;
    /** Field name → what is allowed there. */
    readonly fields?: Readonly<Record<string, string>>;
    /** Named reason of the refusal, if there is one, with its parameters. */
    readonly reason?: {
      /** Stable name; new ones may be added. */
      readonly name: string;
    };
    /** Field name → the broken rule, if it has a name. */
    readonly rules?: Readonly<Record<string, {
      /** Stable name; new ones may be added. */
      readonly name: string;
    }>>;
  };
};

export type Backup = {
  /** Name of the backup’s file. */
  readonly backup_name: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
  /** False when the clock was not synchronized at that time. */
  readonly clock_synced: boolean;
  readonly occasion: 'nightly' | 'manual';
  readonly size_bytes: number;
  /** Number of picture files in it. */
  readonly num_media_files: number;
  /** Title of the site. */
  readonly server_name: string;
  readonly server_version: string;
  readonly schema_version: number;
  readonly db_engine: 'sqlite';
  readonly backup_format: number;
  /** Download path, for staff. */
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
  /** Taps are listed in ascending order. */
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
  /** Name of the style; empty when unknown. */
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
  /** Number of items in the whole list. With several filters, counted among the newest 2 000 matches of the most selective one. */
  readonly total: number;
  readonly limit: number;
  /** The requested `start`, else 0. */
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
  /** Comment of the drinker. */
  readonly shout?: string;
  /** Why the pour is held for review. */
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
  /** Why it waits for review. */
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
  readonly source: 'pin' | 'serial' | 'device' | 'post' | 'manual';
  readonly ticks_lost: number | null;
  /** Edges rejected as bounce. */
  readonly rejected_edges: number;
  /** When the ticks were counted, relative to the first one; empty when unknown. */
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
    /** Fraction: 0.02 is 2 %. */
    readonly deviation: number;
    /** True when it deviates from the others more than they from each other. */
    readonly is_outlier: boolean;
  }[];
};

export type CalibrationPreview = {
  /** Identifier, a positive whole number. */
  readonly flow_meter_id: number;
  readonly ticks_per_ml_before: number;
  readonly ticks_per_ml: number;
  readonly keg: Keg | null;
  /** Number of drinks whose volume changes. */
  readonly drink_count: number;
  /** Volume in millilitres. */
  readonly volume_ml_before: number;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  /** The newest 100 of these drinks. */
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
  /** Number of drinks whose volume changes. */
  readonly drink_count: number;
  /** Volume in millilitres. */
  readonly volume_ml_before: number;
  /** Volume in millilitres. */
  readonly volume_ml: number;
  /** The newest 100 of these drinks. */
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
  /** How: `tablet` is by PIN on the shared tablet named in `tablet`; `daemon` is the daemon itself. */
  readonly via: 'page' | 'key' | 'tablet' | 'console' | 'daemon';
  readonly tablet: string | null;
  /** Such as `drink.cancelled`. */
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** True for a correction of drinks that is not undone yet. */
  readonly can_undo: boolean;
  readonly undone_by: number | null;
};

export type NewTap = {
  readonly name: string;
  readonly notes?: string | null;
  /** Taps are listed in ascending order. */
  readonly sort_order?: number;
};

export type TapChange = {
  readonly name?: string;
  readonly notes?: string | null;
  /** Taps are listed in ascending order. */
  readonly sort_order?: number;
};

export type NewKeg = {
  readonly beverage_id?: number | string | null;
  readonly beverage_name?: string | null;
  readonly producer_name?: string | null;
  readonly style_name?: string | null;
  readonly beverage_type?: 'beer' | 'wine' | 'soda' | 'kombucha' | 'other';
  /** Key of its size, see `/api/keg-sizes`; default `half-barrel`. */
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
  /** Short name such as `half-barrel`. */
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
  /** `#rgb` or `#rrggbb`; amber by default. */
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
  /** `#rgb` or `#rrggbb`; amber by default. */
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
  /** ISO 3166, three letters; default `USA`. */
  readonly country?: string;
  readonly origin_state?: string | null;
  readonly origin_city?: string | null;
  readonly is_homebrew?: boolean;
  readonly url?: string | null;
  readonly description?: string | null;
};

export type ProducerChange = {
  readonly name?: string;
  /** ISO 3166, three letters; default `USA`. */
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
  /** In the order of first drinks; the newest 100. */
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
  /** Millilitres by the weekday on which the session began, in the site’s time zone at that time; 0 is Sunday. */
  readonly volume_by_day_of_week: Readonly<Record<string, number>>;
  /** Millilitres by the year of the pour, in UTC. */
  readonly volume_by_year: Readonly<Record<string, number>>;
  /** Usernames in the order of first drinks, `guest` for drinks without a user; the 100 who drank last. */
  readonly registered_drinkers: readonly string[];
  /** Millilitres by username, for the same 100. */
  readonly volume_by_drinker: Readonly<Record<string, number>>;
  /** Millilitres by session, for the newest 100. */
  readonly volume_by_session: Readonly<Record<string, number>>;
  readonly sessions_count: number;
  /** True when there are drinks without a user. */
  readonly has_guest_pour: boolean;
  /** Its volume includes the drinks of everybody. */
  readonly largest_session: {
    /** Identifier, a positive whole number. */
    readonly session_id: number;
    /** Volume in millilitres. */
    readonly volume_ml: number;
  };
};

export type PagingNext = {
  /** Number of items in the whole list. With several filters, counted among the newest 2 000 matches of the most selective one. */
  readonly total: number;
  readonly limit: number;
  /** The requested `start`, else 0. */
  readonly pos: number;
  readonly next: number | null;
};

export type ApiKey = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Username of its owner. */
  readonly user_id: string;
  /** The first eight digits, to tell keys apart. */
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
  /** How the login was opened. */
  readonly by: 'password' | 'registration' | 'activation' | 'setup';
  /** User-Agent of the browser; may be empty. */
  readonly user_agent: string;
  /** True for the login of this request. */
  readonly is_this: boolean;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly last_used_time: string;
};

export type Invitation = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** Address it was mailed to, or whom its link is for. The code is not shown here. */
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
  /** Display name; may be empty. */
  readonly nice_name: string;
  /** True when it has a PIN; the PIN is never shown. */
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
  /** Hexadecimal values of `core.rfid` and `core.onewire` are stored in lower case. */
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
  /** Hexadecimal values of `core.rfid` and `core.onewire` are stored in lower case. */
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
  /** False while the default calibration factor is used. */
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
  /** Unique, without a dot: it is the first part of its meters’ names. */
  readonly name: string;
  readonly model_name?: string | null;
  readonly serial_number?: string | null;
};

export type ControllerChange = {
  /** Unique, without a dot: it is the first part of its meters’ names. */
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
  /** A new meter without it gets the default, marked as uncalibrated. */
  readonly ticks_per_ml?: number;
};

export type FlowMeterReplacement = {
  /** Such as `flow0` or `relay0`. */
  readonly port_name: string;
  /** A new meter without it gets the default, marked as uncalibrated. */
  readonly ticks_per_ml?: number;
};

export type FlowMeterChange = {
  /** Such as `flow0` or `relay0`. */
  readonly port_name?: string;
  /** A new meter without it gets the default, marked as uncalibrated. */
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
  /** Name given by the bus or by the client that posts its readings. */
  readonly name: string;
  /** Display name; may be empty. */
  readonly nice_name: string;
  readonly last_temp: number | null;
  readonly last_time: string | null;
};

export type ThermoSensor = {
  /** Identifier, as text. */
  readonly id: string;
  /** Name given by the bus or by the client that posts its readings. */
  readonly name: string;
  /** Display name; may be empty. */
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
  /** Number of readings. */
  readonly readings: number;
};

export type ThermoSensorFields = {
  readonly raw_name?: string;
  readonly name?: string;
  readonly nice_name?: string | null;
};

export type Kegboard = {
  /** Name the kegboard reports for itself. */
  readonly device: string;
  readonly state: 'pending' | 'allowed' | 'paired' | 'denied';
  /** True when it reported within the last 2.5 heartbeat intervals. */
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
  /** Number of its pours that were refused and stored for review. */
  readonly refused_pours: number;
};

export type UnknownToken = {
  readonly auth_device: string;
  readonly token_value: string;
  /** Device to which it was last presented. */
  readonly device: string;
  readonly times: number;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly last_seen: string;
};

export type Grant = {
  readonly id: string;
  /** Ascending number; `start` of a page refers to it. */
  readonly serial: number;
  /** Controller to which the token was presented. */
  readonly controller: string;
  readonly user: string | null;
  readonly auth_device: string;
  readonly token_value: string;
  /** True while it opens a valve of this machine; kegboards report only ends. */
  readonly open: boolean;
  readonly granted_time: string | null;
  readonly ended_time: string | null;
  readonly ended_reason: string | null;
  readonly volume_ml: number | null;
  readonly taps: readonly string[];
};

export type OpenValve = {
  readonly flow_toggle: FlowToggle;
  /** It closes after this time at the latest. */
  readonly seconds_left: number;
  readonly grant_id: string | null;
  readonly manual: boolean;
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
  /** Stable name of the topic: `bounce`, `echo`, `never` … */
  readonly topic: string;
  readonly verdict: 'ok' | 'warn' | 'fail' | 'unknown';
  readonly text: string;
  /** What to do. */
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
  /** Ticks counted since the start. */
  readonly ticks: number;
  /** Edges rejected as bounce since the start. */
  readonly refused: number;
  readonly lost: number | null;
  /** Pattern of the edges in the last ten seconds; `stray`: irregular. */
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
  /** The channel. Mail is the only one, under the name that existing clients use. */
  readonly backend: string;
  readonly keg_tapped: boolean;
  readonly session_started: boolean;
  readonly keg_volume_low: boolean;
  readonly keg_ended: boolean;
  /** A tap’s temperature was above the alarm limit for the configured time. Staff only. */
  readonly too_warm: boolean;
  /** A controller has not reported for the configured time. Staff only. */
  readonly controller_silent: boolean;
  /** Problems with disk, power, counting or backups. Staff only. */
  readonly system_problem: boolean;
};

export type OutboxMessage = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** `mail` or `webhook`. */
  readonly kind: string;
  /** Kind of event, or name of the mail template. */
  readonly topic: string;
  /** A URL, an e-mail address or a username. */
  readonly recipient: string;
  /** `skipped`: the recipient no longer exists; `dead`: given up after the last retry. */
  readonly state: 'waiting' | 'sent' | 'skipped' | 'dead';
  readonly attempts: number;
  readonly last_error: string | null;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_time: string;
};

export type Upstream = {
  /** `off`: no server is configured; `pending`: the server has not allowed this site yet. */
  readonly state: 'off' | 'starting' | 'pending' | 'denied' | 'connected' | 'trouble';
  readonly problem: string | null;
  readonly host: string | null;
  readonly device: string | null;
  readonly last_answer_time: string | null;
  /** Number of reports not sent yet. */
  readonly waiting: number;
  /** Number of reports the server refused. */
  readonly set_aside: number;
  /** Total of temperatures dropped in outages; pours are never dropped. */
  readonly events_dropped: number;
  readonly flow_meters: readonly {
    readonly name: string;
    /** Number of the meter at the server: `flow<number>`. */
    readonly number: number;
  }[];
};

export type UpstreamReport = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  readonly type: 'pour' | 'temperature';
  /** As in the device event protocol. */
  readonly data: Readonly<Record<string, unknown>>;
  /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly time: string;
  /** Answer of the server. */
  readonly refusal: string;
};

export type MailSettings = {
  /** Name or address of the mail server; empty: no mail is sent. */
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte (port 465), `starttls` before login (port 587), or `none`. */
  readonly security: 'none' | 'starttls' | 'tls';
  /** Empty: no login at the mail server. */
  readonly username: string;
  /** True when a password is set; it is never shown. */
  readonly has_password: boolean;
  /** Sender address. */
  readonly from_address: string;
  /** Start of links in mails, such as `http://bar.example`; empty: mails contain no links. */
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
  /** Empty for a built-in plugin. */
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
  /** Any JSON of up to 16 384 characters. */
  readonly value: unknown;
};

export type Webhook = {
  /** Identifier, a positive whole number. */
  readonly id: number;
  /** URL, http or https. */
  readonly url: string;
  /** False: no events are sent to it. */
  readonly is_enabled: boolean;
  readonly num_waiting: number;
  /** Messages that were given up; see `/admin/outbox`. */
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
  /** Pours held for review; included in no other number. */
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
    /** Pours held for review; included in no other number. */
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
    /** Pours held for review; included in no other number. */
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
  /** Pours held for review; included in no other number. */
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
    /** Pours held for review; included in no other number. */
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
    /** Pours held for review; included in no other number. */
    readonly held: number;
    /** Volume in millilitres. */
    readonly held_ml: number;
    readonly revenue: number | null;
  })[];
  /** Oldest first. */
  readonly days: readonly ({
    /** A date, `YYYY-MM-DD`. */
    readonly date: string;
    readonly drinks: number;
    /** Volume in millilitres. */
    readonly poured_ml: number;
    readonly spills: number;
    /** Volume in millilitres. */
    readonly spilled_ml: number;
    /** Pours held for review; included in no other number. */
    readonly held: number;
    /** Volume in millilitres. */
    readonly held_ml: number;
    readonly revenue: number | null;
  })[];
};

export type BusinessSettings = {
  /** When the business day ends, in the site’s time zone: `00:00` to `12:00`. */
  readonly day_ends: string;
  /** Whether a backup is made when the business day ends. */
  readonly nightly_backups: boolean;
  /** ISO 4217. */
  readonly currency: string;
};

/** Operations with a JSON answer. */
export interface Operations {
  /** What a page needs first: the requester’s own user and the site. */
  readonly 'GET /users/me': {
    readonly result: {
      readonly user: CurrentUser | null;
      readonly tablet: {
        /** Present when this browser is a shared tablet. */
        readonly name: string;
      } | null;
      readonly site: Site;
      /** Whether the requester may invite others and mail can be sent. */
      readonly can_invite: boolean;
      /** Whether a password can be reset by mail. */
      readonly sends_mail: boolean;
      /** True once there is a session. */
      readonly have_sessions: boolean;
      readonly sso_login_url: string | null;
      readonly sso_logout_url: string | null;
      readonly plugins: readonly {
        readonly short_name: string;
        readonly name: string;
      }[];
    };
  };
  /** Log in by name and password. Sets the cookie `sessionid`. */
  readonly 'POST /auth/login': {
    readonly body: {
      /** Username. */
      readonly username: string;
      /** The password. */
      readonly password: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Log out in this browser. */
  readonly 'POST /auth/logout': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** Create an account and log in. `registration_mode` of the site says who may. */
  readonly 'POST /auth/register': {
    readonly body: {
      /** Letters, digits and _ . @ + - */
      readonly username: string;
      readonly email: string;
      /** At least 8 characters. */
      readonly password: string;
      /** From the invitation, when one is required. */
      readonly invite_code?: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Set the first password of an account created by staff, and log in. */
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
  /** Get what is left to set up. */
  readonly 'GET /setup/status': {
    readonly result: {
      readonly need_setup: boolean;
      /** Always false: the database is upgraded at the start. */
      readonly need_upgrade: boolean;
      readonly installed_version: string | null;
      readonly current_version: string;
      /** True once there is a staff account. */
      readonly has_admin: boolean;
    };
  };
  /** Does nothing: the database is upgraded at the start. */
  readonly 'POST /setup/migrate': {
    readonly body: {
      /** Set-up code shown on the console of this machine and in its journal. */
      readonly code: string;
    };
    readonly result: {
      readonly output: string;
    };
  };
  /** Store the first site settings, and create a first tap when there is none. */
  readonly 'POST /setup/settings': {
    readonly body: {
      /** Set-up code shown on the console of this machine and in its journal. */
      readonly code: string;
      /** Name of the bar. */
      readonly title?: string;
      /** Who may see the pages: everybody, users with an account, or staff only. */
      readonly privacy?: 'public' | 'members' | 'staff';
      /** IANA name such as `Europe/Berlin`: days begin and end in this time zone. */
      readonly timezone?: string;
      /** Units for displaying volumes; they are stored in millilitres. */
      readonly volume_display_units?: 'metric' | 'imperial';
      /** Units for displaying temperatures; they are stored in degrees Celsius. */
      readonly temperature_display_units?: 'c' | 'f';
      /** A session ends when no drink was poured for this long. Affects later drinks. */
      readonly session_timeout_minutes?: number;
      /** Remaining share of a keg at which its volume counts as low. Affects later drinks. */
      readonly keg_low_percent?: number;
      /** Who may register: everybody, people invited by members, or people invited by staff. */
      readonly registration_mode?: 'public' | 'member-invite-only' | 'staff-invite-only';
      /** Show data of meters and thermo sensors. */
      readonly enable_sensing?: boolean;
      /** Show who drank what. */
      readonly enable_users?: boolean;
      /** Let logged-in users claim an unattributed pour within ten minutes. */
      readonly allow_claims?: boolean;
    };
    readonly result: {
      readonly site: Site;
    };
  };
  /** Create the first superuser account and log it in. */
  readonly 'POST /setup/admin-user': {
    readonly body: {
      /** Set-up code shown on the console of this machine and in its journal. */
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
  /** Finish the set-up. The code is invalid from then on. */
  readonly 'POST /setup/finish': {
    readonly body: {
      /** Set-up code shown on the console of this machine and in its journal. */
      readonly code: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Always refused: the database is upgraded at the start. */
  readonly 'POST /setup/upgrade': {
    readonly body: {
      /** Set-up code shown on the console of this machine and in its journal. */
      readonly code: string;
    };
    readonly result: {
      readonly output: string;
    };
  };
  /** List backups on this machine and its USB stick, newest first. Requires the set-up code. */
  readonly 'POST /setup/backups': {
    readonly body: {
      /** Set-up code shown on the console. */
      readonly code: string;
    };
    readonly result: {
      readonly backups: readonly Backup[];
      /** Largest file that can be uploaded now. */
      readonly most_bytes: number;
    };
  };
  /** Restore a backup: one stored on this machine, or an uploaded file of up to 4 GiB, sent after the code. */
  readonly 'POST /setup/restore': {
    readonly body: FormData;
    readonly result: {
      /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
      readonly created_time: string;
      /** True when its totals should be checked with `tapster doctor`. */
      readonly is_doubtful: boolean;
    };
  };
  /** Overview: taps in their order, the running session and the newest events. */
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
  /** List drinks, newest first. */
  readonly 'GET /drinks': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Only those of this user, by username. */
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
      /** False lists the pours held for review, for staff only. Default true. */
      readonly is_valid?: boolean;
    };
    readonly result: {
      readonly paging: Paging;
      readonly drinks: readonly Drink[];
    };
  };
  /** Get a drink with its keg, user, session and picture. */
  readonly 'GET /drinks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** Change a drink: the shout by its drinker or staff, the volume by staff only. */
  readonly 'PATCH /drinks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** The drinker’s comment; empty removes it. */
      readonly shout?: string;
      /** Volume in millilitres. */
      readonly volume_ml?: number;
    };
    readonly result: DrinkDetail;
  };
  /** Cancel a drink: keg, session and totals are reduced. Can be undone. */
  readonly 'DELETE /drinks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly query: {
      /** True: the volume is added to the keg’s spilled volume. */
      readonly spilled?: boolean;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Assign a drink to another user, or to nobody. */
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
  /** Claim a drink without a user as your own, within ten minutes of the pour, where claims are allowed. */
  readonly 'POST /drinks/{id}/claim': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** Withdraw your own claim, within ten minutes of the pour. */
  readonly 'DELETE /drinks/{id}/claim': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** Split a drink in two: a part, given by volume or ticks, becomes a new drink. */
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
  /** Join another drink of the same keg and session into this one, which keeps its drinker. */
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
  /** Move a drink to another keg, to no keg, or to a tap and its current keg. */
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
  /** Undo the latest correction of a drink; a cancelled drink is restored. */
  readonly 'POST /drinks/{id}/undo': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: MaybeDrinkDetail;
  };
  /** Undo a correction by its id in the audit log. */
  readonly 'POST /corrections/{id}/undo': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List drinks without a user that you may still claim, newest first. Empty when claims are not allowed. */
  readonly 'GET /claims': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly claims: readonly Claimable[];
      readonly next: number | null;
    };
  };
  /** Set the picture of a drink, as its drinker or staff. The previous picture is deleted. */
  readonly 'POST /drinks/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: FormData;
    readonly result: DrinkDetail;
  };
  /** Delete the picture of a drink for good, as its drinker or staff. */
  readonly 'DELETE /drinks/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List pours held for review, newest first. */
  readonly 'GET /held-pours': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly held_pours: readonly HeldPour[];
    };
  };
  /** Record a held pour as a drink on any tap, keg and user. Fields left out take the suggested values. */
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
  /** Discard a held pour. Can be undone. */
  readonly 'POST /held-pours/{id}/discard': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Undo the review of a pour: it is held again. */
  readonly 'POST /held-pours/{id}/undo': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: DrinkDetail;
  };
  /** List a meter’s recent pours, newest first, held pours included. */
  readonly 'GET /flow-meters/{id}/pours': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly pours: readonly MeteredPour[];
    };
  };
  /** Estimate the calibration factor from pours measured by volume or by weight. Changes nothing. */
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
        /** Final gravity of the beer relative to water at 20 °C. */
        readonly final_gravity?: number;
        /** Temperature of the beer in the meter. */
        readonly temp_c?: number;
      }[];
    };
    readonly result: CalibrationEstimate;
  };
  /** Preview how a calibration would change a keg’s past drinks. Changes nothing. */
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
  /** Calibrate a meter. With `apply_to_keg`, volumes of past drinks computed from ticks are recomputed; one correction undoes all of it. */
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
  /** List the audit log, newest first. */
  readonly 'GET /audit': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Only those of this user, by username. */
      readonly user?: string;
      readonly action?: string;
      /** Requires `subject_id`: entries about this one thing. */
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
  /** List taps with their kegs and beverages. */
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
  /** Create a tap. */
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
  /** Get a tap by its id or its meter’s name. */
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
  /** Change name, notes or sort order of a tap. Fields left out keep their values. */
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
  /** Change name, notes or sort order of a tap. Fields left out keep their values. */
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
  /** Delete a tap. Refused while a keg is on it; its meter and toggle become free, its drinks stay. */
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
  /** End the keg on a tap. */
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
  /** Set what comes next on a tap: an available keg, or a beverage without a keg yet. */
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
  /** Delete what comes next on a tap. */
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
  /** Connect a flow meter to a tap, from another tap if needed; null disconnects it. */
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
  /** Connect a flow toggle to a tap, from another tap if needed; null disconnects it. */
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
  /** Connect a thermo sensor to a tap; several taps may share one; null disconnects it. */
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
  /** Record a drink or a spill by hand. A repeated `Idempotency-Key` records nothing. */
  readonly 'POST /taps/{ref}/record-drink': {
    readonly path: {
      /** A tap, by its id or by the full name of its meter such as `pi.flow0`. */
      readonly ref: string;
    };
    readonly body: {
      /** Volume in millilitres. */
      readonly volume_ml: number;
      /** Who drank it; empty or `guest` means nobody. */
      readonly username?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly pour_time?: string;
      /** Seconds from the first tick to the last. */
      readonly duration?: number;
      readonly shout?: string;
      /** True: records a spill of the keg instead of a drink. */
      readonly spilled?: boolean;
    };
    readonly result: MaybeDrinkDetail;
  };
  /** List kegs, newest first. */
  readonly 'GET /kegs': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      readonly status?: 'online' | 'offline' | 'available' | 'on_tap' | 'finished';
      readonly state?: 'available' | 'on_tap' | 'finished';
    };
    readonly result: {
      readonly paging: Paging;
      readonly kegs: readonly Keg[];
    };
  };
  /** Create a keg that is on no tap. */
  readonly 'POST /kegs': {
    readonly body: NewKeg;
    readonly result: {
      readonly keg: Keg;
      readonly type: BeerType | null;
      readonly size: KegSize | null;
    };
  };
  /** Get a keg with its beverage, size and newest drinks. */
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
  /** Change a keg’s size, volume, description or notes. Fields left out keep their values; a new size does not change the volume. */
  readonly 'PUT /kegs/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Key of its size, see `/api/keg-sizes`; default `half-barrel`. */
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
  /** Change a keg’s size, volume, description or notes. Fields left out keep their values; a new size does not change the volume. */
  readonly 'PATCH /kegs/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Key of its size, see `/api/keg-sizes`; default `half-barrel`. */
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
  /** Delete a keg. Refused while it is on a tap or when it has drinks or spills. */
  readonly 'DELETE /kegs/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List drinks poured from a keg, newest first. */
  readonly 'GET /kegs/{id}/drinks': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly drinks: readonly Drink[];
    };
  };
  /** List sessions with drinks from a keg, newest first. */
  readonly 'GET /kegs/{id}/sessions': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly sessions: readonly Session[];
    };
  };
  /** End a keg that is on no tap. */
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
  /** Make a finished keg available again. */
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
  /** Record a spill: adds to the keg’s spilled volume, without a drink or an event. */
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
  /** List keg sizes. */
  readonly 'GET /keg-sizes': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly keg_sizes: readonly KegSize[];
    };
  };
  /** List beverages, newest first. */
  readonly 'GET /beverages': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly beverages: readonly BeerType[];
    };
  };
  /** Create a beverage. */
  readonly 'POST /beverages': {
    readonly body: NewBeverage;
    readonly result: {
      readonly beverage: BeerType;
    };
  };
  /** Get a beverage. */
  readonly 'GET /beverages/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly beverage: BeerType;
    };
  };
  /** Change a beverage. Fields left out keep their values. */
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
  /** Change a beverage. Fields left out keep their values. */
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
  /** Delete a beverage. Refused while any keg contains it, finished kegs included. */
  readonly 'DELETE /beverages/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List beverage producers, newest first. */
  readonly 'GET /beverage-producers': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly beverage_producers: readonly Producer[];
    };
  };
  /** Create a beverage producer. */
  readonly 'POST /beverage-producers': {
    readonly body: NewProducer;
    readonly result: {
      readonly beverage_producer: Producer;
    };
  };
  /** Get a beverage producer. */
  readonly 'GET /beverage-producers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly beverage_producer: Producer;
    };
  };
  /** Change a beverage producer. Fields left out keep their values. */
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
  /** Change a beverage producer. Fields left out keep their values. */
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
  /** Delete a beverage producer. Refused while it has beverages. */
  readonly 'DELETE /beverage-producers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Set the picture of a beverage. Replaces the previous one. */
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
  /** Delete the picture. Succeeds when there is none. */
  readonly 'DELETE /beverages/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Set the picture of a producer. Replaces the previous one. */
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
  /** Delete the picture. Succeeds when there is none. */
  readonly 'DELETE /beverage-producers/{id}/picture': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List sessions, newest first, optionally by the day they began in the site’s time zone. */
  readonly 'GET /sessions': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Only sessions that began in this year. */
      readonly year?: number;
      /** Requires `year`. */
      readonly month?: number;
      /** Ignored without `month`. */
      readonly day?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly sessions: readonly Session[];
    };
  };
  /** Get the running session. */
  readonly 'GET /sessions/current': {
    readonly result: {
      readonly session: Session;
    };
  };
  /** List the days on which sessions began, newest first, in the time zone that the site had then. */
  readonly 'GET /sessions/directory': {
    readonly result: {
      readonly years: readonly {
        readonly year: number;
        /** Number of sessions that began then. */
        readonly count: number;
        readonly months: readonly {
          readonly month: number;
          /** Number of sessions that began then. */
          readonly count: number;
          readonly days: readonly {
            readonly day: number;
            /** Number of sessions that began then. */
            readonly count: number;
          }[];
        }[];
      }[];
    };
  };
  /** Get a session. */
  readonly 'GET /sessions/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly session: Session;
    };
  };
  /** List events, newest first. With `since` and `wait`, a long poll for new ones. */
  readonly 'GET /events': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Only events with a greater id. */
      readonly since?: number;
      /** With `since`: seconds to wait for a new event when there is none yet. The answer may come earlier. */
      readonly wait?: number;
      readonly kind?: 'keg_tapped' | 'keg_ended' | 'session_started' | 'session_joined' | 'drink_poured' | 'keg_volume_low';
      /** Only those of this user, by username. */
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
  /** Get an event. */
  readonly 'GET /events/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly event: Event;
    };
  };
  /** Get the statistics of all drinks. */
  readonly 'GET /stats': {
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** Get the statistics of all drinks. */
  readonly 'GET /stats/system': {
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** Get the statistics of a user’s drinks. */
  readonly 'GET /users/{username}/stats': {
    readonly path: {
      /** The user’s name. */
      readonly username: string;
    };
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** Get the statistics of a keg’s drinks. */
  readonly 'GET /kegs/{id}/stats': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** Get the statistics of a session’s drinks. */
  readonly 'GET /sessions/{id}/stats': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly stats: Statistics;
    };
  };
  /** List users, newest first. */
  readonly 'GET /users': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      readonly is_active?: boolean;
      readonly is_staff?: boolean;
      /** Part of the username or the display name. */
      readonly search?: string;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly users: readonly User[];
    };
  };
  /** Create a user. */
  readonly 'POST /users': {
    readonly body: {
      /** Letters, digits and _ . @ + - */
      readonly username: string;
      /** At least 8 characters. Without one, a link to choose it is mailed to the user if possible; until a password is set, nobody can log in to the account, and it can only pour by token. */
      readonly password?: string;
      /** Empty for none. Shown to its owner only. */
      readonly email?: string;
      /** Empty: the username is shown. */
      readonly display_name?: string;
      readonly is_staff?: boolean;
    };
    readonly result: {
      readonly user: User;
      /** Whether a link to choose the first password was mailed. False for a user with a password or without an e-mail address, and when no mail server is set or the site’s own address is unknown. */
      readonly activation_sent: boolean;
    };
  };
  /** Get a user. */
  readonly 'GET /users/{username}': {
    readonly path: {
      /** Username. */
      readonly username: string;
    };
    readonly result: {
      readonly user: User;
    };
  };
  /** Change a user, or deactivate it. Users cannot be deleted. */
  readonly 'PATCH /users/{username}': {
    readonly path: {
      /** Username. */
      readonly username: string;
    };
    readonly body: {
      /** Empty for none. Shown to its owner only. */
      readonly email?: string;
      /** Empty: the username is shown. */
      readonly display_name?: string;
      readonly is_staff?: boolean;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly user: User;
    };
  };
  /** List a user’s drinks, newest first. */
  readonly 'GET /users/{username}/drinks': {
    readonly path: {
      /** Username. */
      readonly username: string;
    };
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly drinks: readonly Drink[];
    };
  };
  /** Get whether a user has a password and an e-mail address, and when they were last seen. */
  readonly 'GET /users/{username}/state': {
    readonly path: {
      /** Username. */
      readonly username: string;
    };
    readonly result: {
      readonly has_password: boolean;
      /** True when an e-mail address is set; only its owner can read it. */
      readonly has_email: boolean;
      readonly last_seen_time: string | null;
    };
  };
  /** Set the password of a user. Ends all their logins. */
  readonly 'POST /users/{username}/set-password': {
    readonly path: {
      /** Username. */
      readonly username: string;
    };
    readonly body: {
      /** At least 8 characters. */
      readonly password: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Mail the link for the first password again, to a user without a password. The previous link stops working. */
  readonly 'POST /users/{username}/send-activation': {
    readonly path: {
      /** Username. */
      readonly username: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Change your own password. Ends your other logins. */
  readonly 'POST /account/password': {
    readonly body: {
      /** The password. */
      readonly current_password: string;
      /** At least 8 characters. */
      readonly new_password: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Set your own picture, sent as the file `image`. */
  readonly 'POST /account/mugshot': {
    readonly body: FormData;
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Delete your own picture. */
  readonly 'DELETE /account/mugshot': {
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** Replace your only API key with a new one, or create the first. */
  readonly 'POST /account/regenerate-api-key': {
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** List your own API keys, newest first. */
  readonly 'GET /api-keys': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly api_keys: readonly ApiKey[];
    };
  };
  /** Create an API key of your own. Only this answer shows the key. */
  readonly 'POST /api-keys': {
    readonly body: {
      /** What the key is used for. */
      readonly description?: string;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** Get one of your own API keys. */
  readonly 'GET /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** Change the description of one of your own API keys, or switch it on or off. */
  readonly 'PUT /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** What the key is used for. */
      readonly description?: string;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** Change the description of one of your own API keys, or switch it on or off. */
  readonly 'PATCH /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** What the key is used for. */
      readonly description?: string;
      readonly is_active?: boolean;
    };
    readonly result: {
      readonly api_key: ApiKey;
    };
  };
  /** Delete one of your own API keys. Requests with it are refused from then on. */
  readonly 'DELETE /api-keys/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Mail a password reset link to every account with this address. The answer is the same whether or not one exists. */
  readonly 'POST /auth/password-reset': {
    readonly body: {
      readonly email: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Set a new password with the link in the mail, once and within three days. Ends all logins of the account. */
  readonly 'POST /auth/password-reset-confirm': {
    readonly body: {
      /** User id: the part of the link before the first hyphen. */
      readonly uid: string;
      /** From the link in the mail. */
      readonly token: string;
      /** At least 8 characters. */
      readonly new_password: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Mail a confirmation link to your new e-mail address. The address changes when the link is used within a day. */
  readonly 'POST /account/email': {
    readonly body: {
      readonly email: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Confirm your new e-mail address with the link that was mailed to it. */
  readonly 'POST /account/confirm-email': {
    readonly body: {
      /** From the link in the mail. */
      readonly token: string;
    };
    readonly result: {
      readonly user: CurrentUser;
    };
  };
  /** List shared tablets, newest first. */
  readonly 'GET /tablets': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly tablets: readonly Tablet[];
    };
  };
  /** Enrol this browser as a shared tablet. Sets its cookie and ends the current login. */
  readonly 'POST /tablets': {
    readonly body: {
      /** Name in the audit log. */
      readonly name: string;
    };
    readonly result: {
      readonly tablet: Tablet;
    };
  };
  /** Rename a shared tablet. */
  readonly 'PATCH /tablets/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** Name in the audit log. */
      readonly name: string;
    };
    readonly result: {
      readonly tablet: Tablet;
    };
  };
  /** Delete a shared tablet. Its cookie stops working. */
  readonly 'DELETE /tablets/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List the staff who have a PIN for this shared tablet, by name. */
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
      /** Owner of the PIN. */
      readonly username: string;
      /** The PIN as typed. */
      readonly pin: string;
    };
    readonly result: {
      /** Valid on this tablet only; shown only here. */
      readonly pin_unlock: string;
      /** How long it lasts. */
      readonly seconds: number;
      readonly username: string;
      readonly display_name: string;
      /** Wrong PINs for this name since the last correct one. */
      readonly wrong_before: number;
    };
  };
  /** End the PIN unlock of this shared tablet before its time. */
  readonly 'DELETE /tablet/pin-unlock': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** Get whether you have a PIN for shared tablets. */
  readonly 'GET /account/pin': {
    readonly result: {
      readonly is_set: boolean;
      /** True after too many wrong PINs, until its owner logs in by password. */
      readonly is_locked: boolean;
    };
  };
  /** Set your own PIN for shared tablets. Requires your password. */
  readonly 'POST /account/pin': {
    readonly body: {
      /** The password. */
      readonly current_password: string;
      /** 4 to 8 digits. */
      readonly pin: string;
    };
    readonly result: {
      readonly is_set: boolean;
      /** True after too many wrong PINs, until its owner logs in by password. */
      readonly is_locked: boolean;
    };
  };
  /** Delete your own PIN. */
  readonly 'DELETE /account/pin': {
    readonly result: {
      readonly is_set: boolean;
      /** True after too many wrong PINs, until its owner logs in by password. */
      readonly is_locked: boolean;
    };
  };
  /** List your own logins, newest first. */
  readonly 'GET /account/logins': {
    readonly result: {
      readonly logins: readonly Login[];
    };
  };
  /** End one of your own logins. */
  readonly 'DELETE /account/logins/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List your own unused invitations, newest first. */
  readonly 'GET /invitations': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly invitations: readonly Invitation[];
    };
  };
  /** Create an invitation, sent by mail or returned as a link. Valid for one day by default. */
  readonly 'POST /invitations': {
    readonly body: {
      /** Required when it is mailed. */
      readonly for_email?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly expires_date?: string;
      /** False: nothing is mailed, and the answer contains the link. */
      readonly by_mail?: boolean;
    };
    readonly result: {
      readonly invitation: Invitation;
      readonly link: string | null;
    };
  };
  /** Get one of your own invitations. */
  readonly 'GET /invitations/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly invitation: Invitation;
    };
  };
  /** Delete one of your own invitations. Its link stops working. */
  readonly 'DELETE /invitations/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Get the site settings. */
  readonly 'GET /site': {
    readonly result: {
      readonly site: Site;
    };
  };
  /** Change site settings. If one value is invalid, none is changed. */
  readonly 'PATCH /site': {
    readonly body: {
      /** Name of the bar. */
      readonly title?: string;
      /** Who may see the pages: everybody, users with an account, or staff only. */
      readonly privacy?: 'public' | 'members' | 'staff';
      /** IANA name such as `Europe/Berlin`: days begin and end in this time zone. */
      readonly timezone?: string;
      /** Units for displaying volumes; they are stored in millilitres. */
      readonly volume_display_units?: 'metric' | 'imperial';
      /** Units for displaying temperatures; they are stored in degrees Celsius. */
      readonly temperature_display_units?: 'c' | 'f';
      /** A session ends when no drink was poured for this long. Affects later drinks. */
      readonly session_timeout_minutes?: number;
      /** Remaining share of a keg at which its volume counts as low. Affects later drinks. */
      readonly keg_low_percent?: number;
      /** Who may register: everybody, people invited by members, or people invited by staff. */
      readonly registration_mode?: 'public' | 'member-invite-only' | 'staff-invite-only';
      /** Show data of meters and thermo sensors. */
      readonly enable_sensing?: boolean;
      /** Show who drank what. */
      readonly enable_users?: boolean;
      /** Let logged-in users claim an unattributed pour within ten minutes. */
      readonly allow_claims?: boolean;
      /** The mail server as one URL: `submission://user:password@host:587/?_default_from_email=a@b`, `smtp://…` or `smtps://…`; `console:` for none. Without a password, the stored one of the same server and user is kept. Read it with `GET /api/admin/mail`. */
      readonly email_config?: string;
    };
    readonly result: {
      readonly site: Site;
    };
  };
  /** Set the background picture of the pages, sent as the file `image`. */
  readonly 'POST /site/background-image': {
    readonly body: FormData;
    readonly result: {
      readonly site: Site;
    };
  };
  /** Delete the background picture. */
  readonly 'DELETE /site/background-image': {
    readonly result: {
      readonly site: Site;
    };
  };
  /** Set the logo, sent as the file `image`. */
  readonly 'POST /site/logo': {
    readonly body: FormData;
    readonly result: {
      readonly site: Site;
    };
  };
  /** Delete the logo. */
  readonly 'DELETE /site/logo': {
    readonly result: {
      readonly site: Site;
    };
  };
  /** List auth tokens (cards, buttons), newest first. */
  readonly 'GET /auth-tokens': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      readonly auth_device?: string;
      readonly enabled?: boolean;
      /** Username of the owner. */
      readonly user?: string;
      /** Part of the token’s value, its name or its owner’s name. */
      readonly search?: string;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly tokens: readonly AuthToken[];
    };
  };
  /** Create an auth token, with or without an owner. `/api/admin/unknown-tokens` lists presented unknown ones. */
  readonly 'POST /auth-tokens': {
    readonly body: NewAuthToken;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Get an auth token by its id: device and value joined by `.` or `|`. */
  readonly 'GET /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Get an auth token by its id: device and value joined by `.` or `|`. */
  readonly 'POST /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Change owner, expiry or state of an auth token. Fields left out keep their values. */
  readonly 'PUT /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly body: NewAuthToken;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Change owner, expiry or state of an auth token. Fields left out keep their values. */
  readonly 'PATCH /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly body: AuthTokenChange;
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Delete an auth token. It is unknown from then on. */
  readonly 'DELETE /auth-tokens/{token}': {
    readonly path: {
      readonly token: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Get an auth token by its device and value. */
  readonly 'GET /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Get an auth token by its device and value. */
  readonly 'POST /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly result: {
      readonly token: AuthToken;
    };
  };
  /** Change owner, expiry or state of an auth token. Fields left out keep their values. */
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
  /** Change owner, expiry or state of an auth token. Fields left out keep their values. */
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
  /** Delete an auth token. It is unknown from then on. */
  readonly 'DELETE /auth-tokens/{auth_device}/{token_value}': {
    readonly path: {
      readonly auth_device: string;
      readonly token_value: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List controllers, which own meters and toggles. */
  readonly 'GET /controllers': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly controllers: readonly Controller[];
    };
  };
  /** Create a controller. */
  readonly 'POST /controllers': {
    readonly body: NewController;
    readonly result: {
      readonly controller: Controller;
    };
  };
  /** Get a controller. */
  readonly 'GET /controllers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly controller: Controller;
    };
  };
  /** Change a controller. Fields left out keep their values. A name that comes from the configuration file or a plugged-in board cannot be changed. */
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
  /** Change a controller. Fields left out keep their values. A name that comes from the configuration file or a plugged-in board cannot be changed. */
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
  /** Delete a controller with its meters, toggles and token; drinks stay. Refused for a controller in the configuration file or plugged in. A network kegboard has to be paired again. */
  readonly 'DELETE /controllers/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List flow meters with their calibration. */
  readonly 'GET /flow-meters': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly flow_meters: readonly FlowMeter[];
    };
  };
  /** Create a flow meter on a controller, given by `controller` or `controller_id`. */
  readonly 'POST /flow-meters': {
    readonly body: NewFlowMeter;
    readonly result: {
      readonly flow_meter: FlowMeter;
    };
  };
  /** Get a flow meter. */
  readonly 'GET /flow-meters/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly flow_meter: FlowMeter;
    };
  };
  /** Change port or calibration of a flow meter. Fields left out keep their values; past drinks do not change. */
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
  /** Change port or calibration of a flow meter. Fields left out keep their values; past drinks do not change. */
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
  /** Delete a flow meter; its tap has none then, and drinks stay. A meter that its controller reports is created again. */
  readonly 'DELETE /flow-meters/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List flow toggles (relays that open valves). */
  readonly 'GET /flow-toggles': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly flow_toggles: readonly FlowToggle[];
    };
  };
  /** Create a flow toggle on a controller, given by `controller` or `controller_id`. */
  readonly 'POST /flow-toggles': {
    readonly body: NewFlowToggle;
    readonly result: {
      readonly flow_toggle: FlowToggle;
    };
  };
  /** Get a flow toggle. */
  readonly 'GET /flow-toggles/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly flow_toggle: FlowToggle;
    };
  };
  /** Change the port of a flow toggle. */
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
  /** Change the port of a flow toggle. */
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
  /** Delete a flow toggle. One that its controller reports is created again. */
  readonly 'DELETE /flow-toggles/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List thermo sensors with their last readings. */
  readonly 'GET /thermo-sensors': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly thermo_sensors: readonly ThermoSensorItem[];
    };
  };
  /** Create a thermo sensor by the name its bus or client uses. Other sensors are created with their first reading. */
  readonly 'POST /thermo-sensors': {
    readonly body: ThermoSensorFields;
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** Get a thermo sensor with its last reading. */
  readonly 'GET /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermo sensor by raw name, display name or id. */
      readonly sensor: string;
    };
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** Change the names of a thermo sensor. Fields left out keep their values. */
  readonly 'PUT /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermo sensor by raw name, display name or id. */
      readonly sensor: string;
    };
    readonly body: ThermoSensorFields;
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** Change the names of a thermo sensor. Fields left out keep their values. */
  readonly 'PATCH /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermo sensor by raw name, display name or id. */
      readonly sensor: string;
    };
    readonly body: ThermoSensorFields;
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly last_temp: number | null;
      readonly last_time: string | null;
    };
  };
  /** Delete a thermo sensor with its readings. It is created again with its next reading. */
  readonly 'DELETE /thermo-sensors/{sensor}': {
    readonly path: {
      /** A thermo sensor by raw name, display name or id. */
      readonly sensor: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List temperatures, at most one per sensor and minute, last received first. */
  readonly 'GET /thermo-logs': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** A thermo sensor by raw name, display name or id. */
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
  /** Get temperatures of a time span, oldest first: per minute for the last month, per hour before. */
  readonly 'GET /thermo-sensors/{sensor}/chart': {
    readonly path: {
      /** A thermo sensor by raw name, display name or id. */
      readonly sensor: string;
    };
    readonly query: {
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly since?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly until?: string;
      /** `auto`, the default, uses minutes for up to two days. At most 10 000 points. */
      readonly resolution?: 'auto' | 'minute' | 'hour';
    };
    readonly result: {
      readonly sensor: ThermoSensor;
      readonly resolution: 'minute' | 'hour';
      readonly points: readonly ThermoPoint[];
    };
  };
  /** Generate pulses on a simulated meter. */
  readonly 'POST /simulator/pulses': {
    readonly body: {
      /** Full name, such as `pi.flow0`. */
      readonly meter: string;
      /** Number of pulses. */
      readonly ticks: number;
      /** Pulses per second. */
      readonly hz: number;
      /** Meters that count the same pulses, as with crosstalk between cables. */
      readonly echoes?: readonly string[];
    };
    readonly result: {
      /** Full name, such as `pi.flow0`. */
      readonly meter: string;
      readonly ticks: number;
      readonly seconds: number;
    };
  };
  /** Set the clock while it is not synchronized. */
  readonly 'POST /clock': {
    readonly body: {
      /** Unix seconds, or ISO 8601 with a time zone. */
      readonly time: number | string;
    };
    readonly result: {
      /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
      readonly time: string;
      readonly clock_synced: boolean;
    };
  };
  /** List kegboards, the most recently seen first. */
  readonly 'GET /admin/kegboards': {
    readonly result: {
      readonly kegboards: readonly Kegboard[];
    };
  };
  /** Allow a kegboard. A new token waits one hour for it and can be fetched once. */
  readonly 'POST /admin/kegboards/{device}/allow': {
    readonly path: {
      /** Name the kegboard reports for itself. */
      readonly device: string;
    };
    readonly result: {
      readonly kegboard: Kegboard;
    };
  };
  /** Deny a kegboard and revoke its token. */
  readonly 'POST /admin/kegboards/{device}/deny': {
    readonly path: {
      /** Name the kegboard reports for itself. */
      readonly device: string;
    };
    readonly result: {
      readonly kegboard: Kegboard;
    };
  };
  /** Revoke the token of a kegboard. Its controller, meters and drinks stay. */
  readonly 'POST /admin/kegboards/{device}/revoke': {
    readonly path: {
      /** Name the kegboard reports for itself. */
      readonly device: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Delete the status of a kegboard. A paired one keeps its token and is listed again with its next report. */
  readonly 'DELETE /admin/kegboards/{device}': {
    readonly path: {
      /** Name the kegboard reports for itself. */
      readonly device: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Close the taps of a kegboard: the given grants, or all, end with its next report. */
  readonly 'POST /admin/kegboards/{device}/deauthorize': {
    readonly path: {
      /** Name the kegboard reports for itself. */
      readonly device: string;
    };
    readonly body: {
      readonly grant_ids?: readonly string[];
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Close the taps of every kegboard with its next report. */
  readonly 'POST /admin/kegboards/deauthorize': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** List unknown tokens that were presented recently, newest first. */
  readonly 'GET /admin/unknown-tokens': {
    readonly result: {
      readonly unknown_tokens: readonly UnknownToken[];
    };
  };
  /** List grants, newest first. */
  readonly 'GET /admin/grants': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly grants: readonly Grant[];
    };
  };
  /** List the toggles of this machine and its serial boards that are open. */
  readonly 'GET /admin/valves': {
    readonly result: {
      readonly valves: readonly OpenValve[];
    };
  };
  /** Close a tap: ends its grants now; on a network kegboard with its next report. */
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
  /** Close every tap: ends all grants now; on network kegboards with their next report. */
  readonly 'POST /admin/taps/deauthorize': {
    readonly result: {
      readonly ended: number;
    };
  };
  /** Open a toggle by hand for a limited time, to rinse a line or find a fault. Flow is recorded as usual. */
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
  /** Close a toggle, for whatever it was opened. Ends a grant on its tap; on a network kegboard with its next report. */
  readonly 'POST /flow-toggles/{id}/close': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly board: string | null;
    };
  };
  /** Get the state of all wiring. Rates and patterns are included when the last request was less than five seconds ago; poll at most twice a second. */
  readonly 'GET /admin/wiring': {
    readonly result: {
      readonly wiring: Wiring;
    };
  };
  /** List your own notification settings; empty by default. */
  readonly 'GET /notification-settings': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly notification_settings: readonly NotificationSettings[];
    };
  };
  /** Create your notification settings. Fields left out take their defaults: only `keg_tapped` is on. */
  readonly 'POST /notification-settings': {
    readonly body: {
      /** The channel. Mail is the only one, under the name that existing clients use. */
      readonly backend?: string;
      readonly keg_tapped?: boolean;
      readonly session_started?: boolean;
      readonly keg_volume_low?: boolean;
      readonly keg_ended?: boolean;
      /** A tap’s temperature was above the alarm limit for the configured time. Staff only. */
      readonly too_warm?: boolean;
      /** A controller has not reported for the configured time. Staff only. */
      readonly controller_silent?: boolean;
      /** Problems with disk, power, counting or backups. Staff only. */
      readonly system_problem?: boolean;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** Get one of your own notification settings. */
  readonly 'GET /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** Replace notification settings. Fields left out take their defaults. */
  readonly 'PUT /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** The channel. Mail is the only one, under the name that existing clients use. */
      readonly backend?: string;
      readonly keg_tapped?: boolean;
      readonly session_started?: boolean;
      readonly keg_volume_low?: boolean;
      readonly keg_ended?: boolean;
      /** A tap’s temperature was above the alarm limit for the configured time. Staff only. */
      readonly too_warm?: boolean;
      /** A controller has not reported for the configured time. Staff only. */
      readonly controller_silent?: boolean;
      /** Problems with disk, power, counting or backups. Staff only. */
      readonly system_problem?: boolean;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** Change notification settings. Fields left out keep their values. */
  readonly 'PATCH /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** The channel. Mail is the only one, under the name that existing clients use. */
      readonly backend?: string;
      readonly keg_tapped?: boolean;
      readonly session_started?: boolean;
      readonly keg_volume_low?: boolean;
      readonly keg_ended?: boolean;
      /** A tap’s temperature was above the alarm limit for the configured time. Staff only. */
      readonly too_warm?: boolean;
      /** A controller has not reported for the configured time. Staff only. */
      readonly controller_silent?: boolean;
      /** Problems with disk, power, counting or backups. Staff only. */
      readonly system_problem?: boolean;
    };
    readonly result: {
      readonly notification_setting: NotificationSettings;
    };
  };
  /** Delete notification settings: no notifications are sent any more. */
  readonly 'DELETE /notification-settings/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List outgoing messages, newest first, without their content. */
  readonly 'GET /admin/outbox': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** `skipped`: the recipient no longer exists; `dead`: given up after the last retry. */
      readonly state?: 'waiting' | 'sent' | 'skipped' | 'dead';
      readonly kind?: 'mail' | 'webhook';
    };
    readonly result: {
      readonly paging: Paging;
      readonly messages: readonly OutboxMessage[];
    };
  };
  /** Send a given-up message again. */
  readonly 'POST /admin/outbox/{id}/send-again': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly message: OutboxMessage;
    };
  };
  /** Send all given-up messages of one kind again. */
  readonly 'POST /admin/outbox/send-again': {
    readonly body: {
      readonly kind: 'mail' | 'webhook';
    };
    readonly result: {
      readonly num_messages: number;
    };
  };
  /** Delete a message. A waiting message is not sent. */
  readonly 'DELETE /admin/outbox/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Get the state of upstream reporting. */
  readonly 'GET /admin/upstream': {
    readonly result: {
      readonly upstream: Upstream;
    };
  };
  /** Connect to the upstream server now, also after it has denied this site. */
  readonly 'POST /admin/upstream/retry': {
    readonly result: Readonly<Record<string, never>>;
  };
  /** List refused reports, newest first. */
  readonly 'GET /admin/upstream/set-aside': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: PagingNext;
      readonly reports: readonly UpstreamReport[];
    };
  };
  /** Send up to 1000 refused reports again. */
  readonly 'POST /admin/upstream/set-aside/send-again': {
    readonly result: {
      readonly sent_again: number;
    };
  };
  /** Send a refused report again. */
  readonly 'POST /admin/upstream/set-aside/{id}/send-again': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly sent_again: number;
    };
  };
  /** Delete a refused report. The local drink stays. */
  readonly 'DELETE /admin/upstream/set-aside/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Get the mail settings. */
  readonly 'GET /admin/mail': {
    readonly result: {
      readonly mail: MailSettings;
    };
  };
  /** Change the mail settings. A new host or username clears the stored password. */
  readonly 'PATCH /admin/mail': {
    readonly body: {
      /** Name or address of the mail server; empty: no mail is sent. */
      readonly host?: string;
      readonly port?: number;
      /** `tls` from the first byte (port 465), `starttls` before login (port 587), or `none`. */
      readonly security?: 'none' | 'starttls' | 'tls';
      /** Empty: no login at the mail server. */
      readonly username?: string;
      /** Never shown again. */
      readonly password?: string;
      /** Sender address. */
      readonly from_address?: string;
      /** Start of links in mails, such as `http://bar.example`; empty: mails contain no links. */
      readonly base_url?: string;
    };
    readonly result: {
      readonly mail: MailSettings;
    };
  };
  /** Send a test mail and wait until the mail server accepts it; 409 with the reason if it does not. */
  readonly 'POST /admin/email-test': {
    readonly body: {
      /** Where the test mail goes. */
      readonly address: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Get the limits for the alarms “tap too warm” and “controller silent”. */
  readonly 'GET /admin/alarms': {
    readonly result: {
      readonly alarms: AlarmSettings;
    };
  };
  /** Change the alarm limits. */
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
  /** List plugins. */
  readonly 'GET /admin/plugins': {
    readonly result: {
      readonly plugins: readonly Plugin[];
    };
  };
  /** Get the settings of a plugin. `webhook` is the only plugin. */
  readonly 'GET /admin/plugins/{short_name}/settings': {
    readonly path: {
      readonly short_name: string;
    };
    readonly result: {
      readonly settings: WebhookSettings;
    };
  };
  /** Change the webhook URLs and the secret. Without `secret` it stays; an empty one removes it. */
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
  /** List stored plugin data, newest first. */
  readonly 'GET /plugin-data': {
    readonly query: {
      /** Highest id to list, ids descending; absent or 0 starts with the newest. */
      readonly start?: number;
      /** Maximum number of items on the page. */
      readonly limit?: number;
    };
    readonly result: {
      readonly paging: Paging;
      readonly plugin_data: readonly PluginDatum[];
    };
  };
  /** Store a value. A key is unique within its plugin. */
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
  /** Get a stored value. */
  readonly 'GET /plugin-data/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: {
      readonly plugin_datum: PluginDatum;
    };
  };
  /** Replace a stored value. */
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
  /** Change the plugin, key or value of a stored value. */
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
  /** Delete a stored value. */
  readonly 'DELETE /plugin-data/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List webhooks in the order they were added. */
  readonly 'GET /admin/webhooks': {
    readonly result: {
      readonly is_signed: boolean;
      readonly webhooks: readonly Webhook[];
    };
  };
  /** Add a webhook. Ten at most. */
  readonly 'POST /admin/webhooks': {
    readonly body: {
      /** URL, http or https. */
      readonly url: string;
    };
    readonly result: {
      readonly webhook: Webhook;
    };
  };
  /** Change the URL of a webhook, or switch it on or off. */
  readonly 'PATCH /admin/webhooks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly body: {
      /** URL, http or https. */
      readonly url?: string;
      readonly is_enabled?: boolean;
    };
    readonly result: {
      readonly webhook: Webhook;
    };
  };
  /** Delete a webhook and its waiting messages. */
  readonly 'DELETE /admin/webhooks/{id}': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Call a webhook with the event `test` and wait for its answer; 409 with the reason if it fails. */
  readonly 'POST /admin/webhooks/{id}/test': {
    readonly path: {
      /** Identifier, a positive whole number. */
      readonly id: number;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** Create a new secret for signing. Only this answer shows it. */
  readonly 'POST /admin/webhook-secret': {
    readonly result: {
      readonly secret: string;
    };
  };
  /** List backups, newest first, and the state of the running one. */
  readonly 'GET /admin/backups': {
    readonly result: {
      readonly backups: readonly Backup[];
      readonly state: {
        readonly running: {
          readonly occasion: 'nightly' | 'manual';
          /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
          readonly started_time: string;
        } | null;
        readonly problem: string | null;
      };
    };
  };
  /** Start a backup. Counting goes on meanwhile. */
  readonly 'POST /admin/backups': {
    readonly result: {
      readonly started: true;
    };
  };
  /** Delete a backup. */
  readonly 'DELETE /admin/backups/{name}': {
    readonly path: {
      /** Name of the backup’s file. */
      readonly name: string;
    };
    readonly result: Readonly<Record<string, never>>;
  };
  /** List the totals of the last business days, newest first. */
  readonly 'GET /reports/days': {
    readonly query: {
      /** A date, `YYYY-MM-DD`. */
      readonly last?: string;
      /** Number of days. */
      readonly limit?: number;
    };
    readonly result: {
      readonly days: readonly BusinessDay[];
    };
  };
  /** Get the totals of a business day, by tap and by keg. */
  readonly 'GET /reports/days/{date}': {
    readonly path: {
      /** A date, `YYYY-MM-DD`. */
      readonly date: string;
    };
    readonly result: {
      readonly day: BusinessDay;
    };
  };
  /** Get the totals of the days from `first` to `last` (at most 92), together and by day. Default: today. */
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
  /** Get the end of the business day, the currency, and whether a backup is made every night. */
  readonly 'GET /admin/business': {
    readonly result: {
      readonly business: BusinessSettings;
    };
  };
  /** Change when the business day ends, the currency, and whether a backup is made every night. */
  readonly 'PATCH /admin/business': {
    readonly body: {
      /** When the business day ends, in the site’s time zone: `00:00` to `12:00`. */
      readonly day_ends?: string;
      /** Whether a backup is made when the business day ends. */
      readonly nightly_backups?: boolean;
      /** ISO 4217. */
      readonly currency?: string;
    };
    readonly result: {
      readonly business: BusinessSettings;
    };
  };
  /** List the price of a serving at each tap. */
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
  /** Set the price of a serving at a tap from now on; null for both fields removes the price. */
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
  /** Switch the daily report by mail on or off for yourself. */
  readonly 'PUT /admin/report-mail': {
    readonly body: {
      readonly daily_report: boolean;
    };
    readonly result: {
      readonly daily_report: boolean;
    };
  };
  /** Number of accounts, and what waits for staff. */
  readonly 'GET /admin/dashboard': {
    readonly result: {
      /** True when a mail server is set. */
      readonly email_configured: boolean;
      /** Active accounts. */
      readonly num_users: number;
      /** Active accounts that joined in the last 30 days. */
      readonly num_new_users: number;
      readonly num_held_pours: number;
    };
  };
  /** The last lines of the log, newest first, with secrets removed. */
  readonly 'GET /admin/logs': {
    readonly query: {
      /** Lowest severity to list. */
      readonly level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
      readonly limit?: number;
    };
    readonly result: {
      readonly logs: readonly ({
        readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
        /** UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
        readonly time: string;
        readonly msg: string;
        /** Further fields of the line as JSON; may be empty. */
        readonly details: string;
      })[];
    };
  };
  /** A text for a bug report. Contains no names, keys, tokens or addresses. */
  readonly 'GET /admin/bugreport': {
    readonly result: {
      readonly output: string;
    };
  };
}

/** Operations with another answer: pictures, tables, streams, documents. */
export interface Files {
  /** Get a picture: at most 1024 pixels long, or a square of 128 pixels. */
  readonly 'GET /pictures/{file}': {
    readonly path: {
      /** `<name>-1024.jpg` or `<name>-128.jpg`. */
      readonly file: string;
    };
  };
  /** Stream of taps, pours and drinks: events `snapshot` and `pour`. */
  readonly 'GET /live': {
  };
  /** This document: OpenAPI 3.1. */
  readonly 'GET /schema': {
    readonly query: {
      readonly format?: 'json' | 'yaml';
    };
  };
  /** Download a backup: database and pictures, including names and e-mail addresses. */
  readonly 'GET /admin/backups/{name}/download': {
    readonly path: {
      /** Name of the backup’s file. */
      readonly name: string;
    };
  };
  /** Export all records of one kind, oldest first, as CSV or as one JSON object per line. */
  readonly 'GET /admin/export/{file}': {
    readonly path: {
      /** Kind and format. */
      readonly file: 'drinks.csv' | 'drinks.jsonl' | 'kegs.csv' | 'kegs.jsonl' | 'sessions.csv' | 'sessions.jsonl' | 'temperatures.csv' | 'temperatures.jsonl';
    };
    readonly query: {
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly since?: string;
      /** ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds. */
      readonly until?: string;
    };
  };
  /** Get the totals of a business day as CSV. */
  readonly 'GET /reports/days/{date}/csv': {
    readonly path: {
      /** A date, `YYYY-MM-DD`. */
      readonly date: string;
    };
  };
  /** Get the totals of the days from `first` to `last` as CSV. */
  readonly 'GET /reports/span/csv': {
    readonly query: {
      /** A date, `YYYY-MM-DD`. */
      readonly first?: string;
      /** A date, `YYYY-MM-DD`. */
      readonly last?: string;
    };
  };
  /** Interactive page of this document and of the legacy API’s. */
  readonly 'GET /docs': {
  };
  /** Files of the interactive page. */
  readonly 'GET /docs/{file}': {
    readonly path: {
      readonly file: string;
    };
  };
}
