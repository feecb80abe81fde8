import { formatQuantity, toQuantity } from '../../core/kegs/volume-format.ts';
import { regionOf } from '../../core/kegs/volume-units.ts';
import type { Site } from '../../core/records.ts';
import type { Amounts, DayReport } from './reports.ts';

/** Formats a volume in the site's units. */
type FormatVolume = (ml: number) => string;

/** A business day as lines of plain text in English, for a mail. */
export function reportLines(
  report: DayReport,
  { volumeUnits, locale }: Pick<Site, 'volumeUnits' | 'locale'>,
): readonly string[] {
  const style = {
    units: volumeUnits,
    locale: 'en',
    region: regionOf(locale),
    words: { pint: 'pint', pints: 'pints' },
  };
  const volume = (ml: number) => formatQuantity(toQuantity(ml, style));
  const { taps, kegs, currency } = report;
  return [
    `Business day ${report.day.date}`,
    '',
    ...formatAmounts(report, currency, volume),
    ...section('By tap', taps, ({ name }) => name ?? 'no tap', currency, volume),
    ...section(
      'By keg',
      kegs,
      ({ kegId, beverage }) => (kegId === null ? 'no keg' : `${beverage ?? ''} (keg ${kegId})`),
      currency,
      volume,
    ),
  ];
}

function section<T extends Amounts>(
  title: string,
  parts: readonly T[],
  nameOf: (part: T) => string,
  currency: string,
  volume: FormatVolume,
): string[] {
  if (parts.length === 0) return [];
  return [
    '',
    title,
    ...parts.map((part) => `  ${nameOf(part)}: ${formatAmounts(part, currency, volume).join(', ')}`),
  ];
}

function formatAmounts(sums: Amounts, currency: string, volume: FormatVolume): string[] {
  const { drinks, pouredMl, spills, spilledMl, held, heldMl, cents } = sums;
  return [
    `${volume(pouredMl)} in ${formatCount(drinks, 'drink')}`,
    ...(spills > 0 ? [`${volume(spilledMl)} spilled`] : []),
    ...(held > 0 ? [`${volume(heldMl)} in ${formatCount(held, 'pour')} held for review`] : []),
    ...(cents === null ? [] : [`${(cents / 100).toFixed(2)} ${currency}`]),
  ];
}

const formatCount = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
