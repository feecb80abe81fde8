import Type, { type Static } from 'typebox';
import type { ThermoSensor } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { actorContext } from '../../auth/actor-context.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { validationError } from '../../routes/validation-error.ts';
import { readingJson, SensorReadingJson, sensorJson } from '../taps/hardware-views.ts';
import { requireSensor, SensorRef } from './thermo.ts';

const params = Open({ sensor: SensorRef });
const RawName = Type.String({ minLength: 1, maxLength: 256 });

/** Replies call it `name`; requests may use `name` or `raw_name`. */
const SensorFieldsJson = named(
  'ThermoSensorFields',
  Closed({
    raw_name: Maybe(RawName),
    name: Maybe(RawName),
    nice_name: Maybe(Nullable(Type.String({ maxLength: 128 }))),
  }),
);

const createSensor = defineRoute({
  id: 'createThermoSensor',
  method: 'post',
  path: '/thermo-sensors',
  summary:
    'Create a thermo sensor by the name its bus or client uses. Other sensors are created with their first reading',
  access: 'staff',
  accepts: { body: SensorFieldsJson },
  replies: { status: 201, body: SensorReadingJson },
  run(context, { body }) {
    const { engine } = context;
    const input = { ...toSensorFields(body), rawName: requireRawName(body) };
    return sensorReply(engine, engine.thermo.create(input, actorContext(context)));
  },
});

const changeSensor = (method: 'put' | 'patch') =>
  defineRoute({
    id: method === 'put' ? 'replaceThermoSensor' : 'changeThermoSensor',
    method,
    path: '/thermo-sensors/{sensor}',
    summary: 'Change the names of a thermo sensor. Fields left out keep their values',
    access: 'staff',
    accepts: { params, body: SensorFieldsJson },
    replies: { status: 200, body: SensorReadingJson },
    run(context, { params: { sensor }, body }) {
      const { engine } = context;

      const { id } = requireSensor(engine, sensor).sensor;
      if (method === 'put') requireRawName(body);
      return sensorReply(engine, engine.thermo.change(id, toSensorFields(body), actorContext(context)));
    },
  });

const removeSensor = defineRoute({
  id: 'removeThermoSensor',
  method: 'delete',
  path: '/thermo-sensors/{sensor}',
  summary: 'Delete a thermo sensor with its readings. It is created again with its next reading',
  access: 'staff',
  accepts: { params },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { sensor } }) {
    const { engine } = context;
    engine.thermo.remove(requireSensor(engine, sensor).sensor.id, actorContext(context));
    return {};
  },
});

/** Routes that change thermo sensors, for staff. */
export const sensorChangeRoutes = [createSensor, changeSensor('put'), changeSensor('patch'), removeSensor];

function toSensorFields(body: Static<typeof SensorFieldsJson>) {
  const { raw_name: rawName = body.name, nice_name: niceName } = body;
  if (body.name !== undefined && body.name !== rawName)
    throw validationError('name', 'must be the same as raw_name');
  return {
    ...(rawName === undefined ? {} : { rawName }),
    ...(niceName === undefined ? {} : { niceName: niceName ?? '' }),
  };
}

function requireRawName({ raw_name: rawName, name }: Static<typeof SensorFieldsJson>): string {
  const text = rawName ?? name;
  if (text === undefined) throw validationError('raw_name', 'is required', { name: 'required' });
  return text;
}

const sensorReply = (engine: Engine, sensor: ThermoSensor): Static<typeof SensorReadingJson> => ({
  sensor: sensorJson(sensor),
  ...readingJson(engine.thermo.find(sensor.id)?.last ?? null),
});
