import request from 'supertest';
import { expect, test } from 'vitest';
import { allExtensions } from '../../../kit/extensions.ts';
import { createTestServer } from '../../test-server.ts';

const noneOn = {
  ...allExtensions,
  engine: { ...allExtensions.engine, loaded: [] },
  http: { ...allExtensions.http, routes: [], apis: [] },
};
const [extension] = allExtensions.all.filter(({ addresses = [] }) => addresses.length > 0);

test('the features are listed for staff, and switched by superusers', async () => {
  const { app, engine, now, staffKey, guestKey } = createTestServer();
  engine.users.addUser({ username: 'root', isSuperuser: true }, now());
  const root = engine.users.createKey('root', '', now()).secret;
  const get = (key: string) => request(app).get('/api/admin/features').set('X-Kegbot-Api-Key', key);
  await get(guestKey).expect(403);
  const { body } = await get(staffKey).expect(200);
  expect(body.result.features.map(({ name }: { name: string }) => name)).toEqual(
    allExtensions.all.map(({ name }) => name),
  );
  const patch = (key: string, requested: object) =>
    request(app).patch('/api/admin/features').set('X-Kegbot-Api-Key', key).send(requested);
  await patch(staffKey, { [allExtensions.all[0]?.name ?? 'none']: false }).expect(403);
  const refused = await patch(root, { darts: true }).expect(400);
  expect(refused.body.error.message).toMatch(/darts is not a feature/);
  await patch(root, { darts: 'yes' }).expect(400);
});

test.runIf(extension)('an address of a feature that is off says so, and how it is switched on', async () => {
  const { app, staffKey } = createTestServer({ switchedOn: noneOn });
  const path = `/api${extension!.addresses![0]}`;
  for (const address of [path, `${path}/anything`]) {
    const reply = await request(app).get(address).set('X-Kegbot-Api-Key', staffKey).expect(404);
    expect(reply.body.error).toMatchObject({ reason: { name: 'feature_off', feature: extension!.name } });
    expect(reply.body.error.message).toMatch(/Features/);
  }
  const { body } = await request(app).get('/api/schema').set('X-Kegbot-Api-Key', staffKey);
  expect(JSON.stringify(body)).not.toContain(`"${extension!.addresses![0]}`);
});

test.runIf(extension)(
  'switching changes the routes and the document, and forgets nothing of a client',
  async () => {
    const routes = [...allExtensions.http.routes];
    const apis = [...allExtensions.http.apis];
    const switchedOn = { ...allExtensions, http: { all: allExtensions.all, routes, apis } };
    const { app, engine, now, staffKey } = createTestServer({ switchedOn });
    engine.users.addUser({ username: 'root', isSuperuser: true }, now());
    const root = engine.users.createKey('root', '', now()).secret;
    const address = extension!.addresses![0]!;
    const document = async () =>
      Object.keys((await request(app).get('/api/schema').set('X-Kegbot-Api-Key', staffKey)).body.paths);
    const addProducer = () =>
      request(app)
        .post('/api/beverage-producers')
        .set('X-Kegbot-Api-Key', root)
        .set('Idempotency-Key', 'once')
        .send({ name: 'Brewery of one key' })
        .expect(201);
    const first = await addProducer();
    expect((await document()).some((path) => path.startsWith(`/api${address}`))).toBe(true);

    routes.splice(0);
    apis.splice(0);
    engine.useExtensions([]);
    await request(app).get(`/api${address}`).set('X-Kegbot-Api-Key', root).expect(404);
    expect((await document()).some((path) => path.startsWith(`/api${address}`))).toBe(false);
    expect((await addProducer()).body).toEqual(first.body);

    routes.push(...allExtensions.http.routes);
    apis.push(...allExtensions.http.apis);
    engine.useExtensions(allExtensions.engine.loaded);
    expect((await request(app).get(`/api${address}`).set('X-Kegbot-Api-Key', root)).status).not.toBe(404);
    expect((await document()).some((path) => path.startsWith(`/api${address}`))).toBe(true);
    expect((await addProducer()).body).toEqual(first.body);
  },
);
