import { formatQuantity, toQuantity, type VolumeWords } from '../../core/kegs/volume-format.ts';
import { regionOf } from '../../core/kegs/volume-units.ts';
import type { Site } from '../../core/records.ts';
import type { MailLanguage } from '../../core/rules/mail-languages.ts';

/** One digit after the decimal mark of the language. */
export const formatNumber = (value: number, language: MailLanguage, digits = 1): string =>
  value.toLocaleString(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });

/** Formats a temperature in the site's units. */
export const formatTemperature = (
  tempC: number,
  { temperatureUnits }: Pick<Site, 'temperatureUnits'>,
  language: MailLanguage,
): string =>
  temperatureUnits === 'f'
    ? `${formatNumber((tempC * 9) / 5 + 32, language)} °F`
    : `${formatNumber(tempC, language)} °C`;

const volumeWords: Readonly<Record<MailLanguage, VolumeWords>> = {
  en: { pint: 'pint', pints: 'pints' },
  de: { pint: 'Pint', pints: 'Pints' },
};

/** Formats a volume in the site's units. */
export const formatVolume = (
  volumeMl: number,
  { volumeUnits, locale }: Pick<Site, 'volumeUnits' | 'locale'>,
  language: MailLanguage,
): string =>
  formatQuantity(
    toQuantity(volumeMl, {
      units: volumeUnits,
      locale: language,
      region: regionOf(locale),
      words: volumeWords[language],
    }),
  );
