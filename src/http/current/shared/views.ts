import Type, { type Static } from 'typebox';
import { beverageFields } from '../../../core/kegs/records/beverage-record.ts';
import { kegFields } from '../../../core/kegs/records/keg-record.ts';
import { producerFields } from '../../../core/kegs/records/producer-record.ts';
import { caloriesPerOz } from '../../../core/kegs/volume-units.ts';
import type { Beverage, Keg, KegSize, Producer } from '../../../core/records.ts';
import { pictureAddress } from '../../pictures.ts';
import {
  BrewerId,
  Closed,
  Id,
  Nullable,
  named,
  PercentFull,
  RemainMl,
  TextId,
  VolumeMl,
} from '../../routes/schemas.ts';
import { recordJson, recordSchemas } from './record-schemas.ts';

// The specification has another name for its beverage.
const {
  beverage_id: _beverageId,
  created_time: _created,
  in_series: _inSeries,
  ...kegSchemas
} = recordSchemas(kegFields);

export const KegJson = named(
  'Keg',
  Closed(
    {
      id: Id,
      status: Type.Enum(['online', 'offline'], { description: '`online` while the keg is on a tap.' }),
      volume_ml_remain: RemainMl,
      percent_full: PercentFull,
      type_id: { ...TextId, description: 'Id of its beverage, as text.' },
      ...kegSchemas,
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
      ...recordSchemas(producerFields),
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

// The specification has other names for three of the fields, and the producer as a whole.
const {
  producer_id: _producerId,
  style: _style,
  abv_percent: abv,
  ...beverageSchemas
} = recordSchemas(beverageFields);

export const BeverageJson = named(
  'BeerType',
  Closed(
    {
      id: TextId,
      style_id: Type.String({ description: 'Name of the style; empty when unknown.' }),
      brewer_id: BrewerId,
      abv,
      calories_oz: Nullable(
        Type.Number({ 'x-unit': 'kcal/oz', description: 'Calories in a US fluid ounce.' }),
      ),
      ...beverageSchemas,
      picture: Nullable(PictureJson),
      producer: ProducerJson,
    },
    { description: 'A beverage.' },
  ),
);

const kegFieldsJson = recordJson(kegFields);
/** What only staff see of a keg. */
export const staffKegJson = recordJson(kegFields, 'staff');

export function kegJson(keg: Keg): Static<typeof KegJson> {
  const remainMl = keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
  const { beverage_id: beverageId, created_time: _c, in_series: _i, ...fields } = kegFieldsJson(keg);
  return {
    id: keg.id,
    status: keg.state === 'on_tap' ? 'online' : 'offline',
    volume_ml_remain: remainMl,
    percent_full: keg.fullVolumeMl > 0 ? remainMl / keg.fullVolumeMl : 0,
    type_id: String(beverageId),
    ...fields,
  };
}

export const pictureJson = (picture: Beverage['picture']): Static<typeof PictureJson> | null =>
  picture && {
    resized_url: pictureAddress(picture, 1024),
    thumbnail_url: pictureAddress(picture, 128),
    caption: picture.caption,
  };

const producerFieldsJson = recordJson(producerFields);
const beverageFieldsJson = recordJson(beverageFields);

export const producerJson = (producer: Producer): Static<typeof ProducerJson> => ({
  id: producer.id,
  ...producerFieldsJson(producer),
  picture: pictureJson(producer.picture),
});

export const kegSizeJson = (size: KegSize): Static<typeof KegSizeJson> => ({
  id: size.id,
  key: size.key,
  name: size.name,
  volume_ml: size.volumeMl,
});

export function beverageJson(beverage: Beverage): Static<typeof BeverageJson> {
  const { producer } = beverage;
  const {
    producer_id: producerId,
    name,
    style,
    abv_percent: abvPercent,
    ...fields
  } = beverageFieldsJson({ ...beverage, producerId: producer.id });
  return {
    id: String(beverage.id),
    name,
    style_id: style ?? '',
    brewer_id: String(producerId),
    abv: abvPercent,
    calories_oz: caloriesPerOz(beverage.caloriesPerMl),
    ...fields,
    picture: pictureJson(beverage.picture),
    producer: producerJson(producer),
  };
}
