import { gravityRange } from '../../core/kegs/beer-volume.ts';
import type { BeverageType } from '../../core/records.ts';
import type { BeverageFields } from '../../store/kegs/beverages-table.ts';
import type { ProducerFields } from '../../store/kegs/producers-table.ts';
import { validateDate, validateNumber, validateText, validationError } from '../shared/bounds.ts';

const beverageTypes: readonly BeverageType[] = ['beer', 'wine', 'soda', 'kombucha', 'other'];

/** Defaults of a new beverage; amber is the colour of most beer. */
export const unknownBeverage: Omit<BeverageFields, 'name' | 'producerId'> = {
  beverageType: 'beer',
  style: null,
  description: '',
  vintageYear: null,
  abvPercent: null,
  caloriesPerMl: null,
  carbsPerMl: null,
  colorHex: '#C35900',
  originalGravity: null,
  specificGravity: null,
  srm: null,
  ibu: null,
  starRating: null,
  untappdBeerId: null,
  allergens: '',
};

/** Defaults of a new producer. */
export const unknownProducer: Omit<ProducerFields, 'name'> = {
  country: '',
  originState: '',
  originCity: '',
  isHomebrew: false,
  url: '',
  description: '',
};

/** Validates a beverage against the database's limits. */
export function validateBeverage(fields: BeverageFields): BeverageFields {
  const number = (field: string, value: number | null, max: number) =>
    value === null ? null : validateNumber(field, value, { min: 0, max });
  const gravity = (field: string, value: number | null) =>
    value === null ? null : validateNumber(field, value, gravityRange);
  const { untappdBeerId } = fields;
  if (!beverageTypes.includes(fields.beverageType)) {
    throw validationError('beverage_type', `must be one of ${beverageTypes.join(', ')}`, {
      name: 'one_of',
      allowed: beverageTypes.join(', '),
    });
  }
  return {
    name: validateText('name', fields.name, { max: 255 }),
    producerId: fields.producerId,
    beverageType: fields.beverageType,
    style: validateText('style', fields.style ?? '', { min: 0, max: 255 }) || null,
    description: validateText('description', fields.description, { min: 0, max: 10_000, kind: 'lines' }),
    vintageYear: fields.vintageYear === null ? null : validateDate('vintage_year', fields.vintageYear),
    abvPercent: number('abv_percent', fields.abvPercent, 100),
    caloriesPerMl: number('calories_per_ml', fields.caloriesPerMl, 100),
    carbsPerMl: number('carbs_per_ml', fields.carbsPerMl, 100),
    colorHex: validateColor(fields.colorHex),
    originalGravity: gravity('original_gravity', fields.originalGravity),
    specificGravity: gravity('specific_gravity', fields.specificGravity),
    srm: number('srm', fields.srm, 1_000),
    ibu: number('ibu', fields.ibu, 10_000),
    starRating: number('star_rating', fields.starRating, 5),
    untappdBeerId:
      untappdBeerId === null
        ? null
        : validateNumber('untappd_beer_id', untappdBeerId, {
            min: 1,
            max: Number.MAX_SAFE_INTEGER,
            whole: true,
          }),
    allergens: validateText('allergens', fields.allergens, { min: 0, max: 255 }),
  };
}

/** Validates a producer against the database's limits. */
export function validateProducer(fields: ProducerFields): ProducerFields {
  const { country } = fields;
  if (!/^([A-Z]{3})?$/.test(country))
    throw validationError('country', 'must be three letters of ISO 3166 such as DEU', { name: 'country' });
  return {
    name: validateText('name', fields.name, { max: 255 }),
    country,
    originState: validateText('origin_state', fields.originState, { min: 0, max: 128 }),
    originCity: validateText('origin_city', fields.originCity, { min: 0, max: 128 }),
    isHomebrew: fields.isHomebrew,
    url: validateUrl(validateText('url', fields.url, { min: 0, max: 200 })),
    description: validateText('description', fields.description, { min: 0, max: 10_000, kind: 'lines' }),
  };
}

/** `#rgb` is short for `#rrggbb`. */
function validateColor(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text;
  if (/^#[0-9a-f]{3}$/i.test(text)) return text.replace(/[0-9a-f]/gi, '$&$&');
  throw validationError('color_hex', 'must be a colour such as #C35900', { name: 'colour' });
}

/** Validates a link for a page: a scheme other than http could be a script. */
function validateUrl(text: string): string {
  if (text === '') return text;
  const isWeb = /^https?:\/\//i.test(text) && URL.canParse(text);
  if (!isWeb)
    throw validationError('url', 'must be an address that begins with http:// or https://', {
      name: 'web_address',
    });
  return text;
}
