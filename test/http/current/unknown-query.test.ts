import request from 'supertest';
import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { createPopulatedServer } from './populated-server.ts';

const read = (path: string, server = createPopulatedServer()) =>
  request(server.app).get(path).set('X-Kegbot-Api-Key', server.staffKey);

test.each([
  ['/api/drinks?usr=anna', { usr: 'is unknown here; did you mean user?' }],
  ['/api/drinks?is-valid=false', { 'is-valid': 'is unknown here; did you mean is_valid?' }],
  ['/api/kegs?stats=online&limt=1', { stats: expect.any(String), limt: expect.stringContaining('limit?') }],
  ['/api/keg-sizes?banana=1', { banana: 'is unknown here; known are start, limit, cursor' }],
  ['/api/drinks/1?limit=1', { limit: 'is unknown here' }],
  ['/api/taps?callback=show', { callback: 'is unknown here' }],
  ['/api/drinks?format=json', { format: expect.any(String) }],
  ['/api/drinks?apikey=1', { apikey: 'is unknown here; did you mean api_key?' }],
  ['/api/drinks?unknown=', { unknown: expect.any(String) }],
  ['/api/drinks?__proto__=1', { ['__proto__']: expect.any(String) }],
  [`/api/drinks?${'x'.repeat(500)}=1`, { ['x'.repeat(64)]: expect.any(String) }],
])('%s is refused with the nearest known name', async (path, fields) => {
  const { error } = (await read(path).expect(400)).body;
  expect(error.code).toBe('BadRequestError');
  expect(error.fields).toEqual(fields);
});

test('an answer names at most five unknown parameters', async () => {
  const query = Array.from({ length: 150 }, (_, i) => `p${i}=1`).join('&');
  const { error } = (await read(`/api/drinks?${query}`).expect(400)).body;
  expect(Object.keys(error.fields)).toHaveLength(5);
});

test('a change with an unknown parameter changes nothing', async () => {
  const server = createPopulatedServer();
  await request(server.app)
    .delete('/api/drinks/1?spiled=true')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(400);
  await read('/api/drinks/1', server).expect(200);
});

test('permission is checked before the parameters', async () => {
  const server = createPopulatedServer();
  await request(server.app).get('/api/audit?banana=1').expect(401);
  await request(server.app).get('/api/audit?banana=1').set('X-Kegbot-Api-Key', server.guestKey).expect(403);
});

test('the key may be sent in the query of every route', async () => {
  const server = createPopulatedServer();
  for (const path of ['taps', 'drinks', 'audit', 'users/me'])
    await request(server.app).get(`/api/${path}?api_key=${server.staffKey}`).expect(200);
});

test('a parameter that is sent twice is refused', async () => {
  await read('/api/drinks?limit=1&limit=2').expect(400);
});

test('the legacy API ignores unknown parameters', async () => {
  await read('/api/v1/taps?banana=1&_=1777').expect(200);
  await read('/api/v1/status?banana=1').expect(200);
});

test.each(['drinks', 'events', 'audit', 'auth-tokens'])('%s takes username beside user', async (list) => {
  const server = createPopulatedServer();
  const context = { actor: systemActor, now: server.now() };
  server.engine.taps.change(1, { notes: 'Not hers' }, context);
  const get = async (query: string) => {
    const { paging, ...rows } = (await read(`/api/${list}?${query}`, server).expect(200)).body.result;
    return { total: paging.total, rows };
  };
  const all = await get('');
  const annas = await get('user=anna');
  expect(annas.total).toBeLessThan(all.total || 1);
  expect(await get('username=anna')).toEqual(annas);
  expect(await get('user=anna&username=ANNA')).toEqual(annas);
  const { error } = (await read(`/api/${list}?user=anna&username=bert`, server).expect(400)).body;
  expect(error.fields).toEqual({ username: 'must be the same as user; send one of them' });
});
