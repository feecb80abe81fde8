import Type, { type Static } from 'typebox';
import type { Beverage, Drink, Keg, KegSize, Producer, Tap } from '../../../core/ledger.ts';
import type { TapView } from '../../../engine/engine.ts';
import {
  Closed,
  DurationSeconds,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  RemainMl,
  TextId,
  Ticks,
  TotalMl,
  VolumeMl,
} from '../../schemas.ts';

/** US fluid ounce in millilitres; the old field counts calories by it. */
const mlPerOunce = 29.5735;

export const DrinkJson = named(
  'Drink',
  Closed({
    id: Id,
    volume_ml: VolumeMl,
    user_id: Nullable(Type.String({ description: 'Username of the drinker; null when nobody knows.' })),
    ticks: Ticks,
    session_id: Nullable(TextId),
    is_valid: Type.Boolean({ description: 'False while the pour is held for review.' }),
    pour_time: IsoSeconds,
    duration: DurationSeconds,
    keg_id: Nullable(Id),
    held_reason: Maybe(Type.String({ description: 'Why a held pour waits for staff to look at it.' })),
  }),
);

export const KegJson = named(
  'Keg',
  Closed({
    id: Id,
    status: Type.Enum(['online', 'offline'], { description: '`online` while the keg is on a tap.' }),
    state: Type.Enum(['available', 'on_tap', 'finished']),
    volume_ml_remain: RemainMl,
    percent_full: Type.Number({ description: 'Fraction: 1 is full; may be negative.' }),
    full_volume_ml: VolumeMl,
    served_volume_ml: TotalMl,
    spilled_ml: TotalMl,
    description: Type.String(),
    type_id: TextId,
    size_id: Id,
    started_time: IsoSeconds,
    finished_time: Nullable(IsoSeconds),
  }),
);

export const ProducerJson = named(
  'Producer',
  Closed({
    id: Id,
    name: Type.String(),
    country: Type.String({ description: 'ISO 3166, three letters.' }),
  }),
);

export const KegSizeJson = named(
  'KegSize',
  Closed({
    id: Id,
    key: Type.String({ description: 'The trade’s short name, `half-barrel`.' }),
    name: Type.String(),
    volume_ml: VolumeMl,
  }),
);

export const BeverageJson = named(
  'BeerType',
  Closed({
    id: TextId,
    name: Type.String(),
    style_id: Type.String({ description: 'The style’s own name; empty when unknown.' }),
    brewer_id: TextId,
    abv: Nullable(Type.Number({ unit: '%', description: 'Alcohol by volume in percent.' })),
    calories_oz: Nullable(Type.Number({ unit: 'kcal/oz', description: 'Calories in a US fluid ounce.' })),
    beverage_type: Type.Enum(['beer', 'wine', 'soda', 'kombucha', 'other']),
    color_hex: Type.String({ description: '`#rrggbb`.' }),
    producer: ProducerJson,
  }),
);

export const TapJson = named(
  'KegTap',
  Closed({
    id: TextId,
    name: Type.String(),
    meter_name: Nullable(Type.String({ description: 'Full name of its meter; null without one.' })),
    ml_per_tick: Type.Number({ minimum: 0, unit: 'mL/tick', description: '0 without a meter.' }),
    thermo_sensor_id: Nullable(TextId),
    current_keg_id: Nullable(Id),
  }),
);

export const TapItemJson = Closed({
  tap: TapJson,
  keg: Nullable(KegJson),
  beverage: Nullable(BeverageJson),
});

export const drinkJson = (drink: Drink): Static<typeof DrinkJson> => ({
  id: drink.id,
  volume_ml: drink.volumeMl,
  user_id: drink.username,
  ticks: drink.ticks,
  session_id: drink.sessionId === null ? null : String(drink.sessionId),
  is_valid: drink.isValid,
  pour_time: isoSeconds(drink.pourTimeMs),
  duration: Math.round(drink.durationMs / 1000),
  keg_id: drink.kegId,
  ...(drink.heldReason === null ? {} : { held_reason: drink.heldReason }),
});

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
  };
}

export const producerJson = ({ id, name, country }: Producer): Static<typeof ProducerJson> => ({
  id,
  name,
  country,
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
  calories_oz: beverage.caloriesPerMl === null ? null : beverage.caloriesPerMl * mlPerOunce,
  beverage_type: beverage.beverageType,
  color_hex: beverage.colorHex,
  producer: producerJson(beverage.producer),
});

export const tapJson = (tap: Tap): Static<typeof TapJson> => ({
  id: String(tap.id),
  name: tap.name,
  meter_name: tap.meter?.name ?? null,
  ml_per_tick: tap.meter ? 1 / tap.meter.ticksPerMl : 0,
  thermo_sensor_id: tap.thermoSensor ? String(tap.thermoSensor.id) : null,
  current_keg_id: tap.kegId,
});

export const tapItemJson = ({ tap, keg, beverage }: TapView): Static<typeof TapItemJson> => ({
  tap: tapJson(tap),
  keg: keg ? kegJson(keg) : null,
  beverage: beverage ? beverageJson(beverage) : null,
});
