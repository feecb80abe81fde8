import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Engine, TapView } from '../../engine/engine.ts';
import { Closed, Id, Maybe, named } from '../routes/schemas.ts';
import { KegKegbot, kegKegbot } from './kegbot-beer.ts';
import {
  type Controllers,
  controllersById,
  MeterKegbot,
  meterKegbot,
  ThermoLogKegbot,
  ThermoSensorKegbot,
  ToggleKegbot,
  thermoLogKegbot,
  thermoSensorKegbot,
  toggleKegbot,
} from './kegbot-hardware.ts';
import { describeClosedTap, kegWithBeer } from './kegbot-lookups.ts';

export const TapKegbot = named(
  'KegbotTap',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Name of the tap.' }),
      sort_order: Type.Integer({ description: 'Place among the taps, ascending.' }),
      meter_name: Type.String({ description: 'Full name of its meter; `unknown.<tap id>` without one.' }),
      ml_per_tick: Type.Number({
        minimum: 0,
        'x-unit': 'mL/tick',
        description: 'Millilitres per tick; 0 without a meter.',
      }),
      relay_name: Type.String({ description: 'Full name of its toggle; empty without one.' }),
      meter: Maybe(MeterKegbot),
      toggle: Maybe(ToggleKegbot),
      current_keg_id: Maybe({ ...Id, description: 'Id of the keg on it; absent without one.' }),
      current_keg: Maybe(KegKegbot),
      thermo_sensor: Maybe(ThermoSensorKegbot),
      thermo_sensor_id: Maybe({ ...Id, description: 'Id of its thermo sensor; absent without one.' }),
      last_temperature: Maybe(ThermoLogKegbot),
    },
    { description: 'A tap.' },
  ),
);

/** Taps in the kegbot format, sorted by name; null fields are left out. */
export function tapsKegbot(engine: Engine, views: readonly TapView[]): Static<typeof TapKegbot>[] {
  const controllers = controllersById(engine);
  return views.map((view) => tapKegbot(view, controllers)).sort(byName);
}

/** Taps with their kegs. */
export function tapDetailsKegbot(engine: Engine, views: readonly TapView[]): Static<typeof TapKegbot>[] {
  const controllers = controllersById(engine);
  return views.map((view) => tapWithKeg(engine, view, controllers)).sort(byName);
}

/** One tap with its keg. */
export const tapDetailKegbot = (engine: Engine, view: TapView): Static<typeof TapKegbot> =>
  tapWithKeg(engine, view, controllersById(engine));

function byName({ name: one }: { name: string }, { name: other }: { name: string }): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function tapWithKeg(engine: Engine, view: TapView, controllers: Controllers): Static<typeof TapKegbot> {
  const { keg, beverage } = describeClosedTap(engine, view);
  const tap = tapKegbot(view, controllers);
  return keg && beverage ? { ...tap, current_keg: kegKegbot(kegWithBeer(engine, keg, beverage)) } : tap;
}

const tapKegbot = ({ tap, lastTemp }: TapView, controllers: Controllers): Static<typeof TapKegbot> => ({
  id: tap.id,
  name: tap.name,
  sort_order: tap.sortOrder,
  meter_name: tap.meter?.name ?? `unknown.${tap.id}`,
  ml_per_tick: tap.meter ? 1 / tap.meter.ticksPerMl : 0,
  relay_name: tap.toggle?.name ?? '',
  ...omitUndefined({
    meter: tap.meter ? meterKegbot(tap.meter, controllers) : undefined,
    toggle: tap.toggle ? toggleKegbot(tap.toggle, controllers) : undefined,
    current_keg_id: tap.kegId ?? undefined,
    thermo_sensor: tap.thermoSensor ? thermoSensorKegbot(tap.thermoSensor, lastTemp) : undefined,
    thermo_sensor_id: tap.thermoSensor ? tap.thermoSensor.id : undefined,
    last_temperature: lastTemp ? thermoLogKegbot(lastTemp) : undefined,
  }),
});
