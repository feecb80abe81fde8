import type { NewValues, ValuesOf } from '../../records/fields.ts';
import { gravityRange } from '../beer-volume.ts';
import type { CataloguePicture, Producer } from './producer-record.ts';

const upTo = (max: number, about: string) => ({ kind: 'number', min: 0, max, about, orNull: true }) as const;
const gravity = (about: string) =>
  ({ kind: 'number', ...gravityRange, digits: 3, about, orNull: true }) as const;

export const beverageFields = {
  name: { kind: 'text', min: 1, max: 255, about: 'Name of the beverage' },
  producerId: { kind: 'ref', about: 'Id of its producer' },
  beverageType: {
    kind: 'choice',
    of: ['beer', 'wine', 'soda', 'kombucha', 'other'],
    default: 'beer',
    about: 'Kind of beverage',
  },
  colorHex: {
    kind: 'text',
    min: 7,
    max: 7,
    // The colour of most beer.
    default: '#C35900',
    pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
    allowed: { fault: 'must be a colour such as #C35900', rule: { name: 'colour' } },
    toStored: (text: string) => (text.length === 4 ? text.replace(/[0-9a-f]/gi, '$&$&') : text),
    about: 'Colour, `#rrggbb`, in requests `#rgb` too',
  },
  description: { kind: 'lines', min: 0, max: 10_000, about: 'Text for everybody' },
  style: { kind: 'text', min: 1, max: 255, orNull: true, about: 'Name of its style' },
  vintageYear: {
    kind: 'date',
    min: 10,
    max: 10,
    orNull: true,
    about: 'Date of its vintage, `YYYY-MM-DD`',
  },
  abvPercent: { ...upTo(100, 'Alcohol by volume in percent'), unit: '%' },
  caloriesPerMl: { ...upTo(100, 'Kilocalories per millilitre'), unit: 'kcal/mL' },
  carbsPerMl: { ...upTo(100, 'Grams of carbohydrates per millilitre'), unit: 'g/mL' },
  originalGravity: gravity('Gravity before fermentation relative to water, such as 1.048'),
  specificGravity: gravity('Gravity after fermentation relative to water, such as 1.010'),
  srm: upTo(1_000, 'Colour by the Standard Reference Method'),
  ibu: upTo(10_000, 'Bitterness in International Bitterness Units'),
  starRating: upTo(5, 'Rating from 0 to 5 stars'),
  untappdBeerId: {
    kind: 'whole',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    orNull: true,
    about: 'Id of the beer at Untappd',
  },
  allergens: {
    kind: 'text',
    min: 0,
    max: 255,
    about: 'Allergens as the menu shows them, such as `Barley, wheat`',
  },
} as const;

export type BeverageFields = ValuesOf<typeof beverageFields>;
export type NewBeverage = NewValues<typeof beverageFields>;
export type BeverageType = BeverageFields['beverageType'];

export interface Beverage extends Omit<BeverageFields, 'producerId'> {
  readonly id: number;
  readonly producer: Producer;
  readonly picture: CataloguePicture | null;
}
