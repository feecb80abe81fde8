import Type, { type Static } from 'typebox';
import { caloriesPerOz } from '../../../core/kegs/volume-units.ts';
import type { Beverage, Keg, KegSize, Producer } from '../../../core/records.ts';
import { pictureAddress } from '../../pictures.ts';
import {
  BrewerId,
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  PercentFull,
  RemainMl,
  TextId,
  TotalMl,
  VolumeMl,
} from '../../routes/schemas.ts';

export const KegJson = named(
  'Keg',
  Closed(
    {
      id: Id,
      status: Type.Enum(['online', 'offline'], { description: '`online` while the keg is on a tap.' }),
      state: Type.Enum(['available', 'on_tap', 'finished'], { description: 'Where the keg is in its life.' }),
      volume_ml_remain: RemainMl,
      percent_full: PercentFull,
      full_volume_ml: { ...VolumeMl, description: 'Volume of the full keg in millilitres.' },
      served_volume_ml: { ...TotalMl, description: 'Volume of its drinks in millilitres.' },
      spilled_ml: { ...TotalMl, description: 'Volume lost in millilitres.' },
      description: Type.String({ description: 'Text for everybody; may be empty.' }),
      notes: Maybe(Type.String({ description: 'Shown to staff only.' })),
      type_id: { ...TextId, description: 'Id of its beverage, as text.' },
      size_id: { ...Id, description: 'Id of its size.' },
      started_time: {
        ...IsoSeconds,
        description: 'UTC time at which it was put on tap; of its creation before that.',
      },
      finished_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time at which it was finished; null until then.',
      }),
      ran_dry: Nullable(
        Type.Boolean({
          description: 'Whether it was empty when it was finished, as staff said; null where nobody said so.',
        }),
      ),
    },
    { description: 'A keg.' },
  ),
);

export const PictureJson = named(
  'Picture',
  Closed(
    {
      resized_url: Type.String({ description: 'Address of the picture, at most 1024 pixels long.' }),
      thumbnail_url: Type.String({ description: 'Address of a square of 128 pixels.' }),
      caption: Type.String({ description: 'Caption; may be empty.' }),
    },
    { description: 'A picture in two sizes.' },
  ),
);

export const ProducerJson = named(
  'Producer',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Name of the producer.' }),
      country: Type.String({ description: 'Country, ISO 3166, three letters; empty when unknown.' }),
      origin_state: Type.String({ description: 'State or region of origin; may be empty.' }),
      origin_city: Type.String({ description: 'City of origin; may be empty.' }),
      is_homebrew: Type.Boolean({ description: 'True for a home brewer.' }),
      url: Type.String({ description: 'Web address; empty when unknown.' }),
      description: Type.String({ description: 'Text for everybody; may be empty.' }),
      picture: Nullable(PictureJson),
    },
    { description: 'A maker of beverages.' },
  ),
);

export const KegSizeJson = named(
  'KegSize',
  Closed(
    {
      id: Id,
      key: Type.String({ description: 'Short name such as `half-barrel`.' }),
      name: Type.String({ description: 'Name of the size.' }),
      volume_ml: { ...VolumeMl, description: 'Volume of a full keg in millilitres.' },
    },
    { description: 'A size of kegs.' },
  ),
);

export const BeverageJson = named(
  'BeerType',
  Closed(
    {
      id: TextId,
      name: Type.String({ description: 'Name of the beverage.' }),
      style_id: Type.String({ description: 'Name of the style; empty when unknown.' }),
      brewer_id: BrewerId,
      abv: Nullable(Type.Number({ 'x-unit': '%', description: 'Alcohol by volume in percent.' })),
      calories_oz: Nullable(
        Type.Number({ 'x-unit': 'kcal/oz', description: 'Calories in a US fluid ounce.' }),
      ),
      beverage_type: Type.Enum(['beer', 'wine', 'soda', 'kombucha', 'other'], {
        description: 'Kind of beverage.',
      }),
      color_hex: Type.String({ description: 'Colour, `#rrggbb`.' }),
      description: Type.String({ description: 'Text for everybody; may be empty.' }),
      vintage_year: Nullable(
        Type.String({ description: 'Date of its vintage, `YYYY-MM-DD`; null when unknown.' }),
      ),
      calories_per_ml: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'kcal/mL',
          description: 'Kilocalories per millilitre; null when unknown.',
        }),
      ),
      carbs_per_ml: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'g/mL',
          description: 'Grams of carbohydrates per millilitre; null when unknown.',
        }),
      ),
      original_gravity: Nullable(
        Type.Number({
          minimum: 0,
          maximum: 10,
          description: 'Gravity before fermentation relative to water; null when unknown.',
        }),
      ),
      specific_gravity: Nullable(
        Type.Number({
          minimum: 0,
          maximum: 10,
          description: 'Gravity after fermentation relative to water; null when unknown.',
        }),
      ),
      srm: Nullable(Type.Number({ description: 'Colour by the Standard Reference Method.' })),
      ibu: Nullable(Type.Number({ description: 'International bitterness units.' })),
      star_rating: Nullable(
        Type.Number({ minimum: 0, maximum: 5, description: 'Rating from 0 to 5 stars; null when unknown.' }),
      ),
      untappd_beer_id: Nullable({ ...Id, description: 'Id of the beer at Untappd; null when unknown.' }),
      allergens: Type.String({
        description: 'Allergens as the menu shows them; empty when nothing is noted.',
      }),
      picture: Nullable(PictureJson),
      producer: ProducerJson,
    },
    { description: 'A beverage.' },
  ),
);

export function kegJson(keg: Keg): Static<typeof KegJson> {
  const remainMl = keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
  return {
    id: keg.id,
    status: keg.state === 'on_tap' ? 'online' : 'offline',
    state: keg.state,
    volume_ml_remain: remainMl,
    percent_full: keg.fullVolumeMl > 0 ? remainMl / keg.fullVolumeMl : 0,
    full_volume_ml: keg.fullVolumeMl,
    served_volume_ml: keg.servedVolumeMl,
    spilled_ml: keg.spilledVolumeMl,
    description: keg.description,
    type_id: String(keg.beverageId),
    size_id: keg.sizeId,
    started_time: isoSeconds(keg.startedTimeMs),
    finished_time: keg.finishedTimeMs === null ? null : isoSeconds(keg.finishedTimeMs),
    ran_dry: keg.ranDry,
  };
}

export const pictureJson = (picture: Beverage['picture']): Static<typeof PictureJson> | null =>
  picture && {
    resized_url: pictureAddress(picture, 1024),
    thumbnail_url: pictureAddress(picture, 128),
    caption: picture.caption,
  };

export const producerJson = (producer: Producer): Static<typeof ProducerJson> => ({
  id: producer.id,
  name: producer.name,
  country: producer.country,
  origin_state: producer.originState,
  origin_city: producer.originCity,
  is_homebrew: producer.isHomebrew,
  url: producer.url,
  description: producer.description,
  picture: pictureJson(producer.picture),
});

export const kegSizeJson = (size: KegSize): Static<typeof KegSizeJson> => ({
  id: size.id,
  key: size.key,
  name: size.name,
  volume_ml: size.volumeMl,
});

export const beverageJson = (beverage: Beverage): Static<typeof BeverageJson> => ({
  id: String(beverage.id),
  name: beverage.name,
  style_id: beverage.style ?? '',
  brewer_id: String(beverage.producer.id),
  abv: beverage.abvPercent,
  calories_oz: caloriesPerOz(beverage.caloriesPerMl),
  beverage_type: beverage.beverageType,
  color_hex: beverage.colorHex,
  description: beverage.description,
  vintage_year: beverage.vintageYear,
  calories_per_ml: beverage.caloriesPerMl,
  carbs_per_ml: beverage.carbsPerMl,
  original_gravity: beverage.originalGravity,
  specific_gravity: beverage.specificGravity,
  srm: beverage.srm,
  ibu: beverage.ibu,
  star_rating: beverage.starRating,
  untappd_beer_id: beverage.untappdBeerId,
  allergens: beverage.allergens,
  picture: pictureJson(beverage.picture),
  producer: producerJson(beverage.producer),
});
