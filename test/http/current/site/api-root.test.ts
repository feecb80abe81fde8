import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';

test('the root names the address of each list, and each answers a page', async () => {
  const { app, createConfirmedCookie, engine, now } = createTestServer();
  engine.users.addUser({ username: 'root', isSuperuser: true }, now());
  const lists: Readonly<Record<string, string>> = (await request(app).get('/api/').expect(200)).body.result;
  expect(lists).toMatchObject({
    drinks: '/api/drinks',
    flow_meters: '/api/flow-meters',
    thermo_logs: '/api/thermo-logs',
    stats: '/api/stats',
    users: '/api/users',
  });
  expect(Object.keys(lists).length).toBeGreaterThan(20);
  const cookie = createConfirmedCookie('root');
  for (const path of Object.values(lists)) {
    // Only a shared tablet may read it.
    if (path === '/api/tablet/staff') continue;
    const page = await request(app).get(path).set('Cookie', cookie).expect(200);
    expect(page.body.result.paging, path).toMatchObject({ pos: 0 });
  }
});

test('the root is found with and without a slash, and only by GET', async () => {
  const { app } = createTestServer();
  const { body } = await request(app).get('/api/').expect(200);
  expect((await request(app).get('/api').expect(200)).body).toEqual(body);
  expect((await request(app).get('/api?x=1')).status).toBeLessThan(500);
  await request(app).post('/api/').expect(405);
});
