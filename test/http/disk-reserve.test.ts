import fc from 'fast-check';
import sharp from 'sharp';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extensionCases } from '../kit/extension-cases.ts';
import { createResolver, type Schema, validValues } from './fuzz/from-schema.ts';
import { type OpenApiDocument, operations } from './openapi/openapi-faults.ts';
import { createTestServer, type TestServer } from './test-server.ts';

const MiB = 1_048_576;

let freeBytes: number;
let server: TestServer;
beforeEach(() => {
  freeBytes = 10_000 * MiB;
  server = createTestServer({ readFreeBytes: () => freeBytes });
});
afterEach(() => server.store.close());

const send = (method: string, path: string, body: object = {}) =>
  request(server.app)[method as 'post'](path).set('X-Kegbot-Api-Key', server.staffKey).send(body);

/**
 * Operations that may succeed below the reserve: they record what was poured, keep the bar running, or write nothing to
 * the database.
 */
const allowed: ReadonlySet<string> = new Set([
  // Poured beer.
  'recordDrink',
  // Takes access away.
  'deauthorizeTap',
  // Keeps water and cleaner out of the drinks.
  'startCleaning',
  'startCleaningStep',
  'finishCleaning',
  'cancelCleaning',
  'deauthorizeTaps',
  'logOut',
  // Replaces two files of a kilobyte, without which devices refuse the page.
  'renewHttps',
  // Writes nothing.
  'previewCalibration',
  'previewMeterCurve',
  ...extensionCases.flatMap(({ writeNothing = [] }) => writeNothing),
  ...extensionCases.flatMap(({ allowedOnFullDisk = [] }) => allowedOnFullDisk),
  // Writes nothing where nobody was asked about the keg.
  'answerKegEmpty',
]);

test('below the reserve no operation of the current API adds anything but drinks', {
  timeout: 120_000,
}, async () => {
  const document = (await request(server.app).get('/api/schema')).body as OpenApiDocument;
  const resolve = createResolver(document);
  freeBytes = 49 * MiB;
  const succeeded = new Set<string>();
  const refused = new Set<string>();
  const known = ['anna', 'pi.flow0', 'core.rfid', 'pi', 'corny', 1];
  for (const { method, path, operation } of operations(document)) {
    if (method === 'get' || method === 'delete') continue;
    const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
    const inputs =
      schema === undefined ? [{}] : fc.sample(validValues(schema, resolve, known), { seed: 3, numRuns: 3 });
    for (const input of inputs) {
      const reply = await send(
        method,
        path.replace(/\{username\}/, 'bert').replace(/\{\w+\}/g, '1'),
        input as object,
      );
      if (reply.status < 300) succeeded.add(operation.operationId);
      if (reply.body.error?.reason?.name === 'no_disk_space') refused.add(operation.operationId);
    }
  }
  expect([...succeeded].filter((id) => !allowed.has(id)).sort()).toEqual([]);
  expect(refused.size).toBeGreaterThan(30);
  expect(server.faults).toEqual([]);
});

test('a full disk refuses no drink: legacy posts, boards, pins and by hand', async () => {
  freeBytes = 0;
  await send('post', '/api/v1/taps/pi.flow0', { ticks: 600 }).expect(200);
  await send('post', '/api/taps/1/record-drink', { volume_ml: 300 }).expect(201);
  server.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 400, source: 'device' }, server.now());
  await send('post', '/api/v1/taps/pi.flow0', { ticks: 100, spilled: true }).expect(200);
  expect(server.engine.drinks.newest(10)).toHaveLength(3);
});

test('a pour with a photo is recorded without it when the disk has no space for files', async () => {
  const photo = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'gold' } })
    .png()
    .toBuffer();
  freeBytes = 199 * MiB;
  const reply = await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .field('ticks', '660')
    .attach('photo', photo, 'me.png')
    .expect(200);
  expect(server.engine.pictures.ofDrink(reply.body.object.id)).toBeNull();
  const refused = await request(server.app)
    .post('/api/account/mugshot')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .attach('image', photo, 'me.png')
    .expect(503);
  expect(refused.body.error.reason).toEqual({ name: 'no_disk_space', megabytes: 208 });
});

test('staff can log in, delete and log out on a full disk', async () => {
  server.engine.temperatures.log({ sensor: 'attic', tempC: 21.5 }, server.now());
  const tap = server.engine.taps.create({ name: 'Spare' });
  freeBytes = 0;
  const cookie = server.createLoginCookie('anna');
  const asAnna = (method: string, path: string) =>
    request(server.app)[method as 'post'](`/api${path}`).set('Cookie', cookie);
  await asAnna('delete', `/taps/${tap.id}`).expect(200);
  await asAnna('delete', '/thermo-sensors/attic').expect(200);
  await asAnna('delete', '/account/mugshot').expect(200);
  await asAnna('post', '/auth/logout').expect(200);
});

test('readings of own sensors are refused, so that they wait', () => {
  freeBytes = 50 * MiB;
  const reading = { sensor: '28-0000000000a1', tempC: 4, at: server.now() };
  expect(() => server.engine.temperatures.logAll([reading])).toThrow(
    expect.objectContaining({ code: 'unavailable' }),
  );
  freeBytes += 1;
  server.engine.temperatures.logAll([reading]);
  expect(server.engine.temperatures.find(reading.sensor)?.last?.tempC).toBe(4);
});
