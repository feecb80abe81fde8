import Type, { type Static } from 'typebox';
import { AppError } from '../../core/app-error.ts';
import type { ThermoLog, ThermoSensor } from '../../core/records.ts';
import { defineViewedRoute, view } from '../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable, named, Open, TempC, TextId } from '../routes/schemas.ts';
import {
  ThermoLogKegbot,
  ThermoSensorKegbot,
  thermoLogKegbot,
  thermoSensorKegbot,
} from './kegbot-hardware.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';

const SensorParams = Open({
  sensor: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'A thermo sensor by raw name, display name or id.',
  }),
});

const ReadingReference = Closed({
  sensor: named(
    'ThermoSensor',
    Closed(
      {
        id: TextId,
        name: Type.String({ description: 'Name that its bus or client uses.' }),
        nice_name: Type.String({ description: 'Display name; may be empty.' }),
      },
      { description: 'A thermo sensor.' },
    ),
  ),
  last_temp: Nullable({ ...TempC, description: 'Last reading in degrees Celsius; null before the first.' }),
  last_time: Nullable({ ...IsoSeconds, description: 'UTC time of the last reading; null before the first.' }),
});

const ReadingKegbot = Closed({
  sensor: ThermoSensorKegbot,
  last_temp: Nullable({ ...TempC, description: 'Last reading in degrees Celsius; null before the first.' }),
  last_time: Nullable({ ...KegbotTime, description: 'UTC time of the last reading; null before the first.' }),
});

interface Reading {
  readonly sensor: ThermoSensor;
  readonly last: ThermoLog | null;
}

interface NewReading {
  readonly sensor: ThermoSensor;
  readonly log: ThermoLog;
}

export const getThermoSensor = defineViewedRoute({
  id: 'getThermoSensor',
  method: 'get',
  path: '/thermo-sensors/{sensor}',
  summary: 'Get a thermo sensor with its last reading',
  description:
    'The sensor is found by the name of its bus or client, its display name, or its id. Both readings are null ' +
    'before the first one.',
  access: 'viewer',
  accepts: { params: SensorParams },
  status: 200,
  run({ engine }, { params }): Reading {
    const found = engine.temperatures.find(params.sensor);
    if (!found) throw new AppError('not_found', `No thermo sensor has the name or id “${params.sensor}”.`);
    return found;
  },
  views: {
    reference: view(ReadingReference, readingReference),
    kegbot: view(ReadingKegbot, ({ sensor, last }: Reading) => ({
      sensor: thermoSensorKegbot(sensor, last),
      last_temp: last ? last.tempC : null,
      last_time: last ? kegbotTime(last.timeMs) : null,
    })),
  },
});

/** The legacy API has two paths for this operation. */
const logTemperatureAt = (id: string, path: string) =>
  defineViewedRoute({
    id,
    method: 'post',
    path,
    summary:
      'Record the current reading of a thermo sensor. `when` and `now`, which existing controllers send, are ignored',
    description:
      'One reading per sensor and minute is kept, the latest received. An unknown sensor is created. Temperatures outside −50 to 125 °C are a 400. The reading is stored before the answer.',
    access: 'staff',
    accepts: { params: SensorParams, body: Open({ temp_c: TempC }) },
    status: 200,
    run: ({ engine, now }, { params, body }): NewReading =>
      engine.temperatures.log({ sensor: params.sensor, tempC: body.temp_c }, now),
    views: {
      reference: view(ReadingReference, ({ sensor, log }: NewReading) =>
        readingReference({ sensor, last: log }),
      ),
      kegbot: view(ThermoLogKegbot, ({ log }: NewReading) => thermoLogKegbot(log)),
    },
  });

export const logTemperature = logTemperatureAt('logTemperature', '/thermo-sensors/{sensor}');
export const logTemperatureOldPath = logTemperatureAt('logTemperatureAtSensor', '/thermo-sensor/{sensor}');

function readingReference({ sensor, last }: Reading): Static<typeof ReadingReference> {
  return {
    sensor: { id: String(sensor.id), name: sensor.rawName, nice_name: sensor.niceName },
    last_temp: last ? last.tempC : null,
    last_time: last ? isoSeconds(last.timeMs) : null,
  };
}
