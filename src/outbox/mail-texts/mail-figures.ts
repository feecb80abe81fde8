import { toOz, toUkPints } from '../../core/kegs/volume-units.ts';
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

/** Formats a volume in the site's units. */
export function formatVolume(
  volumeMl: number,
  { volumeUnits }: Pick<Site, 'volumeUnits'>,
  language: MailLanguage,
): string {
  const metric =
    volumeMl < 500 ? `${Math.round(volumeMl)} mL` : `${formatNumber(volumeMl / 1_000, language)} L`;
  switch (volumeUnits) {
    case 'metric':
      return metric;
    case 'us':
      return `${Math.round(toOz(volumeMl))} oz`;
    case 'uk':
      return `${formatNumber(toUkPints(volumeMl), language)} pints (${metric})`;
  }
}
