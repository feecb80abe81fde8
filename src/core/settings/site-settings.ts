import { parseOpeningHours } from '../clock/opening-hours.ts';
import { httpsRequirements, httpsRequirementText } from '../network/https-requirement.ts';
import {
  type ChoiceSetting,
  choice,
  type FlagSetting,
  flag,
  hiddenCharacterFault,
  listSettings,
  plainSettingFault,
  type SettingBase,
  type SettingFault,
  type SettingValues,
  type WholeSetting,
  whole,
} from './setting-declarations.ts';

interface TextSetting extends SettingBase<string> {
  readonly kind: 'text';
  /** 0 allows an empty text. */
  readonly minLength: 0 | 1;
  readonly maxLength: number;
}

/** The IANA name of a time zone. */
interface ZoneSetting extends SettingBase<string> {
  readonly kind: 'zone';
}

/** A language tag such as `de-DE`; may be empty. */
interface LocaleSetting extends SettingBase<string> {
  readonly kind: 'locale';
}

/** Hours of a day such as `16:00-02:00`; may be empty. */
interface HoursSetting extends SettingBase<string> {
  readonly kind: 'hours';
}

export type SiteSetting =
  | TextSetting
  | ZoneSetting
  | LocaleSetting
  | HoursSetting
  | ChoiceSetting<string>
  | WholeSetting
  | FlagSetting;

/** Every setting made on a page; declared only here. */
export const siteSettings = {
  title: {
    kind: 'text',
    name: 'title',
    minLength: 1,
    maxLength: 64,
    default: 'Tapster',
    description: 'Name of the bar.',
  } satisfies TextSetting,
  privacy: choice({
    name: 'privacy',
    of: ['public', 'members', 'staff'],
    default: 'public',
    letsIn: true,
    description: 'Who may see the pages: everybody, users with an account, or staff only.',
  }),
  timeZone: {
    kind: 'zone',
    name: 'timezone',
    default: 'UTC',
    description: 'IANA name such as `Europe/Berlin`: days begin and end in this time zone.',
  } satisfies ZoneSetting,
  locale: {
    kind: 'locale',
    name: 'locale',
    default: '',
    description:
      'Language and region such as `de-DE` or `en-US`: language of e-mails to people and of pages for guests who have chosen none, and how files for Excel write numbers and separate cells. Empty: English, and a decimal comma and semicolons.',
  } satisfies LocaleSetting,
  volumeUnits: choice({
    name: 'volume_display_units',
    of: ['metric', 'us', 'uk'],
    default: 'us',
    description:
      'Units for displaying volumes: millilitres and litres, US fluid ounces (29.57 mL) and pints (473 mL), or UK ' +
      'pints (568 mL). All volumes of the API are millilitres.',
  }),
  temperatureUnits: choice({
    name: 'temperature_display_units',
    of: ['c', 'f'],
    default: 'f',
    description: 'Units for displaying temperatures; they are stored in degrees Celsius.',
  }),
  allergenNote: {
    kind: 'text',
    name: 'allergen_note',
    minLength: 0,
    maxLength: 500,
    default: '',
    description:
      'Note about allergens below the menu for guests; empty for none. Beverages may have notes of their own.',
  } satisfies TextSetting,
  openingHours: {
    kind: 'hours',
    name: 'opening_hours',
    default: '',
    description:
      'Opening hours such as `16:00-02:00`, in the site’s time zone; kiosk screens are dimmed outside them. Empty: never dimmed.',
  } satisfies HoursSetting,
  sessionTimeoutMinutes: whole({
    name: 'session_timeout_minutes',
    min: 0,
    max: 525_600,
    unit: 'min',
    default: 180,
    description: 'A session ends when no drink was poured for this long. Affects later drinks.',
  }),
  kegLowPercent: whole({
    name: 'keg_low_percent',
    min: 1,
    max: 50,
    unit: '%',
    default: 15,
    description: 'Remaining share of a keg at which its volume counts as low. Affects later drinks.',
  }),
  registrationMode: choice({
    name: 'registration_mode',
    of: ['public', 'member-invite-only', 'staff-invite-only'],
    // Whoever reaches the page may be a guest on the bar's Wi-Fi: an account is given to people that staff know.
    default: 'staff-invite-only',
    letsIn: true,
    description: 'Who may register: everybody, people invited by members, or people invited by staff.',
  }),
  enableSensing: flag('enable_sensing', true, 'Show data of meters and thermo sensors.'),
  enableUsers: flag(
    'enable_users',
    true,
    'Show on the pages and in mails who drank what, and offer to assign and claim drinks. The APIs tell it in any case; ' +
      '`privacy` decides who may read them.',
  ),
  allowClaims: flag(
    'allow_claims',
    false,
    'Let logged-in users claim an unattributed pour within ten minutes.',
  ),
  applyLearnedFactors: flag(
    'apply_learned_factors',
    false,
    'Calibrate meters by themselves with what they have learned from emptied kegs and measured pours, where the change lies within the ' +
      'interval of the present factor. Past drinks stay. Written to the audit log, and can be undone.',
  ),
  requireHttps: choice({
    name: 'require_https',
    of: [...httpsRequirements],
    default: 'auto',
    letsIn: true,
    description: `${httpsRequirementText} \`http.require_https\` of the configuration file wins.`,
  }),
  updatesCheck: flag(
    'updates_check',
    false,
    'Ask once a day whether there is a new version. Only the address `updates.manifest_url` of the configuration file is asked; ' +
      'nothing that identifies the bar or the machine is sent.',
  ),
  updatesInstall: choice({
    name: 'updates_install',
    of: ['ask', 'quiet_hour'],
    default: 'ask',
    description:
      'What happens with a new version: `ask` waits until a superuser installs it, `quiet_hour` installs it in the hour `updates_hour`.',
  }),
  updatesHour: whole({
    name: 'updates_hour',
    min: 0,
    max: 23,
    unit: 'h',
    // The usual end of the business day.
    default: 4,
    description:
      'Hour of the day, in the site’s time zone, in which new versions are installed while no tap pours: 4 is from 04:00 to 05:00.',
  }),
  showDaysSinceCleaning: flag(
    'show_days_since_cleaning',
    false,
    'Show guests on the menu how many days ago the line of each tap was cleaned. Staff see it in any case.',
  ),
  showFirstSteps: flag(
    'show_first_steps',
    true,
    'Show staff on the first page what is left to do before the first guest, until all of it is done.',
  ),
  menuCodePrinted: flag(
    'menu_code_printed',
    false,
    'The QR code of the menu was printed; the page sets it with its print button. It only ticks off the first step.',
  ),
} as const;

export type SiteSettingName = keyof typeof siteSettings;

/** A value for every setting. */
export type SiteSettings = SettingValues<typeof siteSettings>;

/** The declarations in order, with their internal names. */
export const settingList: readonly (readonly [SiteSettingName, SiteSetting])[] = listSettings(siteSettings);

/** Those that decide who is let in. */
export const accessSettingList = settingList.filter(([, { letsIn }]) => letsIn === true);

/** Why a value does not fit a setting; null when it fits. Texts are not trimmed here. */
export function settingFault(setting: SiteSetting, value: unknown): SettingFault | null {
  switch (setting.kind) {
    case 'text':
      return textFault(setting, value);
    case 'zone':
      return isTimeZone(value)
        ? null
        : { fault: 'must be an IANA name such as Europe/Berlin', rule: { name: 'time_zone' } };
    case 'locale':
      return isLocale(value)
        ? null
        : { fault: 'must be a language tag such as de-DE, or empty', rule: { name: 'language_tag' } };
    case 'hours':
      return value === '' || (typeof value === 'string' && parseOpeningHours(value) !== null)
        ? null
        : { fault: 'must be hours such as 16:00-02:00, or empty', rule: { name: 'opening_hours' } };
    default:
      return plainSettingFault(setting, value);
  }
}

function textFault({ minLength, maxLength }: TextSetting, value: unknown): SettingFault | null {
  const rule = { name: 'text_from_to', least: minLength, most: maxLength } as const;
  if (typeof value !== 'string') return { fault: 'must be text', rule };
  const hidden = hiddenCharacterFault(value);
  if (hidden !== null) return hidden;
  const length = [...value].length;
  const fits = value.trim() === value && length >= minLength && length <= maxLength;
  return fits ? null : { fault: `must be a text of ${minLength} to ${maxLength} characters`, rule };
}

function isLocale(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 35) return false;
  if (value === '') return true;
  try {
    return Intl.NumberFormat.supportedLocalesOf(value)[0] === value;
  } catch {
    return false;
  }
}

/** Accepts names only: an offset such as `+02:00` would be wrong for half the year. */
function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 64 || !/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
