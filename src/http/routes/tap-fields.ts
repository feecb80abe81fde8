import Type from 'typebox';
import type { Tap } from '../../core/records.ts';
import { Id, Nullable, TextId } from './schemas.ts';

/** The properties of a tap that the legacy and the current API have in common. */
export const tapFields = {
  id: TextId,
  name: Type.String({ description: 'Name of the tap.' }),
  meter_name: Nullable(
    Type.String({ description: 'Full name of its meter, `<controller>.<port>`; null without one.' }),
  ),
  ml_per_tick: Type.Number({
    minimum: 0,
    'x-unit': 'mL/tick',
    description: 'Millilitres per tick; 0 without a meter.',
  }),
  thermo_sensor_id: Nullable({
    ...TextId,
    description: 'Id of its thermo sensor, as text; null without one.',
  }),
  current_keg_id: Nullable({ ...Id, description: 'Id of the keg on it; null without one.' }),
};

/** The values of `tapFields`. */
export const tapFieldsJson = (tap: Tap) => ({
  id: String(tap.id),
  name: tap.name,
  meter_name: tap.meter?.name ?? null,
  ml_per_tick: tap.meter ? 1 / tap.meter.ticksPerMl : 0,
  thermo_sensor_id: tap.thermoSensor ? String(tap.thermoSensor.id) : null,
  current_keg_id: tap.kegId,
});
