import Type, { type Static } from 'typebox';
import { beverageFields } from '../../../core/kegs/records/beverage-record.ts';
import { producerFields } from '../../../core/kegs/records/producer-record.ts';
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
import { recordJson, recordSchemas } from './record-schemas.ts';

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
    style,
    abv_percent: abvPercent,
    ...fields
  } = beverageFieldsJson({ ...beverage, producerId: producer.id });
  return {
    id: String(beverage.id),
    name: beverage.name,
    style_id: style ?? '',
    brewer_id: String(producerId),
    abv: abvPercent,
    calories_oz: caloriesPerOz(beverage.caloriesPerMl),
    ...fields,
    picture: pictureJson(beverage.picture),
    producer: producerJson(producer),
  };
}
