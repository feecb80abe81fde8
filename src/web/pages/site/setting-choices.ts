import { language, t } from '../../locales/locale.ts';

/** Languages with countries that are offered; another one can be stored through the API. */
const offeredLocales = [
  ...[
    'bg-BG',
    'cs-CZ',
    'da-DK',
    'de-AT',
    'de-CH',
    'de-DE',
    'de-LI',
    'de-LU',
    'el-GR',
    'en-AU',
    'en-CA',
    'en-GB',
  ],
  ...[
    'en-IE',
    'en-IN',
    'en-NZ',
    'en-SG',
    'en-US',
    'en-ZA',
    'es-AR',
    'es-CL',
    'es-CO',
    'es-ES',
    'es-MX',
    'es-US',
  ],
  ...[
    'et-EE',
    'fi-FI',
    'fr-BE',
    'fr-CA',
    'fr-CH',
    'fr-FR',
    'fr-LU',
    'hr-HR',
    'hu-HU',
    'it-CH',
    'it-IT',
    'ja-JP',
  ],
  ...[
    'ko-KR',
    'lt-LT',
    'lv-LV',
    'nb-NO',
    'nl-BE',
    'nl-NL',
    'pl-PL',
    'pt-BR',
    'pt-PT',
    'ro-RO',
    'sk-SK',
    'sl-SI',
  ],
  ...['sv-FI', 'sv-SE', 'tr-TR', 'uk-UA', 'zh-CN', 'zh-TW'],
] as const;

/** Values of a setting with their names, in the order of the names. */
type Choices = Readonly<Record<string, string>>;

/** Languages with countries by their tags, `current` among them; the empty value is no language. */
export function localeChoices(current: string): Choices {
  const names = new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' });
  const tags = [...new Set([...offeredLocales, ...(current === '' ? [] : [current])])];
  const named = tags.map((tag) => [tag, names.of(tag) ?? tag] as const);
  return {
    '': t('site.noLocale'),
    ...Object.fromEntries(named.toSorted(([, one], [, other]) => one.localeCompare(other, language))),
  };
}

/** Time zones that the browser knows, `current` among them. */
export function timeZoneChoices(current: string): Choices {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), current]);
  return Object.fromEntries([...zones].toSorted().map((zone) => [zone, zone.replaceAll('_', ' ')]));
}

/** Currencies that the browser knows by name, `current` among them. */
export function currencyChoices(current: string): Choices {
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  const codes = [...new Set([...Intl.supportedValuesOf('currency'), current])];
  const named = codes.map((code) => [code, `${names.of(code) ?? code} (${code})`] as const);
  return Object.fromEntries(named.toSorted(([, one], [, other]) => one.localeCompare(other, language)));
}

/** Currencies (ISO 4217) of the countries of `offeredLocales` that do not pay in euros. */
const currencies: Readonly<Record<string, string>> = {
  AR: 'ARS',
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CL: 'CLP',
  CN: 'CNY',
  CO: 'COP',
  CZ: 'CZK',
  DK: 'DKK',
  GB: 'GBP',
  HU: 'HUF',
  IN: 'INR',
  JP: 'JPY',
  KR: 'KRW',
  LI: 'CHF',
  MX: 'MXN',
  NO: 'NOK',
  NZ: 'NZD',
  PL: 'PLN',
  RO: 'RON',
  SE: 'SEK',
  SG: 'SGD',
  TR: 'TRY',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
  ZA: 'ZAR',
};

/** Settings that a browser suggests for its country. */
export interface FoundSettings {
  readonly locale: string;
  readonly timezone: string;
  readonly volume_display_units: 'metric' | 'us' | 'uk';
  readonly temperature_display_units: 'c' | 'f';
  readonly currency: string;
}

/** Countries that measure temperatures in degrees Fahrenheit and volumes in US fluid ounces. */
const usRegions: ReadonlySet<string> = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'LR']);

/** Suggests settings from the browser's language tag and time zone. */
export function findSettings(
  tag: string,
  timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): FoundSettings {
  const region = new Intl.Locale(tag).maximize().region ?? '';
  const isUs = usRegions.has(region);
  return {
    locale: new Intl.NumberFormat(tag).resolvedOptions().locale,
    timezone: timeZone,
    volume_display_units: isUs ? 'us' : region === 'GB' ? 'uk' : 'metric',
    temperature_display_units: isUs ? 'f' : 'c',
    currency: currencies[isUs && region !== 'LR' ? 'US' : region] ?? 'EUR',
  };
}
