import type { Amounts, DayReport } from './reports.ts';

/** A business day as lines of plain text, for a mail. */
export function reportLines(report: DayReport): readonly string[] {
  const { taps, kegs, currency } = report;
  return [
    `Business day ${report.day.date}`,
    '',
    ...formatAmounts(report, currency),
    ...section('By tap', taps, ({ name }) => name ?? 'no tap', currency),
    ...section(
      'By keg',
      kegs,
      ({ kegId, beverage }) => (kegId === null ? 'no keg' : `${beverage ?? ''} (keg ${kegId})`),
      currency,
    ),
  ];
}

function section<T extends Amounts>(
  title: string,
  parts: readonly T[],
  nameOf: (part: T) => string,
  currency: string,
): string[] {
  if (parts.length === 0) return [];
  return [
    '',
    title,
    ...parts.map((part) => `  ${nameOf(part)}: ${formatAmounts(part, currency).join(', ')}`),
  ];
}

function formatAmounts(sums: Amounts, currency: string): string[] {
  const { drinks, pouredMl, spills, spilledMl, held, heldMl, cents } = sums;
  return [
    `${litres(pouredMl)} in ${formatCount(drinks, 'drink')}`,
    ...(spills > 0 ? [`${litres(spilledMl)} spilled`] : []),
    ...(held > 0 ? [`${litres(heldMl)} in ${formatCount(held, 'pour')} held for review`] : []),
    ...(cents === null ? [] : [`${(cents / 100).toFixed(2)} ${currency}`]),
  ];
}

const litres = (ml: number): string => `${(ml / 1000).toFixed(2)} L`;
const formatCount = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
