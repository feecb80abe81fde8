import request from 'supertest';
import type { TestServer } from '../http/test-server.ts';

/** Errors for which kbapi has a class; any other becomes its plain `Error`. */
const knownCodes = [
  'NotFoundError',
  'RequestError',
  'ServerError',
  'BadRequestError',
  'NoAuthTokenError',
  'BadApiKeyError',
  'PermissionDeniedError',
];

/** The exception that kbapi raises; `code` is the class name. */
export class KbapiError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A form value as Python's `str` writes it; None is left out. */
type Field = string | number | boolean | null | undefined;

type Json = Record<string, unknown>;

/**
 * Behaves like kbapi: form bodies, the key in its header even when empty, no trailing slash. It evaluates only the body
 * of a reply; one that is neither error nor result is a ValueError.
 */
export function kbapi({ app }: Pick<TestServer, 'app'>, apiKey: string, base = '/api/v1') {
  const parseReply = (reply: { readonly body: Json }): unknown => {
    const { error, object, objects } = reply.body as { error?: Json; object?: Json; objects?: Json[] };
    if (error !== undefined) {
      const code = String(error.code);
      throw new KbapiError(knownCodes.includes(code) ? code : 'Error', JSON.stringify(error.message));
    }
    if (object !== undefined) return object;
    if (objects !== undefined) return objects;
    throw new KbapiError('ValueError', 'neither error nor result');
  };
  const headers = { 'X-Kegbot-Api-Key': apiKey, 'User-Agent': 'python-requests/2.32.3', Accept: '*/*' };
  const get = async (path: string) => parseReply(await request(app).get(`${base}/${path}`).set(headers));
  const post = async (path: string, fields: Readonly<Record<string, Field>>) =>
    parseReply(await request(app).post(`${base}/${path}`).set(headers).type('form').send(form(fields)));
  return {
    status: async () => (await get('status')) as Json & { taps: Json[] },
    taps: async () => (await get('taps')) as Json[],
    tap: async (meter: string) => (await get(`taps/${meter}`)) as Json,
    token: async (device: string, value: string) => (await get(`auth-tokens/${device}/${value}`)) as Json,
    controllers: async () => (await get('controllers')) as Json[],
    flowMeters: async () => (await get('flow-meters')) as Json[],
    events: async (since?: number) =>
      (await get(since === undefined ? 'events' : `events?since=${since}`)) as Json[],
    thermoSensor: async (name: string) => (await get(`thermo-sensors/${name}`)) as Json,
    recordDrink: async (tap: string, fields: Readonly<Record<string, Field>>) =>
      (await post(`taps/${tap}`, { tap_name: tap, ...fields })) as Json,
    cancelDrink: async (id: unknown, spilled = false) =>
      (await post('cancel-drink', { id: id as number, spilled })) as Json,
    logSensorReading: async (name: string, tempC: number, fields: Readonly<Record<string, Field>> = {}) =>
      (await post(`thermo-sensors/${name}`, { temp_c: tempC, ...fields })) as Json,
    createController: async (name: string, modelName?: string, serialNumber?: string) =>
      (await post('controllers', { name, model_name: modelName, serial_number: serialNumber })) as Json,
    createFlowMeter: async (controller: unknown, portName: string, ticksPerMl: number) =>
      (await post('flow-meters', {
        controller: controller as number,
        port_name: portName,
        ticks_per_ml: ticksPerMl,
      })) as Json,
  };
}

function form(fields: Readonly<Record<string, Field>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) pairs.set(name, toPythonString(value));
  }
  return pairs.toString();
}

function toPythonString(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}
