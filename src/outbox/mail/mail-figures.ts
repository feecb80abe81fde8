import { formatQuantity, toQuantity } from '../../core/kegs/volume-format.ts';
import { regionOf } from '../../core/kegs/volume-units.ts';
import type { Site } from '../../core/records.ts';
import { fromCelsius, temperatureSign } from '../../core/temperatures/temperature-units.ts';
import type { DaemonTexts } from '../../system/catalogues.ts';

/** One digit after the decimal mark of the language. */
export const formatNumber = (value: number, { language }: DaemonTexts): string =>
  value.toLocaleString(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    useGrouping: false,
  });

/** Formats a temperature in the site's units. */
export const formatTemperature = (
  tempC: number,
  { temperatureUnits }: Pick<Site, 'temperatureUnits'>,
  texts: DaemonTexts,
): string =>
  `${formatNumber(fromCelsius(tempC, temperatureUnits), texts)} ${temperatureSign(temperatureUnits)}`;

/** Formats a difference of temperatures in the site's units. */
export const formatTemperatureRise = (
  riseC: number,
  { temperatureUnits }: Pick<Site, 'temperatureUnits'>,
  texts: DaemonTexts,
): string =>
  `${formatNumber(fromCelsius(riseC, temperatureUnits) - fromCelsius(0, temperatureUnits), texts)} ${temperatureSign(temperatureUnits)}`;

/** Formats a volume in the site's units. */
export const formatVolume = (
  volumeMl: number,
  { volumeUnits, locale }: Pick<Site, 'volumeUnits' | 'locale'>,
  { language, t }: DaemonTexts,
): string =>
  formatQuantity(
    toQuantity(volumeMl, {
      units: volumeUnits,
      locale: language,
      region: regionOf(locale),
      words: { pint: t('units.partOfPint'), pints: t('units.pint') },
    }),
  );
