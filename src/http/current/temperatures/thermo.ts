import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Engine } from '../../../engine/engine.ts';
import { paginate } from '../../../engine/engine.ts';
import { parseTimeSpan, timeSpanFields } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, Maybe, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PageQuery, PagingJson, pageFields, pagingJson, toPageRequest } from '../shared/paging.ts';
import {
  createReadingView,
  SensorItemJson,
  SensorJson,
  SensorReadingJson,
  sensorJson,
  ThermoLogJson,
  ThermoPointJson,
  thermoLogJson,
  thermoPointJson,
} from '../taps/hardware-views.ts';

type ReadingView = ReturnType<typeof createReadingView>;

export const SensorRef = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'A thermo sensor by raw name, display name or id.',
});

const listSensors = (view: ReadingView) =>
  defineRoute({
    id: 'listThermoSensors',
    method: 'get',
    path: '/thermo-sensors',
    summary: 'List thermo sensors with their last readings',
    description:
      'With the newest readings, and whether the sensor has vanished since (`is_stale`). `last_temp`, `last_time` and `last_seen` are null before the first reading.',
    access: 'viewer',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        thermo_sensors: Type.Array(SensorItemJson, { description: 'The thermo sensors of this page.' }),
      }),
    },
    run(context, { query }) {
      const { engine, addressWith } = context;
      const page = paginate(engine.temperatures.sensors(), toPageRequest(query));
      const items = page.items.map((sensor) => ({ ...sensorJson(sensor), ...view(context, sensor) }));
      return { paging: pagingJson(page, addressWith), thermo_sensors: items };
    },
  });

const getSensor = (view: ReadingView) =>
  defineRoute({
    id: 'getThermoSensor',
    method: 'get',
    path: '/thermo-sensors/{sensor}',
    summary: 'Get a thermo sensor with its last reading',
    description: 'The name is that of its bus or of the client that posts it, the display name, or the id.',
    access: 'viewer',
    accepts: { params: Open({ sensor: SensorRef }) },
    replies: { status: 200, body: SensorReadingJson },
    run(context, { params }) {
      const { sensor } = requireSensor(context.engine, params.sensor);
      return { sensor: sensorJson(sensor), ...view(context, sensor) };
    },
  });

const listThermoLogs = defineRoute({
  id: 'listThermoLogs',
  method: 'get',
  path: '/thermo-logs',
  summary: 'List temperatures, at most one per sensor and minute, last received first',
  description:
    'Minutes are kept for 30 days; `GET /api/thermo-sensors/{sensor}/chart` also has the hours before. Readings ' +
    'of own sensors are written every ten minutes. Late readings have a higher id than their time suggests.',
  access: 'viewer',
  accepts: {
    query: Open({ ...pageFields, sensor: Maybe(SensorRef), ...timeSpanFields }),
  },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      logs: Type.Array(ThermoLogJson, { description: 'The logs of this page.' }),
    }),
  },
  run({ engine, addressWith }, { query }) {
    const { sensor } = query;
    const page = engine.lists.thermoLogs({
      ...toPageRequest(query),
      ...parseTimeSpan(engine, query),
      ...(sensor === undefined ? {} : { sensorId: sensorId(engine, sensor) }),
    });
    return { paging: pagingJson(page, addressWith), logs: page.items.map(thermoLogJson) };
  },
});

const getThermoLog = defineRoute({
  id: 'getThermoLog',
  method: 'get',
  path: '/thermo-logs/{id}',
  summary: 'Get a temperature of a thermo sensor and minute',
  description:
    'Readings older than a month are summarized by the hour (see the chart) and are then not found here.',
  access: 'viewer',
  accepts: { params: Open({ id: Id }) },
  replies: { status: 200, body: Closed({ log: ThermoLogJson }) },
  run({ engine }, { params: { id } }) {
    const log = engine.temperatures.reading(id);
    if (log === null)
      throw new AppError('not_found', `There is no temperature ${id}.`, { reason: { name: 'not_found' } });
    return { log: thermoLogJson(log) };
  },
});

/** Default span of a chart: one day. */
const dayMs = 86_400_000;

const getThermoChart = defineRoute({
  id: 'getThermoChart',
  method: 'get',
  path: '/thermo-sensors/{sensor}/chart',
  summary: 'Get temperatures of a time span, oldest first: per minute for the last month, per hour before',
  description:
    'Without a time span the last day. Minutes are kept for 30 days, hours for ever. Spans without a reading are ' +
    'left out.',
  access: 'viewer',
  accepts: {
    params: Open({ sensor: SensorRef }),
    query: Open({
      ...timeSpanFields,
      resolution: Maybe(
        Type.Enum(['auto', 'minute', 'hour'], {
          description:
            'Length of the time of each point. `auto`, the default, uses minutes for up to two days. At most 10 000 points.',
        }),
      ),
    }),
  },
  replies: {
    status: 200,
    body: Closed({
      sensor: SensorJson,
      resolution: Type.Enum(['minute', 'hour'], { description: 'Length of the time of each point.' }),
      points: Type.Array(ThermoPointJson, { description: 'Oldest first, at most 10 000.' }),
    }),
  },
  run({ engine, now }, { params, query }) {
    const found = engine.temperatures.find(params.sensor);
    if (!found)
      throw new AppError('not_found', `No thermo sensor has the name or id “${params.sensor}”.`, {
        reason: { name: 'not_found' },
      });
    const { resolution = 'auto' } = query;
    const { untilMs = now.wallMs, sinceMs = untilMs - dayMs } = parseTimeSpan(engine, query);
    const sensorId = found.sensor.id;
    const chart = engine.temperatures.history.chart({ sensorId, sinceMs, untilMs, resolution });
    return {
      sensor: sensorJson(found.sensor),
      resolution: chart.resolution,
      points: chart.spans.map(thermoPointJson),
    };
  },
});

export function thermoRoutes(services: Pick<RouteServices, 'thermo'>): readonly Route[] {
  const view = createReadingView(services);
  return [listSensors(view), getSensor(view), listThermoLogs, getThermoLog, getThermoChart];
}

/** The thermo sensor with this name or id, and its last reading; throws 404. */
export function requireSensor(engine: Engine, ref: string) {
  const found = engine.temperatures.find(ref);
  if (!found)
    throw new AppError('not_found', `No thermo sensor has the name or id “${ref}”.`, {
      reason: { name: 'not_found' },
    });
  return found;
}

function sensorId(engine: Engine, ref: string): number {
  const found = engine.temperatures.find(ref);
  if (found) return found.sensor.id;
  const allowed = 'must be the name or id of a thermo sensor';
  throw new AppError('invalid_request', `sensor ${allowed}.`, { fields: { sensor: allowed } });
}
