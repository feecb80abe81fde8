import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { ThermoSensor } from '../../../core/records.ts';
import { AnyId, toId, validationError } from '../../routes/input-values.ts';
import type { Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { correctionFields, correctionOf } from '../shared/correction-id.ts';
import { resource } from '../shared/resource.ts';
import { createReadingView, SensorReadingJson, sensorJson } from '../taps/hardware-views.ts';
import { requireSensor, SensorRef } from './thermo.ts';

const params = Open({ sensor: SensorRef });
const RawName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Name that its bus or client uses; `raw_name` and `name` are the same.',
});

/** Replies call it `name`; requests may use `name` or `raw_name`. */
const sensorFields = {
  raw_name: Maybe(RawName),
  name: Maybe(RawName),
  nice_name: Maybe(
    Nullable(
      Type.String({ maxLength: 128, description: 'Display name, at most 128 characters; null for none.' }),
    ),
  ),
  place: Maybe(
    Nullable(
      Type.String({
        maxLength: 128,
        description:
          'What it measures besides taps, such as a fridge, at most 128 characters; null for none.',
      }),
    ),
  ),
  offset_c: Maybe(
    Type.Number({
      minimum: -10,
      maximum: 10,
      'x-unit': '°C',
      description:
        'Added to each reading from now on, −10 to 10 degrees Celsius. Stored readings do not change.',
    }),
  ),
};

const SensorFieldsJson = named(
  'ThermoSensorFields',
  Closed(sensorFields, { description: 'A new thermo sensor.' }),
);

const SensorChangeJson = named(
  'ThermoSensorChange',
  Closed(
    {
      ...sensorFields,
      tap_ids: Maybe(
        Type.Array(
          { ...AnyId, description: 'Id of a tap.' },
          { maxItems: 1_000, description: 'The taps whose temperature it measures; others lose it.' },
        ),
      ),
    },
    { description: 'Changes of a thermo sensor.' },
  ),
);

const sensorResource = (view: ReturnType<typeof createReadingView>) =>
  resource({
    name: 'ThermoSensor',
    path: '/thermo-sensors',
    onePath: '/thermo-sensors/{sensor}',
    params,
    reply: Closed({ ...SensorReadingJson.properties, ...correctionFields }),
    show: (sensor: ThermoSensor, context) => ({
      sensor: sensorJson(sensor),
      ...view(context, sensor),
      ...correctionOf(context.engine, 'device', { kind: 'thermo_sensor', id: sensor.id }),
    }),
  });

/** Routes that change thermo sensors, for staff. */
export function sensorChangeRoutes(services: Pick<RouteServices, 'thermo'>): readonly Route[] {
  const sensors = sensorResource(createReadingView(services));
  return [
    sensors.create(
      {
        summary:
          'Create a thermo sensor by the name its bus or client uses. Other sensors are created with their first reading',
        description: 'The name must be unique, otherwise 400. Written to the audit log.',
      },
      SensorFieldsJson,
      (context, body) => {
        const fields = { ...toSensorFields(body), rawName: requireRawName(body) };
        return context.engine.temperatures.create(fields, actorContext(context));
      },
    ),
    ...sensors.change(
      {
        summary: 'Change names, offset, place or taps of a thermo sensor. Fields left out keep their values',
        description:
          '`raw_name` must stay as the bus or the client uses it, otherwise readings create another sensor. `PUT` ' +
          'requires it. The offset applies to readings from now on. Written to the audit log, and can be undone.',
      },
      { put: SensorChangeJson, patch: SensorChangeJson },
      (context, { sensor }, { body, method }) => {
        const { engine } = context;
        const { id } = requireSensor(engine, sensor).sensor;
        if (method === 'put') requireRawName(body);
        const tapIds = body.tap_ids?.map(toId);
        const fields = { ...toSensorFields(body), ...omitUndefined({ tapIds }) };
        return engine.temperatures.change(id, fields, actorContext(context));
      },
    ),
    sensors.removeWithUndo(
      {
        summary: 'Delete a thermo sensor with its readings. It is created again with its next reading',
        description:
          'Taps that had it have none then. Can be undone for a week, with its readings. Written to the audit log.',
      },
      (context, { sensor }) => {
        const { engine } = context;
        const { id } = requireSensor(engine, sensor).sensor;
        engine.temperatures.remove(id, actorContext(context));
        return correctionOf(engine, 'device', { kind: 'thermo_sensor', id });
      },
    ),
  ];
}

function toSensorFields(body: Static<typeof SensorFieldsJson>) {
  const { raw_name: rawName = body.name, nice_name: niceName, place, offset_c: offsetC } = body;
  if (body.name !== undefined && body.name !== rawName)
    throw validationError('name', 'must be the same as raw_name');
  return omitUndefined({
    rawName,
    niceName: niceName === null ? '' : niceName,
    place: place === null ? '' : place,
    offsetC,
  });
}

function requireRawName({ raw_name: rawName, name }: Static<typeof SensorFieldsJson>): string {
  const text = rawName ?? name;
  if (text === undefined) throw validationError('raw_name', 'is required', { name: 'required' });
  return text;
}
