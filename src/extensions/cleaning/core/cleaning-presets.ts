import type { CleaningKind } from './cleaning-terms.ts';

/** Intervals that a rule or a trade body asks for. */
export interface CleaningPreset {
  readonly name: string;
  /** ISO 3166 code of the country; null: no single one. */
  readonly country: string | null;
  /** Where the intervals come from, as it is cited. */
  readonly source: string;
  readonly plans: readonly { readonly kind: CleaningKind; readonly intervalDays: number }[];
}

/** Where a source gives a range, the shortest interval is taken. */
export const cleaningPresets: readonly CleaningPreset[] = [
  {
    name: 'brewers_association',
    country: 'US',
    source: 'Brewers Association, Draught Beer Quality Manual',
    plans: [
      { kind: 'caustic', intervalDays: 14 },
      { kind: 'acid', intervalDays: 90 },
      { kind: 'parts', intervalDays: 90 },
    ],
  },
  {
    name: 'pennsylvania',
    country: 'US',
    source: '40 Pa. Code § 5.51, since 2021-07-31 (51 Pa.B. 4228)',
    plans: [{ kind: 'caustic', intervalDays: 14 }],
  },
  {
    name: 'rhode_island',
    country: 'US',
    source: 'Rhode Island General Laws § 3-7-25',
    plans: [{ kind: 'caustic', intervalDays: 28 }],
  },
  {
    name: 'cask_marque',
    country: 'GB',
    source: 'Cask Marque, trade rule',
    plans: [{ kind: 'caustic', intervalDays: 7 }],
  },
  ...[
    { drink: 'beer', intervalDays: 7 },
    { drink: 'alcohol_free', intervalDays: 1 },
    { drink: 'juice', intervalDays: 1 },
    { drink: 'wine', intervalDays: 7 },
    { drink: 'syrup', intervalDays: 30 },
    { drink: 'water', intervalDays: 90 },
  ].map(
    ({ drink, intervalDays }): CleaningPreset => ({
      name: `din_6650_6_${drink}`,
      country: 'DE',
      source: 'DIN 6650-6, guide value',
      plans: [{ kind: 'caustic', intervalDays }],
    }),
  ),
];

export const findPreset = (name: string): CleaningPreset | undefined =>
  cleaningPresets.find((preset) => preset.name === name);
