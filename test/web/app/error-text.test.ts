import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProblem } from '../../../src/core/health/problems.ts';
import type { Refusal, Refusals, Rule, Rules } from '../../../src/core/reasons.ts';
import { extensions } from '../../../src/extensions/all.ts';
import { errorNames } from '../../../src/http/routes/reply-format.ts';
import type { HealthPart } from '../../../src/system/health/health.ts';
import { translateError } from '../../../src/web/app/error-text.ts';
import { type Catalogue, createTranslator } from '../../../src/web/locales/translator.ts';

const readTexts = (language: string) => {
  const file = join(import.meta.dirname, `../../../locales/${language}.json`);
  return createTranslator(language, JSON.parse(readFileSync(file, 'utf8')) as Catalogue);
};
const german = readTexts('de');
const inEnglish = readTexts('en');

type Facts = Readonly<Record<string, string | number>>;

const drinks = { drink: 7, other: 8 };

/** Facts for every reason. A new reason fails to compile until it has facts here and a text. */
const refusals: { readonly [K in keyof Refusals]: Refusals[K] } = {
  wrong_login: {},
  wrong_password: {},
  wrong_pin: {},
  wrong_code: {},
  pin_paused: { seconds: 40 },
  pin_locked: {},
  passwords_waiting: { seconds: 8 },
  rate_limited: { what: 'passwords' },
  picture_quota: { pictures: 50, megabytes: 100, minutes: 45 },
  too_many_logins: {},
  switched_off: {},
  login_needed: {},
  login_expired: {},
  pin_needed: {},
  staff_only: {},
  not_on_tablets: {},
  not_in_demo: {},
  demo_reset_recently: { seconds: 42 },
  cross_site_request: {},
  https_required: { address: 'https://bar.local:8443' },
  changed_since_read: {},
  set_up_required: {},
  already_set_up: {},
  invitation_required: {},
  link_invalid: {},
  account_off: {},
  has_password: {},
  no_mail_address: {},
  no_mail_server: {},
  no_site_address: {},
  link_sent_recently: { seconds: 240 },
  superusers_only: {},
  feature_off: { feature: 'sales' },
  feature_fixed: { feature: 'sales' },
  feature_in_use: { feature: 'sales' },
  superuser_needed: {},
  own_password: {},
  password_needed: {},
  no_keys: {},
  last_staff_account: {},
  last_superuser: {},
  renamed_too_often: { most: 3 },
  too_many_aliases: { most: 10 },
  not_found: {},
  no_current_session: {},
  tap_has_keg: { keg: 3, tap: 'Links' },
  tap_is_empty: { tap: 'Links' },
  no_meters: {},
  meter_on_other_tap: { tap: 'Links' },
  toggle_on_other_tap: { tap: 'Links' },
  keg_on_tap: { keg: 3, tap: 'Links' },
  too_many_taps: { most: 200 },
  taps_changed: {},
  tap_changed_since: { tap: 'Left' },
  keg_on_other_tap: { keg: 3 },
  keg_on_tap_already: { keg: 3, tap: 'Links' },
  other_beverage: { tap: 'Links' },
  by_person_off: {},
  stock_changed: { beverage: 'Haus Helles' },
  too_many_connected: { most: 16 },
  keg_finished: { keg: 3 },
  keg_not_finished: { keg: 3 },
  keg_has_records: { keg: 3, drinks: 2, spills: 1 },
  keg_not_available: { keg: 3 },
  beverage_in_kegs: { beverage: 'Haus Helles', kegs: '1, 2' },
  producer_has_beverages: { producer: 'Hausbrauerei', beverages: 'Haus Helles' },
  merged_since: {},
  record_changed_since: {},
  name_taken_since: {},
  too_many_weighings: { most: 50 },
  too_many_schedules: { most: 20 },
  in_configuration: { what: 'pi.flow0' },
  on_pin: { what: 'pi.flow0' },
  on_serial_port: { what: 'kb.flow0' },
  board_disconnected: { relay: 'kb.relay0' },
  relay_stuck: { relay: 'kb.relay0' },
  taps_not_simulated: {},
  in_settings_file: { what: 'pi.flow0' },
  line_not_opened: { what: 'pi.flow0', problem: 'GPIO 4 is taken.' },
  relay_is_open: { relay: 'pi.relay0' },
  hardware_changing: {},
  no_other_machine: {},
  hardware_changed_since: {},
  no_service_manager: {},
  queue_full: {},
  no_pairing_request: { device: 'kegboard-1' },
  several_pairing_requests: { device: 'kegboard-1', requests: 2 },
  clock_synchronized: {},
  clock_not_set: {},
  cleaning_running: {},
  cleaning_over: {},
  cleaning_logged: {},
  cleaning_has_picture: {},
  entry_corrected_since: {},
  drink_held: { drink: 7 },
  drink_not_held: { drink: 7 },
  drink_has_user: { drink: 7 },
  drink_too_old: { drink: 7 },
  claim_expired: { drink: 7 },
  no_claims: {},
  own_drinks_only: { drink: 7 },
  volume_for_staff: {},
  not_corrected: { drink: 7 },
  corrected_since: { drink: 7 },
  already_undone: {},
  changed_by_calibration: { drink: 7 },
  assigned_with_others: { drink: 7 },
  token_added_since: {},
  token_has_user: { user: 'bert' },
  drink_gone: { drink: 7 },
  keg_gone: { keg: 3 },
  keg_changed_since: { keg: 3 },
  keg_assigned_since: { keg: 3, drinks: 2, spills: 1 },
  spill_gone: {},
  no_loss_left: {},
  month_closed: {},
  month_runs: {},
  picture_since: { drink: 7 },
  picture_gone: {},
  device_gone: {},
  device_changed_since: {},
  meter_gone: {},
  calibrated_since: { meter: 'pi.flow0' },
  learned_since: { meter: 'pi.flow0' },
  nothing_learned: { meter: 'pi.flow0' },
  different_kegs: drinks,
  different_sessions: drinks,
  different_meters: drinks,
  time_uncertain: drinks,
  gas_and_entered: drinks,
  sum_too_large: drinks,
  idempotency_key_reused: {},
  request_running: {},
  disk_full: {},
  disk_faulty: {},
  database_busy: {},
  database_read_only: {},
  database_damaged: {},
  database_not_open: {},
  backup_running: {},
  sales_import_running: {},
  sales_import_undone: {},
  till_has_sales: {},
  not_a_package: {},
  update_running: { version: '0.2.0' },
  version_runs: { version: '0.2.0' },
  release_not_kept: { version: '0.2.0' },
  no_new_version: {},
  no_update_address: {},
  no_mail: {},
  message_not_failed: {},
  too_many_entries: { what: 'keys', most: 100 },
  on_the_tablet_only: {},
  uploads_running: {},
  exports_running: {},
  webhook_off: {},
  too_many_events: { count: 900, most: 120 },
  too_large: { kilobytes: 64 },
  no_disk_space: { megabytes: 12 },
  internal_error: { fault: '1a2b3c4d' },
};

const rules: { readonly [K in keyof Rules]: Rules[K] } = {
  required: {},
  unknown: {},
  whole: {},
  number: {},
  flag: {},
  text: {},
  at_least: { least: 3 },
  at_most: { most: 9 },
  above: { limit: 3 },
  below: { limit: 9 },
  characters_at_least: { least: 3 },
  characters_at_most: { most: 9 },
  one_of: { allowed: 'a, b' },
  whole_from_to: { least: 3, most: 9 },
  number_from_to: { least: 3, most: 9 },
  lighter_than_empty: { kg: 12.2 },
  heavier_than_full: { kg: 72.2 },
  text_from_to: { least: 3, most: 9 },
  digits_from_to: { least: 4, most: 8 },
  either: { other: 'beverage_id' },
  taken: {},
  looks_like_other: {},
  different: {},
  already_exists: {},
  card_number: {},
  exists: { what: 'keg' },
  does_not_match: { what: 'pin' },
  console_code: {},
  port_characters: {},
  pin_taken: { part: 'pi.flow0' },
  too_many_parts: { most: 64 },
  pin_one_digit: {},
  pin_in_a_row: {},
  pin_repeated: {},
  pin_year: {},
  pin_common: {},
  password_repeated: {},
  password_in_a_row: {},
  password_common: {},
  username_characters: {},
  username_direction: {},
  username_ends: {},
  username_one_script: {},
  mail_address: {},
  web_address: {},
  date: {},
  time: {},
  hour_minute: {},
  time_of_day: {},
  weekdays: {},
  shifts: { most: 6 },
  cleaning_time: { what: 'span' },
  keg_time: { what: 'future' },
  day_order: {},
  rows_at_most: { most: 1_048_575 },
  not_blank: {},
  ascii: {},
  days_back: { most: 92 },
  days_from_first: { most: 91 },
  time_zone: {},
  language_tag: {},
  opening_hours: {},
  currency: {},
  country: {},
  colour: {},
  picture: {},
  link: {},
  staff_only: {},
  no_dot: {},
  hidden_character: { character: 'U+202E' },
};

const named = (table: Readonly<Record<string, Facts>>) =>
  Object.entries(table).map(([name, facts]) => ({ name, facts }));
const english = 'The daemon’s own sentence.';
const translate = (error: Partial<Parameters<typeof translateError>[0]>, texts = german) =>
  translateError({ status: 400, message: english, ...error }, texts);

test.each(named(refusals))('the reason “$name” has a text with its facts in every language', (reason) => {
  for (const texts of [german, inEnglish]) {
    const { sentence } = translate({ reason: { name: reason.name, ...reason.facts } as Refusal }, texts);
    expect(sentence).toMatch(/^[\p{Lu}\p{N}a-z].+\.$/u);
    expect(sentence).not.toBe(english);
    expect(sentence).not.toMatch(/undefined|NaN/);
    for (const fact of Object.values(reason.facts).filter(
      (value) => value !== 'passwords' && value !== 'keys',
    )) {
      expect(sentence).toContain(String(fact));
    }
  }
});

test.each(named(rules))('the rule “$name” has a text for its field in every language', ({ name, facts }) => {
  const faulty = { fields: { title: 'must …' }, rules: { title: { name, ...facts } as Rule } };
  const inGerman = translate(faulty);
  expect(inGerman.fields.title).toMatch(/^(ist|muss|darf|braucht|gibt|gehört|enthält) ?/);
  expect(inGerman.sentence).toBe(`Bitte prüfen: Name ${inGerman.fields.title}.`);
  const { fields, sentence } = translate(faulty, inEnglish);
  expect(fields.title).toMatch(/^(is|must|may|needs|already|belongs|contains) ?/);
  expect(sentence).toBe(`Please check: name ${fields.title}.`);
});

test('a line that could not be opened is said with its problem in the same language', () => {
  const problem = createProblem('line_taken', { line: 'GPIO 4 (/dev/gpiochip0)', owner: 'w1' });
  const reason = { name: 'line_not_opened', what: 'pi.flow0', problem: problem.message } as const;
  const { sentence } = translate({ reason, problem });
  expect(sentence).toMatch(
    /^pi\.flow0 ließ sich nicht .* GPIO 4 \(\/dev\/gpiochip0\) ist schon von „w1“ belegt/,
  );
});

test('a request that failed because of a problem is answered with its text', () => {
  const problem = createProblem('mail_login_refused', { code: 'EAUTH, 535' });
  expect(translate({ status: 409, problem }).sentence).toBe(
    'Der Mailserver lehnt die Anmeldung ab (EAUTH, 535): Prüfe Benutzer und Passwort.',
  );
  const newer = { code: 'code_of_a_newer_daemon', params: {}, message: english };
  expect(typeof translate({ status: 409, problem: newer }).sentence).toBe('object');
});

test('uses the singular for one second', () => {
  for (const name of ['pin_paused', 'link_sent_recently'] as const) {
    expect(translate({ reason: { name, seconds: 1 } }).sentence).toMatch(/ in 1 Sekunde\b/i);
    expect(translate({ reason: { name, seconds: 2 } }).sentence).toMatch(/ in 2 Sekunden\b/i);
  }
});

test('every status that the daemon returns has a general German text', () => {
  const statuses = new Set(Object.values(errorNames).map(({ status }) => status));
  expect([...statuses].filter((status) => german.findText('daemon.statuses', status) === undefined)).toEqual(
    [],
  );
});

test('a problem of every health part has a German text', () => {
  const ofExtensions = extensions.flatMap(({ healthPart }) => healthPart ?? []);
  const parts: Readonly<Record<HealthPart, true>> = {
    counting: true,
    storing: true,
    serving: true,
    https: true,
    clock: true,
    sensors: true,
    toggles: true,
    valves: true,
    disk: true,
    backups: true,
    readers: true,
    power: true,
    mail: true,
    webhooks: true,
    alarms: true,
    sales: true,
    updates: true,
  };
  expect(Object.keys(german.listTexts('daemon.problems')).sort()).toEqual(
    [...Object.keys(parts), ...ofExtensions].sort(),
  );
});

test('an unknown reason gets a general German text, followed by the English text marked as English', () => {
  const { sentence, fields } = translate({ status: 409, fields: { shout: 'must rhyme' } });
  expect(sentence).toMatchObject({
    props: {
      children: ['Das ist gerade nicht möglich.', ' ', { props: { lang: 'en', children: english } }],
    },
  });
  expect(fields.shout).toMatchObject({ props: { lang: 'en', children: 'must rhyme' } });
});

test('an unknown reason is shown in English by the sentence of the daemon alone', () => {
  const { sentence, fields } = translate({ status: 409, fields: { shout: 'must rhyme' } }, inEnglish);
  expect([sentence, fields.shout]).toEqual([english, 'must rhyme']);
});

test('does not take inherited object members for the text of an unknown reason', () => {
  const reason = { name: 'constructor' } as object as Refusal;
  expect(typeof translate({ reason }).sentence).toBe('object');
});
