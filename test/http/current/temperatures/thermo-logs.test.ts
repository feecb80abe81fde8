import request from 'supertest';
import { expect, test } from 'vitest';
import { createPopulatedServer } from '../populated-server.ts';

type Log = { readonly id: number; readonly temp_c: number };

test('a temperature of the list is found by its id', async () => {
  const { app } = createPopulatedServer();
  const list = await request(app).get('/api/thermo-logs?sensor=28-0000000000a1').expect(200);
  const logs: readonly Log[] = list.body.result.logs;
  expect(logs.map(({ temp_c }) => temp_c)).toEqual([6, 5, 4]);
  for (const log of logs) {
    const one = await request(app).get(`/api/thermo-logs/${log.id}`).expect(200);
    expect(one.body.result).toEqual({ log });
  }
});

test('an unknown temperature is 404, and a private site shows none', async () => {
  const { app, engine, staffKey } = createPopulatedServer();
  await request(app).get('/api/thermo-logs/99').expect(404);
  await request(app).get('/api/thermo-logs/one').expect(400);
  engine.users.changeSite({ privacy: 'staff' });
  await request(app).get('/api/thermo-logs/1').expect(401);
  await request(app).get('/api/thermo-logs/99').expect(401);
  await request(app).get('/api/thermo-logs/1').set('X-Kegbot-Api-Key', staffKey).expect(200);
});
