import Type, { type Static } from 'typebox';
import type { Tap } from '../../../core/records.ts';
import { maxTapNumber } from '../../../core/taps/tap-bounds.ts';
import { tapFields } from '../../../core/taps/tap-record.ts';
import { tapStateForGuests } from '../../../core/taps/tap-state.ts';
import type { TapView } from '../../../engine/engine.ts';
import { Closed, Id, Nullable, named, TextId, VolumeMl } from '../../routes/schemas.ts';
import {
  firstPriceJson,
  PriceMinor,
  ServingPriceJson,
  servingPriceJson,
} from '../../routes/serving-price.ts';
import {
  tapFields as sharedTapFields,
  tapFieldsJson as sharedTapFieldsJson,
} from '../../routes/tap-fields.ts';
import { RestingTapStateJson } from '../../routes/tap-state.ts';
import { recordJson, recordSchemas } from './record-schemas.ts';
import { BeverageJson, beverageJson, KegJson, kegJson } from './views.ts';

const TapJson = named(
  'KegTap',
  Closed(
    {
      ...sharedTapFields,
      ...recordSchemas(tapFields),
      // 0 once it is deleted.
      number: Type.Integer({ minimum: 0, maximum: maxTapNumber, description: `${tapFields.number.about}.` }),
      meter_id: Nullable({ ...Id, description: 'Id of its flow meter; null without one.' }),
      toggle_id: Nullable({ ...Id, description: 'Id of its flow toggle; null without one.' }),
      serving_size_ids: Type.Array(Id, {
        description:
          'Ids of the serving sizes that it offers, in the order of the menu; empty when it offers all.',
      }),
      keg_ids_behind: Type.Array(Id, {
        description:
          'Ids of the kegs that follow the one on it (`current_keg_id`), in the order in which they empty; drinks count for the next one when the one before is empty by the count.',
      }),
      other_tap_ids: Type.Array(TextId, {
        description: 'Ids of the other taps of its keg, on a split line.',
      }),
    },
    { description: 'A tap.' },
  ),
);

export const TapItemJson = Closed({
  tap: TapJson,
  state: RestingTapStateJson,
  keg: Nullable(KegJson),
  beverage: Nullable(BeverageJson),
  next: Nullable(
    Closed(
      {
        keg_id: Nullable({ ...Id, description: 'Id of the keg; null when there is no keg of it yet.' }),
        beverage: BeverageJson,
      },
      { description: 'What comes next on the tap; null when nothing was announced.' },
    ),
  ),
  price: Nullable(
    Closed(
      {
        serving_ml: { ...VolumeMl, description: 'Size of a serving in millilitres.' },
        price_minor: PriceMinor,
        currency: Type.String({ description: 'Currency, ISO 4217.' }),
      },
      {
        description:
          'Price of the first serving size that has one; null without one, and while the line is closed.',
      },
    ),
  ),
  prices: Type.Array(ServingPriceJson, {
    description:
      'Prices of the beverage in the serving sizes that the tap offers; empty without any, and while the line is closed.',
  }),
});

const publicJson = recordJson(tapFields);
/** What only staff see of a tap. */
export const staffTapJson = recordJson(tapFields, 'staff');

const tapJson = (tap: Tap, otherTaps: TapView['otherTaps']): Static<typeof TapJson> => ({
  ...sharedTapFieldsJson(tap),
  ...publicJson(tap),
  meter_id: tap.meter?.id ?? null,
  toggle_id: tap.toggle?.id ?? null,
  serving_size_ids: [...tap.servingSizeIds],
  keg_ids_behind: [...tap.kegIdsBehind],
  other_tap_ids: otherTaps.map(({ id }) => String(id)),
});

export const tapItemJson = (view: TapView): Static<typeof TapItemJson> => ({
  tap: tapJson(view.tap, view.otherTaps),
  state: tapStateForGuests(view.state),
  keg: view.keg ? kegJson(view.keg) : null,
  beverage: view.beverage ? beverageJson(view.beverage) : null,
  next: view.next && { keg_id: view.next.keg?.id ?? null, beverage: beverageJson(view.next.beverage) },
  price: firstPriceJson(view.price),
  prices: view.prices.map(servingPriceJson),
});
