import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Controller, FlowMeter, FlowToggle, ThermoLog, ThermoSensor } from '../../core/records.ts';
import type { Engine } from '../../engine/engine.ts';
import { Closed, Id, Maybe, named, TempC } from '../routes/schemas.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';

export const ControllerKegbot = named(
  'KegbotController',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Unique name.' }),
      model_name: Maybe(Type.String({ description: 'Model; absent when unknown.' })),
      serial_number: Maybe(Type.String({ description: 'Serial number; absent when unknown.' })),
    },
    { description: 'A controller.' },
  ),
);

export const MeterKegbot = named(
  'KegbotFlowMeter',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Full name, `<controller>.<port>`.' }),
      controller: ControllerKegbot,
      port_name: Type.String({ description: 'Port of the controller.' }),
      ticks_per_ml: Type.Number({
        exclusiveMinimum: 0,
        'x-unit': 'ticks/mL',
        description: 'Calibration factor in ticks per millilitre.',
      }),
    },
    { description: 'A flow meter.' },
  ),
);

export const ToggleKegbot = named(
  'KegbotFlowToggle',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Full name, `<controller>.<port>`.' }),
      controller: ControllerKegbot,
      port_name: Type.String({ description: 'Port of the controller.' }),
    },
    { description: 'A flow toggle.' },
  ),
);

export const ThermoLogKegbot = named(
  'KegbotThermoLog',
  Closed(
    {
      id: Id,
      sensor_id: { ...Id, description: 'Id of the thermo sensor.' },
      temperature_c: TempC,
      time: { ...KegbotTime, description: 'UTC time of the reading.' },
    },
    { description: 'A reading.' },
  ),
);

export const ThermoSensorKegbot = named(
  'KegbotThermoSensor',
  Closed(
    {
      id: Id,
      sensor_name: Type.String({ description: 'Name that its bus or client uses.' }),
      nice_name: Type.String({ description: 'Display name; may be empty.' }),
      last_log: Maybe(ThermoLogKegbot),
    },
    { description: 'A thermo sensor.' },
  ),
);

/** Controllers by id; every meter and toggle contains its controller. */
export type Controllers = ReadonlyMap<number, Controller>;

export const controllersById = (engine: Engine): Controllers =>
  new Map(engine.taps.hardware.controllers().map((one) => [one.id, one]));

export const controllerKegbot = (controller: Controller): Static<typeof ControllerKegbot> => ({
  id: controller.id,
  name: controller.name,
  ...omitUndefined({
    model_name: controller.modelName || undefined,
    serial_number: controller.serialNumber || undefined,
  }),
});

export const meterKegbot = (meter: FlowMeter, controllers: Controllers): Static<typeof MeterKegbot> => ({
  id: meter.id,
  name: meter.name,
  controller: controllerKegbot(controllers.get(meter.controllerId)!),
  port_name: meter.portName,
  ticks_per_ml: meter.ticksPerMl,
});

export const toggleKegbot = (toggle: FlowToggle, controllers: Controllers): Static<typeof ToggleKegbot> => ({
  id: toggle.id,
  name: toggle.name,
  controller: controllerKegbot(controllers.get(toggle.controllerId)!),
  port_name: toggle.portName,
});

export const thermoLogKegbot = (log: ThermoLog): Static<typeof ThermoLogKegbot> => ({
  id: log.id,
  sensor_id: log.sensorId,
  temperature_c: log.tempC,
  time: kegbotTime(log.timeMs),
});

export const thermoSensorKegbot = (
  sensor: ThermoSensor,
  last: ThermoLog | null,
): Static<typeof ThermoSensorKegbot> => ({
  id: sensor.id,
  sensor_name: sensor.rawName,
  nice_name: sensor.niceName,
  ...omitUndefined({ last_log: last ? thermoLogKegbot(last) : undefined }),
});
