import Type, { type Static } from 'typebox';
import { isCalibrated } from '../../../core/measurement/meter-knowledge.ts';
import { coverage } from '../../../core/measurement/uncertainty.ts';
import type { Controller, FlowMeter, FlowToggle, ThermoLog, ThermoSensor } from '../../../core/records.ts';
import { hardwareTexts } from '../../../core/taps/meter-record.ts';
import { newestReading, type SensorReading } from '../../../core/temperatures/sensor-reading.ts';
import type { ThermoSpan } from '../../../engine/engine.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Nullable, named, TempC, TextId } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { recordJson, recordSchemas } from '../shared/record-schemas.ts';

const texts = recordSchemas(hardwareTexts);
const textsJson = recordJson(hardwareTexts);

export const ControllerJson = named(
  'Controller',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Unique name, the first part of its meters’ names.' }),
      model_name: Nullable(Type.String({ description: 'Model; null when unknown.' })),
      serial_number: Nullable(Type.String({ description: 'Serial number; null when unknown.' })),
      ...texts,
      last_seen_time: Nullable({
        ...IsoSeconds,
        description:
          'UTC time of its last report or of the last pour that one of its meters counted; null for none.',
      }),
    },
    { description: 'A controller, which owns meters and toggles.' },
  ),
);

const port = {
  id: Id,
  name: Type.String({ description: 'Full name, `<controller>.<port>`.' }),
  controller_id: { ...Id, description: 'Id of its controller.' },
  port_name: Type.String({ description: 'Port of the controller, such as `flow0`.' }),
  tap_id: Nullable({ ...TextId, description: 'Id of its tap, as text; null without one.' }),
};

export const MeterJson = named(
  'FlowMeter',
  Closed(
    {
      ...port,
      ticks_per_ml: Type.Number({
        exclusiveMinimum: 0,
        'x-unit': 'ticks/mL',
        description: 'Calibration factor in ticks per millilitre.',
      }),
      calibrated: Type.Boolean({
        description: 'False while the factor of its model or the default is used: nobody measured it.',
      }),
      uncertainty: Nullable(
        Type.Number({
          minimum: 0,
          description:
            'Half width of the 95 % interval of the factor, as a fraction: 0.005 is ±0.5 %. Null while nobody measured it.',
        }),
      ),
      ...texts,
      last_counted_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time of the last pour that it counted; null before the first.',
      }),
    },
    { description: 'A flow meter.' },
  ),
);

export const ToggleJson = named(
  'FlowToggle',
  Closed(port, { description: 'A flow toggle: the relay of a valve.' }),
);

const sensor = {
  id: TextId,
  name: Type.String({ description: 'Name given by the bus or by the client that posts its readings.' }),
  nice_name: Type.String({ description: 'Display name; may be empty.' }),
  place: Type.String({ description: 'What it measures besides taps, such as a fridge; may be empty.' }),
  offset_c: Type.Number({
    minimum: -10,
    maximum: 10,
    'x-unit': '°C',
    description: 'Added to each reading when it is received, in degrees Celsius. Stored readings include it.',
  }),
};

const reading = {
  last_temp: Nullable({ ...TempC, description: 'Last reading in degrees Celsius; null before the first.' }),
  last_time: Nullable({ ...IsoSeconds, description: 'UTC time of the last reading; null before the first.' }),
  last_seen: Nullable({
    ...IsoSeconds,
    description:
      'UTC time at which the sensor last gave a usable reading, the same as `last_time`; null before the first.',
  }),
  is_stale: Type.Boolean({
    description:
      'True when the sensor has vanished: it has missed three readings in a row, or three reading intervals and a minute have ' +
      'passed since `last_seen`. The interval is `onewire.interval_s` (60 s unless set) for sensors of this machine and its serial boards, ten ' +
      'minutes for others. `last_temp` says nothing about the present then. False before the first reading.',
  }),
};

export const SensorJson = named('ThermoSensor', Closed(sensor, { description: 'A thermo sensor.' }));

/** A thermo sensor in a list, with its last reading. */
export const SensorItemJson = named(
  'ThermoSensorItem',
  Closed({ ...sensor, ...reading }, { description: 'A thermo sensor with its last reading.' }),
);

/** One thermo sensor, with its last reading. */
export const SensorReadingJson = Closed({ sensor: SensorJson, ...reading });

export const ThermoLogJson = named(
  'ThermoLog',
  Closed(
    {
      id: Id,
      sensor_id: { ...TextId, description: 'Id of the thermo sensor, as text.' },
      temp_c: TempC,
      time: { ...IsoSeconds, description: 'UTC time of the minute.' },
    },
    { description: 'The temperature of one minute.' },
  ),
);

/** The readings of a thermo sensor within one minute or hour. */
export const ThermoPointJson = named(
  'ThermoPoint',
  Closed(
    {
      time: { ...IsoSeconds, description: 'UTC time at which the minute or hour begins.' },
      min_c: { ...TempC, description: 'Lowest reading in degrees Celsius.' },
      mean_c: { ...TempC, description: 'Mean of the readings in degrees Celsius.' },
      max_c: { ...TempC, description: 'Highest reading in degrees Celsius.' },
      readings: Type.Integer({ minimum: 1, description: 'Number of readings.' }),
    },
    { description: 'The temperatures of one minute or hour.' },
  ),
);

export const thermoPointJson = (span: ThermoSpan): Static<typeof ThermoPointJson> => ({
  time: isoSeconds(span.timeMs),
  min_c: span.minC,
  mean_c: span.meanC,
  max_c: span.maxC,
  readings: span.readings,
});

export const controllerJson = (controller: Controller): Static<typeof ControllerJson> => ({
  id: controller.id,
  name: controller.name,
  model_name: controller.modelName,
  serial_number: controller.serialNumber,
  ...textsJson(controller),
  last_seen_time: controller.lastSeenMs === null ? null : isoSeconds(controller.lastSeenMs),
});

export const toggleJson = (toggle: FlowToggle | FlowMeter): Static<typeof ToggleJson> => ({
  id: toggle.id,
  name: toggle.name,
  controller_id: toggle.controllerId,
  port_name: toggle.portName,
  tap_id: toggle.tapId === null ? null : String(toggle.tapId),
});

export const meterJson = (meter: FlowMeter): Static<typeof MeterJson> => ({
  ...toggleJson(meter),
  ticks_per_ml: meter.ticksPerMl,
  calibrated: isCalibrated(meter),
  uncertainty: meter.uFactor === null ? null : coverage * meter.uFactor,
  ...textsJson(meter),
  last_counted_time: meter.lastCountedMs === null ? null : isoSeconds(meter.lastCountedMs),
});

export const sensorJson = (thermo: ThermoSensor): Static<typeof SensorJson> => ({
  id: String(thermo.id),
  name: thermo.rawName,
  nice_name: thermo.niceName,
  place: thermo.place,
  offset_c: thermo.offsetC,
});

export function readingJson(newest: SensorReading | null) {
  const time = newest ? isoSeconds(newest.timeMs) : null;
  return {
    last_temp: newest ? newest.tempC : null,
    last_time: time,
    last_seen: time,
    is_stale: newest?.isStale ?? false,
  };
}

/** The newest reading of a sensor, as replies show it. */
export function createReadingView({ thermo }: Pick<RouteServices, 'thermo'>) {
  return ({ engine, now }: Pick<RouteContext, 'engine' | 'now'>, { id, rawName }: ThermoSensor) => {
    const stored = engine.temperatures.find(id)?.last ?? null;
    return readingJson(newestReading(stored, thermo.latestTemperatures().get(rawName), now.wallMs));
  };
}

export const thermoLogJson = (log: ThermoLog): Static<typeof ThermoLogJson> => ({
  id: log.id,
  sensor_id: String(log.sensorId),
  temp_c: log.tempC,
  time: isoSeconds(log.timeMs),
});
