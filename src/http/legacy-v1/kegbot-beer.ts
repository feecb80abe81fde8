import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Beverage, Keg, KegSize } from '../../core/records.ts';
import { Closed, Id, Maybe, named, RemainMl, TotalMl } from '../routes/schemas.ts';
import { cataloguePictureKegbot, PictureKegbot } from './kegbot-pictures.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';

const BeverageKegbot = named(
  'KegbotBeverage',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Name.' }),
      producer: Closed(
        {
          id: Id,
          name: Type.String({ description: 'Name.' }),
          is_homebrew: Type.Boolean({ description: 'True for a home brewer.' }),
          country: Type.String({ description: 'ISO 3166, three letters.' }),
          origin_state: Type.String({ description: 'State or region; may be empty.' }),
          origin_city: Type.String({ description: 'City; may be empty.' }),
          url: Type.String({ description: 'Web address; may be empty.' }),
          description: Type.String({ description: 'Text for everybody.' }),
          picture: Maybe(PictureKegbot),
        },
        { description: 'Its producer.' },
      ),
      beverage_type: Type.Enum(['beer', 'wine', 'soda', 'kombucha', 'other'], {
        description: 'Kind of beverage.',
      }),
      style: Maybe(Type.String({ description: 'Name of the style; absent when unknown.' })),
      description: Maybe(Type.String({ description: 'Text for everybody.' })),
      picture: Maybe(PictureKegbot),
      vintage_year: Maybe(Type.Integer({ description: 'Year of the vintage; absent when unknown.' })),
      abv_percent: Maybe(
        Type.Number({
          'x-unit': '%',
          minimum: 0,
          description: 'Alcohol by volume in percent; absent when unknown.',
        }),
      ),
      calories_per_ml: Maybe(
        Type.Number({
          'x-unit': 'kcal/mL',
          minimum: 0,
          description: 'Kilocalories per millilitre; absent when unknown.',
        }),
      ),
      carbs_per_ml: Maybe(
        Type.Number({
          'x-unit': 'g/mL',
          minimum: 0,
          description: 'Grams of carbohydrates per millilitre; absent when unknown.',
        }),
      ),
      original_gravity: Maybe(
        Type.Number({
          minimum: 0,
          description: 'Gravity before fermentation relative to water; absent when unknown.',
        }),
      ),
      specific_gravity: Maybe(
        Type.Number({
          minimum: 0,
          description: 'Gravity after fermentation relative to water; absent when unknown.',
        }),
      ),
      untappd_id: Maybe(Type.String({ description: 'Id at Untappd; absent when unknown.' })),
      color_hex: Maybe(Type.String({ description: 'Colour, `#rrggbb`.' })),
      srm: Maybe(
        Type.Number({
          exclusiveMinimum: 0,
          description: 'Colour by the Standard Reference Method; absent when unknown.',
        }),
      ),
      ibu: Maybe(
        Type.Number({
          exclusiveMinimum: 0,
          description: 'International Bitterness Units; absent when unknown.',
        }),
      ),
      star_rating: Maybe(
        Type.Number({
          minimum: 0,
          maximum: 5,
          description: 'Rating from 0 to 5 stars; absent when unknown.',
        }),
      ),
    },
    { description: 'A beverage.' },
  ),
);

export const KegKegbot = named(
  'KegbotKeg',
  Closed(
    {
      id: Id,
      keg_type: Type.String({ description: 'Key of the keg size, such as `corny`.' }),
      remaining_volume_ml: RemainMl,
      full_volume_ml: { ...TotalMl, description: 'Volume of the full keg in millilitres.' },
      served_volume_ml: { ...TotalMl, description: 'Volume of its drinks in millilitres.' },
      spilled_volume_ml: { ...TotalMl, description: 'Volume lost in millilitres.' },
      percent_full: Type.Number({
        minimum: 0,
        maximum: 100,
        'x-unit': '%',
        description:
          'How full the keg is, in percent: 100 is full, 25 a quarter. The other form of this API has a fraction.',
      }),
      start_time: { ...KegbotTime, description: 'UTC time at which it was put on tap.' },
      end_time: {
        ...KegbotTime,
        description: 'UTC time at which it was finished; the start while it is not.',
      },
      online: Type.Boolean({ description: 'True while the keg is on a tap.' }),
      beverage: BeverageKegbot,
      illustration_url: Type.String({ description: 'Always empty.' }),
      illustration_thumbnail_url: Type.String({ description: 'Always empty.' }),
      description: Maybe(Type.String({ description: 'Text for everybody; absent when empty.' })),
    },
    { description: 'A keg.' },
  ),
);

/** A keg with its beverage and size. */
export interface KegWithBeer {
  readonly keg: Keg;
  readonly beverage: Beverage;
  readonly size: KegSize;
}

export function kegKegbot({ keg, beverage, size }: KegWithBeer): Static<typeof KegKegbot> {
  const remainMl = keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
  const percent = keg.fullVolumeMl > 0 ? (remainMl / keg.fullVolumeMl) * 100 : 0;
  return {
    id: keg.id,
    keg_type: size.key,
    remaining_volume_ml: remainMl,
    full_volume_ml: keg.fullVolumeMl,
    served_volume_ml: keg.servedVolumeMl,
    spilled_volume_ml: keg.spilledVolumeMl,
    percent_full: Math.min(100, Math.max(0, percent)),
    start_time: kegbotTime(keg.startedTimeMs),
    // Existing clients require a time here, even while the keg is on tap.
    end_time: kegbotTime(keg.finishedTimeMs ?? keg.startedTimeMs),
    online: keg.state === 'on_tap',
    beverage: beverageKegbot(beverage),
    illustration_url: '',
    illustration_thumbnail_url: '',
    ...omitUndefined({ description: keg.description || undefined }),
  };
}

const beverageKegbot = (beverage: Beverage): Static<typeof BeverageKegbot> => ({
  id: beverage.id,
  name: beverage.name,
  producer: {
    id: beverage.producer.id,
    name: beverage.producer.name,
    is_homebrew: beverage.producer.isHomebrew,
    country: beverage.producer.country,
    origin_state: beverage.producer.originState,
    origin_city: beverage.producer.originCity,
    url: beverage.producer.url,
    description: beverage.producer.description,
    ...pictureField(beverage.producer),
  },
  beverage_type: beverage.beverageType,
  ...omitUndefined({ style: beverage.style || undefined, description: beverage.description || undefined }),
  ...pictureField(beverage),
  ...omitUndefined({
    vintage_year: beverage.vintageYear === null ? undefined : Number(beverage.vintageYear.slice(0, 4)),
    abv_percent: beverage.abvPercent ?? undefined,
    calories_per_ml: beverage.caloriesPerMl ?? undefined,
    carbs_per_ml: beverage.carbsPerMl ?? undefined,
    original_gravity: beverage.originalGravity ?? undefined,
    specific_gravity: beverage.specificGravity ?? undefined,
    untappd_id: beverage.untappdBeerId === null ? undefined : String(beverage.untappdBeerId),
    color_hex: beverage.colorHex || undefined,
    srm: beverage.srm || undefined,
    ibu: beverage.ibu || undefined,
    star_rating: beverage.starRating ?? undefined,
  }),
});

const pictureField = ({ picture }: Pick<Beverage, 'picture'>) =>
  picture === null ? {} : { picture: cataloguePictureKegbot(picture) };
