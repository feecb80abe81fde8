import Type from 'typebox';
import type { AppErrorCode } from '../../core/app-error.ts';
import type { Refusals, Rules } from '../../core/rules/reasons.ts';
import type { NamedError } from './reply-format.ts';

// Texts of the OpenAPI documents. The types require one text for each name.

/** When an error of this code comes. */
export const codeTexts: Readonly<Record<AppErrorCode, string>> = {
  invalid_request: 'The request is malformed or does not fit its schema; no change was made.',
  no_key: 'The operation needs a key or a login, and the request has none.',
  bad_key: 'The key does not exist, or it or its owner is switched off.',
  not_allowed: 'The caller is known but may not do this.',
  not_found: 'The address, or what it names, does not exist.',
  wrong_method: 'The address exists, but not with this method; `Allow` lists the methods it has.',
  conflict: 'Allowed in principle, but not in the present state.',
  gone: 'The address has been retired.',
  too_large: 'The body or a file in it is larger than is accepted.',
  wrong_media:
    'The body has a media type or encoding that the operation does not read, or a file is no picture.',
  too_many: 'Too many requests; `Retry-After` says when to try again.',
  internal: 'A fault of the server, which is in its log under the number in `message`.',
  unavailable: 'A temporary fault: send the request again after `Retry-After`.',
};

/** When a request is refused for this reason, with the facts that the reason carries. */
export const reasonTexts: Readonly<Record<keyof Refusals, string>> = {
  wrong_login: 'No account has this name and this password.',
  wrong_password: 'The current password is wrong.',
  wrong_pin: 'No account has this name and this PIN.',
  wrong_code: 'The code is not the one on the console of the daemon.',
  pin_paused: 'Too many wrong PINs; the next one is checked in `seconds`.',
  pin_locked: 'Too many wrong PINs for this name; a log-in by password makes the PIN work again.',
  passwords_waiting: 'Too many passwords for this account are waiting to be checked; try again in `seconds`.',
  rate_limited:
    'A rate limit is reached; `what` is `requests`, `keys`, `passwords`, `codes` or `mails`, of which there were too many.',
  picture_quota: 'The user’s quota of `pictures` and `megabytes` in 24 hours is used up for `minutes`.',
  too_many_logins: 'Too many passwords are being checked at once.',
  switched_off: 'The account is switched off.',
  login_needed: 'Neither a key nor a login was sent.',
  login_expired: 'The login has ended.',
  pin_needed: 'On a shared tablet the operation needs a PIN: send `X-Tapster-Pin-Unlock`.',
  staff_only: 'Only staff may do this.',
  not_on_tablets: 'A shared tablet may not do this, also not with a PIN.',
  cross_site_request: 'A page of another site sent the request with the user’s cookie.',
  set_up_required: 'The site is not set up yet.',
  already_set_up: 'The site is set up already.',
  invitation_required:
    'Registration, or inviting, is reserved to those whom staff have invited, or to staff.',
  link_invalid: 'The link was used, has expired or never existed.',
  account_off: 'The account is switched off.',
  has_password: 'The account has a password already.',
  no_mail_address: 'The account has no e-mail address.',
  no_mail_server: 'No mail server is set.',
  no_site_address: 'The address of this server, which links in mails need, is unknown.',
  link_sent_recently:
    'A link was mailed within the last five minutes; the next one can be sent in `seconds`.',
  superusers_only: 'Only a superuser may change a superuser, or make one.',
  superuser_needed: 'Only a superuser may do this.',
  password_needed: 'The password must have been entered again within five minutes, see `confirmPassword`.',
  no_keys: 'An API key may not do this; a login may.',
  last_staff_account: 'It is the last active staff account.',
  idempotency_key_reused: 'The `Idempotency-Key` was used for a different request.',
  request_running: 'The same request is still being answered.',
  last_superuser: 'It is the last active superuser.',
  renamed_too_often: 'An account may be renamed `most` times a day.',
  too_many_aliases: 'The account has had `most` other names, which stay reserved for it.',
  not_found: 'The object does not exist.',
  no_current_session: 'There is no session at the moment.',
  tap_has_keg: 'Keg `keg` is on the tap `tap` already.',
  tap_is_empty: 'No keg is on the tap `tap`.',
  keg_on_tap: 'The keg `keg` is on the tap `tap`.',
  keg_on_other_tap: 'The keg `keg` is on another tap.',
  keg_finished: 'The keg `keg` is finished.',
  keg_not_finished: 'The keg `keg` is not finished.',
  keg_has_records: '`drinks` drinks and `spills` spills came from the keg `keg`.',
  keg_not_available: 'The keg `keg` is on a tap or finished.',
  beverage_in_kegs: 'Kegs contain the beverage `beverage`.',
  producer_has_beverages: 'The producer `producer` has beverages.',
  in_configuration: '`what` is named in the configuration file, which alone can change it.',
  on_serial_port: '`what` belongs to a board that is plugged into a serial port.',
  board_disconnected: 'The board of the relay `relay` is not connected.',
  relay_stuck: 'The relay `relay` does not do what it is told.',
  taps_not_simulated: 'The taps are real; only simulated ones can generate pulses.',
  queue_full: 'Too many pulses are waiting to be generated.',
  no_pairing_request: 'No such request of the board `device` for pairing is pending.',
  several_pairing_requests:
    '`requests` requests for pairing use the name `device`: choose one by `request_id`.',
  clock_synchronized: 'The clock is synchronized, so it cannot be set by hand.',
  clock_not_set: 'The clock of the server is not set.',
  drink_held: 'The drink `drink` is held for review.',
  drink_not_held: 'The drink `drink` is not held.',
  drink_has_user: 'The drink `drink` belongs to somebody.',
  drink_too_old: 'The drink `drink` was poured too long ago to be claimed.',
  claim_expired: 'The drink `drink` is not a recent claim of the caller.',
  no_claims: 'The site does not let guests claim drinks.',
  own_drinks_only: 'Only the drinker of the drink `drink` and staff may do this.',
  volume_for_staff: 'Only staff may change the volume of a drink.',
  not_corrected: 'The drink `drink` has not been corrected, so there is nothing to undo.',
  corrected_since: 'The drink `drink` was corrected again since: undo that first.',
  already_undone: 'The correction was undone already.',
  changed_by_calibration: 'A calibration changed the drink `drink` with others: undo that as a whole.',
  drink_gone: 'The drink `drink` does not exist any more.',
  keg_gone: 'The keg `keg` does not exist any more.',
  picture_since: 'The drink `drink` got a picture since.',
  meter_gone: 'The flow meter does not exist any more.',
  calibrated_since: 'The meter `meter` was calibrated again since.',
  different_kegs: 'The drinks `drink` and `other` are of different kegs.',
  different_sessions: 'The drinks `drink` and `other` are of different sessions.',
  different_meters: 'The drinks `drink` and `other` are of different meters.',
  time_uncertain: 'The time of the drink `drink` or `other` is uncertain.',
  sum_too_large: 'The drinks `drink` and `other` together are larger than a drink may be.',
  disk_full: 'The disk is full.',
  disk_faulty: 'The disk reports errors.',
  database_busy: 'Another program is writing to the database.',
  database_read_only: 'The database cannot be written.',
  database_damaged: 'The database is damaged.',
  database_not_open: 'The database is not open yet.',
  backup_running: 'A backup is being made already.',
  no_mail: 'No mail server is set.',
  too_large: 'The body or file is larger than `kilobytes` KiB.',
  no_disk_space: 'Only `megabytes` MB are free on the disk; the rest is reserved for drinks.',
  internal_error: 'A fault of the server, which is in its log under `fault`.',
};

/** What a field must be to keep this rule, with the facts that the rule carries. */
export const ruleTexts: Readonly<Record<keyof Rules, string>> = {
  required: 'The field is missing.',
  unknown: 'There is no such field.',
  whole: 'A whole number.',
  number: 'A number.',
  flag: 'True or false.',
  text: 'A text.',
  at_least: '`least` at least.',
  at_most: '`most` at most.',
  above: 'Above `limit`.',
  below: 'Below `limit`.',
  characters_at_least: '`least` characters at least.',
  characters_at_most: '`most` characters at most.',
  one_of: 'One of `allowed`, which are separated by commas.',
  whole_from_to: 'A whole number from `least` to `most`.',
  number_from_to: 'A number from `least` to `most`.',
  text_from_to: '`least` to `most` characters.',
  digits_from_to: '`least` to `most` digits.',
  either: 'Exactly one of this field and `other`.',
  taken: 'Not used by another object.',
  already_exists: 'Not in the list already.',
  exists: 'What it names must exist: an `account`, `beverage`, `keg` or other `what`.',
  does_not_match: 'The right password or PIN (`what`).',
  console_code: 'The code on the console of the daemon.',
  easily_guessed: 'Not easily guessed.',
  username_characters: 'Only characters that a username may have.',
  username_direction: 'Letters of one writing direction.',
  username_ends: 'No dot, hyphen or the like at either end.',
  username_one_script: 'Letters of one script.',
  mail_address: 'An e-mail address.',
  web_address: 'An address that begins with `http://` or `https://`.',
  date: 'A date, `YYYY-MM-DD`.',
  time: 'A time: ISO 8601, `YYYY-MM-DDTHH:MM:SSZ`, or whole Unix seconds.',
  hour_minute: 'A time of day, `HH:MM`.',
  days_from_first: 'At most `most` days from the first one.',
  time_zone: 'A time zone of the IANA database.',
  currency: 'A currency of ISO 4217, three letters.',
  country: 'A country of ISO 3166, three letters.',
  colour: 'A colour, `#RRGGBB`.',
  picture: 'A picture that can be read.',
  link: 'A link that is valid.',
  staff_only: 'Reserved to staff.',
  not_blank: 'A text with more than blanks.',
  ascii: 'Letters, digits and signs of ASCII without blanks.',
  no_dot: 'A text without a dot.',
  hidden_character: 'A text without hidden characters such as `character`.',
};

/** Formats texts by name as a list in Markdown. */
export const formatTexts = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, text]) => `- \`${name}\`: ${text}`)
    .join('\n');

/** The schema of an error's name in a reply format, with the status and text of each. */
export function ErrorName(names: Readonly<Record<AppErrorCode, NamedError>>) {
  const listed = Object.entries(names) as [AppErrorCode, NamedError][];
  const texts = listed.map(([code, { name, status }]) => `- \`${name}\`, ${status}: ${codeTexts[code]}`);
  return Type.Enum([...new Set(listed.map(([, { name }]) => name))], {
    description: `Name of the error, for programs, with the status of the reply.\n\n${texts.join('\n')}`,
  });
}
