import Type, { type Static } from 'typebox';
import type { TapView } from '../../engine/engine.ts';
import { Closed, Id, named } from './schemas.ts';

/** Properties of a serving size. */
export const servingFields = {
  volume_ml: Type.Number({ minimum: 0, 'x-unit': 'mL', description: 'Volume of the size, mL.' }),
  name: Type.String({ description: 'Name of the size; empty when the volume is its name.' }),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'Names in further languages, by language tag.',
  }),
};

/** A price in the smallest unit of its currency. */
export const PriceMinor = Type.Integer({
  minimum: 0,
  description:
    'Price in the smallest unit of the currency (ISO 4217): 480 is 4.80 EUR, 480 JPY or 0.480 KWD.',
});

/** Price of one serving size at a tap, in the current API and in the live stream. */
export const ServingPriceJson = named(
  'ServingPrice',
  Closed(
    {
      serving_size_id: { ...Id, description: 'Id of the serving size.' },
      ...servingFields,
      price_minor: PriceMinor,
      currency: Type.String({ description: 'Currency, ISO 4217.' }),
    },
    { description: 'Price of one serving size.' },
  ),
);

/** The price of the first serving size at a tap. */
export const firstPriceJson = (price: TapView['price']) =>
  price && { serving_ml: price.servingMl, price_minor: price.priceMinor, currency: price.currency };

export const servingPriceJson = (price: TapView['prices'][number]): Static<typeof ServingPriceJson> => ({
  serving_size_id: price.sizeId,
  volume_ml: price.volumeMl,
  name: price.name,
  names: { ...price.names },
  price_minor: price.priceMinor,
  currency: price.currency,
});
