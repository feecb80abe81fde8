/** A reason without facts. */
type Plain = Readonly<Record<never, never>>;

/** Why a request is refused, by stable names; the fields of a name are the facts for its sentence. */
export interface Refusals {
  // Authentication and permissions.
  readonly wrong_login: Plain;
  readonly wrong_password: Plain;
  readonly wrong_pin: Plain;
  readonly wrong_code: Plain;
  readonly pin_paused: { readonly seconds: number };
  readonly pin_locked: Plain;
  readonly passwords_waiting: { readonly seconds: number };
  readonly rate_limited: { readonly what: 'passwords' | 'codes' | 'mails' | 'keys' | 'requests' };
  readonly picture_quota: { readonly pictures: number; readonly megabytes: number; readonly minutes: number };
  readonly too_many_logins: Plain;
  readonly switched_off: Plain;
  readonly login_needed: Plain;
  readonly login_expired: Plain;
  readonly pin_needed: Plain;
  readonly staff_only: Plain;
  readonly not_on_tablets: Plain;
  readonly not_in_demo: Plain;
  readonly demo_reset_recently: { readonly seconds: number };
  readonly cross_site_request: Plain;
  readonly https_required: { readonly address: string };
  readonly set_up_required: Plain;
  readonly already_set_up: Plain;
  readonly invitation_required: Plain;
  readonly link_invalid: Plain;
  readonly account_off: Plain;
  readonly has_password: Plain;
  readonly no_mail_address: Plain;
  readonly no_mail_server: Plain;
  readonly no_site_address: Plain;
  readonly link_sent_recently: { readonly seconds: number };
  readonly superusers_only: Plain;
  readonly feature_off: { readonly feature: string };
  readonly feature_fixed: { readonly feature: string };
  readonly feature_in_use: { readonly feature: string };
  readonly superuser_needed: Plain;
  readonly own_password: Plain;
  readonly password_needed: Plain;
  readonly no_keys: Plain;
  readonly last_staff_account: Plain;
  readonly last_superuser: Plain;
  readonly renamed_too_often: { readonly most: number };
  readonly too_many_aliases: { readonly most: number };
  readonly changed_since_read: Plain;
  // Kegs, taps and controllers.
  readonly not_found: Plain;
  readonly no_current_session: Plain;
  readonly tap_has_keg: { readonly keg: number; readonly tap: string };
  readonly tap_is_empty: { readonly tap: string };
  readonly keg_on_tap: { readonly keg: number; readonly tap: string };
  readonly too_many_taps: { readonly most: number };
  readonly taps_changed: Plain;
  readonly tap_changed_since: { readonly tap: string };
  readonly no_meters: Plain;
  readonly meter_on_other_tap: { readonly tap: string };
  readonly toggle_on_other_tap: { readonly tap: string };
  readonly keg_on_other_tap: { readonly keg: number };
  readonly keg_on_tap_already: { readonly keg: number; readonly tap: string };
  readonly other_beverage: { readonly tap: string };
  readonly by_person_off: Plain;
  readonly stock_changed: { readonly beverage: string };
  readonly too_many_connected: { readonly most: number };
  readonly keg_finished: { readonly keg: number };
  readonly keg_not_finished: { readonly keg: number };
  readonly keg_has_records: { readonly keg: number; readonly drinks: number; readonly spills: number };
  readonly keg_not_available: { readonly keg: number };
  readonly too_many_weighings: { readonly most: number };
  readonly too_many_schedules: { readonly most: number };
  readonly beverage_in_kegs: { readonly beverage: string; readonly kegs: string };
  readonly producer_has_beverages: { readonly producer: string; readonly beverages: string };
  readonly merged_since: Plain;
  readonly record_changed_since: Plain;
  readonly name_taken_since: Plain;
  readonly in_configuration: { readonly what: string };
  readonly on_pin: { readonly what: string };
  readonly on_serial_port: { readonly what: string };
  readonly board_disconnected: { readonly relay: string };
  readonly relay_stuck: { readonly relay: string };
  readonly taps_not_simulated: Plain;
  readonly in_settings_file: { readonly what: string };
  readonly line_not_opened: { readonly what: string; readonly problem: string };
  readonly relay_is_open: { readonly relay: string };
  readonly hardware_changing: Plain;
  readonly hardware_changed_since: Plain;
  readonly no_other_machine: Plain;
  readonly no_service_manager: Plain;
  readonly queue_full: Plain;
  readonly no_pairing_request: { readonly device: string };
  readonly several_pairing_requests: { readonly device: string; readonly requests: number };
  readonly clock_synchronized: Plain;
  readonly clock_not_set: Plain;
  // Drinks and their corrections.
  readonly cleaning_running: Plain;
  readonly cleaning_over: Plain;
  readonly cleaning_logged: Plain;
  readonly cleaning_has_picture: Plain;
  readonly entry_corrected_since: Plain;
  readonly drink_held: { readonly drink: number };
  readonly drink_not_held: { readonly drink: number };
  readonly drink_has_user: { readonly drink: number };
  readonly drink_too_old: { readonly drink: number };
  readonly claim_expired: { readonly drink: number };
  readonly no_claims: Plain;
  readonly own_drinks_only: { readonly drink: number };
  readonly volume_for_staff: Plain;
  readonly not_corrected: { readonly drink: number };
  readonly corrected_since: { readonly drink: number };
  readonly already_undone: Plain;
  readonly changed_by_calibration: { readonly drink: number };
  readonly assigned_with_others: { readonly drink: number };
  readonly token_has_user: { readonly user: string };
  readonly token_added_since: Plain;
  readonly drink_gone: { readonly drink: number };
  readonly keg_gone: { readonly keg: number };
  readonly keg_changed_since: { readonly keg: number };
  readonly keg_assigned_since: { readonly keg: number; readonly drinks: number; readonly spills: number };
  readonly spill_gone: Plain;
  readonly no_loss_left: Plain;
  readonly month_closed: Plain;
  readonly month_runs: Plain;
  readonly picture_since: { readonly drink: number };
  readonly picture_gone: Plain;
  readonly device_gone: Plain;
  readonly device_changed_since: Plain;
  readonly meter_gone: Plain;
  readonly calibrated_since: { readonly meter: string };
  readonly learned_since: { readonly meter: string };
  readonly nothing_learned: { readonly meter: string };
  readonly different_kegs: { readonly drink: number; readonly other: number };
  readonly different_sessions: { readonly drink: number; readonly other: number };
  readonly different_meters: { readonly drink: number; readonly other: number };
  readonly time_uncertain: { readonly drink: number; readonly other: number };
  readonly gas_and_entered: { readonly drink: number; readonly other: number };
  readonly sum_too_large: { readonly drink: number; readonly other: number };
  readonly idempotency_key_reused: Plain;
  readonly request_running: Plain;
  // System.
  readonly disk_full: Plain;
  readonly disk_faulty: Plain;
  readonly database_busy: Plain;
  readonly database_read_only: Plain;
  readonly database_damaged: Plain;
  readonly database_not_open: Plain;
  readonly backup_running: Plain;
  readonly sales_import_running: Plain;
  readonly sales_import_undone: Plain;
  readonly till_has_sales: Plain;
  readonly not_a_package: Plain;
  readonly update_running: { readonly version: string };
  readonly version_runs: { readonly version: string };
  readonly release_not_kept: { readonly version: string };
  readonly no_new_version: Plain;
  readonly no_update_address: Plain;
  readonly no_mail: Plain;
  readonly message_not_failed: Plain;
  readonly too_many_entries: { readonly what: 'keys' | 'tablets' | 'invitations'; readonly most: number };
  readonly on_the_tablet_only: Plain;
  readonly uploads_running: Plain;
  readonly exports_running: Plain;
  readonly webhook_off: Plain;
  readonly too_many_events: { readonly count: number; readonly most: number };
  readonly too_large: { readonly kilobytes: number };
  readonly no_disk_space: { readonly megabytes: number };
  readonly internal_error: { readonly fault: string };
}

/** What a field must be, by stable names, with the limits. */
export interface Rules {
  readonly required: Plain;
  readonly lighter_than_empty: { readonly kg: number };
  readonly heavier_than_full: { readonly kg: number };
  readonly unknown: Plain;
  readonly whole: Plain;
  readonly number: Plain;
  readonly flag: Plain;
  readonly text: Plain;
  readonly at_least: { readonly least: number };
  readonly at_most: { readonly most: number };
  readonly above: { readonly limit: number };
  readonly below: { readonly limit: number };
  readonly characters_at_least: { readonly least: number };
  readonly characters_at_most: { readonly most: number };
  readonly one_of: { readonly allowed: string };
  readonly whole_from_to: { readonly least: number; readonly most: number };
  readonly number_from_to: { readonly least: number; readonly most: number };
  readonly text_from_to: { readonly least: number; readonly most: number };
  readonly digits_from_to: { readonly least: number; readonly most: number };
  readonly either: { readonly other: string };
  readonly taken: Plain;
  readonly looks_like_other: Plain;
  readonly different: Plain;
  readonly already_exists: Plain;
  readonly card_number: Plain;
  readonly exists: {
    readonly what:
      | 'account'
      | 'beverage'
      | 'controller'
      | 'keg'
      | 'keg_size'
      | 'producer'
      | 'serving_size'
      | 'tap'
      | 'thermometer';
  };
  readonly does_not_match: { readonly what: 'password' | 'pin' };
  readonly console_code: Plain;
  readonly pin_one_digit: Plain;
  readonly pin_in_a_row: Plain;
  readonly pin_repeated: Plain;
  readonly pin_year: Plain;
  readonly password_repeated: Plain;
  readonly password_in_a_row: Plain;
  readonly password_common: Plain;
  readonly pin_common: Plain;
  readonly username_characters: Plain;
  readonly port_characters: Plain;
  readonly pin_taken: { readonly part: string };
  readonly too_many_parts: { readonly most: number };
  readonly username_direction: Plain;
  readonly username_ends: Plain;
  readonly username_one_script: Plain;
  readonly mail_address: Plain;
  readonly web_address: Plain;
  readonly date: Plain;
  readonly time: Plain;
  readonly hour_minute: Plain;
  readonly time_of_day: Plain;
  readonly weekdays: Plain;
  readonly shifts: { readonly most: number };
  readonly cleaning_time: { readonly what: 'future' | 'span' };
  readonly keg_time: {
    readonly what: 'future' | 'first_drink' | 'last_drink' | 'last_change' | 'start' | 'end' | 'not_finished';
  };
  readonly not_blank: Plain;
  readonly ascii: Plain;
  readonly rows_at_most: { readonly most: number };
  readonly day_order: Plain;
  readonly days_back: { readonly most: number };
  readonly days_from_first: { readonly most: number };
  readonly time_zone: Plain;
  readonly language_tag: Plain;
  readonly opening_hours: Plain;
  readonly currency: Plain;
  readonly country: Plain;
  readonly colour: Plain;
  readonly picture: Plain;
  readonly link: Plain;
  readonly staff_only: Plain;
  readonly no_dot: Plain;
  readonly hidden_character: { readonly character: string };
}

type NamedOf<T> = { readonly [K in keyof T & string]: { readonly name: K } & T[K] }[keyof T & string];

/**
 * Why a request is refused, for programs: a stable name with its facts, in addition to the sentence for
 * people.
 */
export type Refusal = NamedOf<Refusals>;
/** What a field must be, for programs. */
export type Rule = NamedOf<Rules>;
