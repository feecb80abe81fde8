import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { ThermoSensor } from '../../../core/records.ts';
import { validationError } from '../../routes/input-values.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { resource } from '../shared/resource.ts';
import { readingJson, SensorReadingJson, sensorJson } from '../taps/hardware-views.ts';
import { requireSensor, SensorRef } from './thermo.ts';

const params = Open({ sensor: SensorRef });
const RawName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Name that its bus or client uses; `raw_name` and `name` are the same.',
});

/** Replies call it `name`; requests may use `name` or `raw_name`. */
const SensorFieldsJson = named(
  'ThermoSensorFields',
  Closed(
    {
      raw_name: Maybe(RawName),
      name: Maybe(RawName),
      nice_name: Maybe(
        Nullable(
          Type.String({
            maxLength: 128,
            description: 'Display name, at most 128 characters; null for none.',
          }),
        ),
      ),
    },
    { description: 'Names of a thermo sensor.' },
  ),
);

const sensors = resource({
  name: 'ThermoSensor',
  path: '/thermo-sensors',
  onePath: '/thermo-sensors/{sensor}',
  params,
  reply: SensorReadingJson,
  show: (sensor: ThermoSensor, { engine }) => ({
    sensor: sensorJson(sensor),
    ...readingJson(engine.thermo.find(sensor.id)?.last ?? null),
  }),
});

/** Routes that change thermo sensors, for staff. */
export const sensorChangeRoutes = [
  sensors.create(
    {
      summary:
        'Create a thermo sensor by the name its bus or client uses. Other sensors are created with their first reading',
      description: 'The name must be unique, otherwise 400. Written to the audit log.',
    },
    SensorFieldsJson,
    (context, body) => {
      const fields = { ...toSensorFields(body), rawName: requireRawName(body) };
      return context.engine.thermo.create(fields, actorContext(context));
    },
  ),
  ...sensors.change(
    {
      summary: 'Change the names of a thermo sensor. Fields left out keep their values',
      description:
        '`raw_name` must stay as the bus or the client uses it, otherwise readings create another sensor. `PUT` ' +
        'requires it. Written to the audit log.',
    },
    { put: SensorFieldsJson, patch: SensorFieldsJson },
    (context, { sensor }, { body, method }) => {
      const { engine } = context;
      const { id } = requireSensor(engine, sensor).sensor;
      if (method === 'put') requireRawName(body);
      return engine.thermo.change(id, toSensorFields(body), actorContext(context));
    },
  ),
  sensors.remove(
    {
      summary: 'Delete a thermo sensor with its readings. It is created again with its next reading',
      description:
        'Taps that had it have none then. Its hours and minutes cannot be restored. Written to the audit log.',
    },
    (context, { sensor }) => {
      const { engine } = context;
      engine.thermo.remove(requireSensor(engine, sensor).sensor.id, actorContext(context));
    },
  ),
];

function toSensorFields(body: Static<typeof SensorFieldsJson>) {
  const { raw_name: rawName = body.name, nice_name: niceName } = body;
  if (body.name !== undefined && body.name !== rawName)
    throw validationError('name', 'must be the same as raw_name');
  return omitUndefined({ rawName, niceName: niceName === null ? '' : niceName });
}

function requireRawName({ raw_name: rawName, name }: Static<typeof SensorFieldsJson>): string {
  const text = rawName ?? name;
  if (text === undefined) throw validationError('raw_name', 'is required', { name: 'required' });
  return text;
}
