import type { ValuesOf } from '../records/fields.ts';
import { maxLineMl, maxTapNameLength, maxTapNumber } from './tap-bounds.ts';

const lineMl = (min: number, about: string) =>
  ({ kind: 'number', min, max: maxLineMl, unit: 'mL', digits: 0, orNull: true, about }) as const;

/** What staff write of a tap. */
export const tapFields = {
  name: {
    kind: 'text',
    min: 1,
    max: maxTapNameLength,
    about: 'Name of the tap. Two taps may have the same name',
  },
  notes: { kind: 'lines', min: 0, max: 10_000, staffOnly: true, about: 'Notes' },
  sortOrder: {
    kind: 'whole',
    min: 0,
    max: 2_147_483_647,
    otherwise: 'behind the other taps',
    about: 'Taps are listed in ascending order of it',
  },
  number: {
    kind: 'whole',
    min: 1,
    max: maxTapNumber,
    otherwise: 'the number in its name if that is free, else the lowest free one',
    about: 'Number of the tap, which guests see; no other tap may have it',
  },
  lineVolumeMl: lineMl(
    1,
    'Volume of the beer line from keg to tap in millilitres: a hose holds 0.7854 · d² mL per metre, d its inner diameter in mm',
  ),
  lineToMeterMl: lineMl(
    0,
    'Volume of the part of the line before the meter in millilitres, at most `line_volume_ml`',
  ),
  hasFob: {
    kind: 'flag',
    about:
      'True when a foam-on-beer detector stops the flow as soon as the keg is empty: no gas comes out of the tap then, and the line ' +
      'stays full',
  },
} as const;

export type TapFields = ValuesOf<typeof tapFields>;
/** A new tap; what is left out gets its default. */
export type NewTap = Pick<TapFields, 'name' | 'sortOrder' | 'number'> & Partial<TapFields>;
