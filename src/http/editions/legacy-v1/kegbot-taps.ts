import Type, { type Static } from 'typebox';
import type { Engine, TapView } from '../../../engine/engine.ts';
import { Closed, Id, Maybe, named } from '../../schemas.ts';
import { KegKegbot, kegKegbot } from './kegbot-beer.ts';
import {
  MeterKegbot,
  meterKegbot,
  ThermoLogKegbot,
  ThermoSensorKegbot,
  ToggleKegbot,
  thermoLogKegbot,
  thermoSensorKegbot,
  toggleKegbot,
} from './kegbot-hardware.ts';
import { kegWithBeer } from './kegbot-lookups.ts';

export const TapKegbot = named(
  'KegbotTap',
  Closed({
    id: Id,
    name: Type.String(),
    sort_order: Type.Integer(),
    meter_name: Type.String({ description: '`unknown.<tap id>` without a meter.' }),
    ml_per_tick: Type.Number({ minimum: 0, description: '0 without a meter.' }),
    relay_name: Type.String({ description: 'Empty without a toggle.' }),
    meter: Maybe(MeterKegbot),
    toggle: Maybe(ToggleKegbot),
    current_keg_id: Maybe(Id),
    current_keg: Maybe(KegKegbot),
    thermo_sensor: Maybe(ThermoSensorKegbot),
    thermo_sensor_id: Maybe(Id),
    last_temperature: Maybe(ThermoLogKegbot),
  }),
);

/** Taps in the form of the existing controllers; what has no value is left out. */
export function tapsKegbot(engine: Engine, views: readonly TapView[]): Static<typeof TapKegbot>[] {
  const controllers = new Map(engine.hardware.controllers().map((one) => [one.id, one]));
  return views.map((view) => {
    const { tap, keg, beverage, lastTemp } = view;
    const withBeer = keg && beverage ? kegWithBeer(engine, keg, beverage) : null;
    return {
      id: tap.id,
      name: tap.name,
      sort_order: tap.sortOrder,
      meter_name: tap.meter?.name ?? `unknown.${tap.id}`,
      ml_per_tick: tap.meter ? 1 / tap.meter.ticksPerMl : 0,
      relay_name: tap.toggle?.name ?? '',
      ...(tap.meter ? { meter: meterKegbot(tap.meter, controllers) } : {}),
      ...(tap.toggle ? { toggle: toggleKegbot(tap.toggle, controllers) } : {}),
      ...(tap.kegId === null ? {} : { current_keg_id: tap.kegId }),
      ...(withBeer ? { current_keg: kegKegbot(withBeer) } : {}),
      ...(tap.thermoSensor
        ? {
            thermo_sensor: thermoSensorKegbot(tap.thermoSensor, lastTemp),
            thermo_sensor_id: tap.thermoSensor.id,
          }
        : {}),
      ...(lastTemp ? { last_temperature: thermoLogKegbot(lastTemp) } : {}),
    };
  });
}
