import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

/** Records by hand on a tap. */
const record = (server: TestServer, body: object, { key, tap = 1 }: { key?: string; tap?: number } = {}) => {
  const sent = request(server.app)
    .post(`/api/taps/${tap}/record-drink`)
    .set('X-Kegbot-Api-Key', server.staffKey);
  return (key === undefined ? sent : sent.set('Idempotency-Key', key)).send(body);
};

const counts = ({ engine }: TestServer) => ({
  drinks: engine.drinks.list({}).total,
  held: engine.drinks.held().length,
});

test('an Idempotency-Key used again records nothing; used for something else, it is refused', async () => {
  const server = createTestServer();
  const body = { volume_ml: 330, pour_time: '2026-05-02T16:00:00Z' };
  const first = await record(server, body, { key: 'a' }).expect(201);
  expect((await record(server, body, { key: 'a' }).expect(201)).body.result.drink).toEqual(
    first.body.result.drink,
  );
  const changed = [
    { ...body, volume_ml: 400 },
    { ...body, duration: 9 },
    { ...body, spilled: true },
    { ...body, pour_time: '2026-05-02T16:00:10Z' },
    { volume_ml: 330 },
  ];
  for (const other of changed) {
    const { error } = (await record(server, other, { key: 'a' }).expect(409)).body;
    expect(error.reason).toEqual({ name: 'idempotency_key_reused' });
  }
  await record(server, body, { key: 'a', tap: 2 }).expect(409);
  expect(counts(server)).toEqual({ drinks: 1, held: 0 });
  expect(server.engine.kegs.get(server.keg.id)?.spilledVolumeMl).toBe(0);
});

test('an Idempotency-Key is known after its drink was cancelled, and after its spill was undone', async () => {
  const server = createTestServer();
  const { drink } = (await record(server, { volume_ml: 330 }, { key: 'a' }).expect(201)).body.result;
  server.engine.drinks.cancel(drink.id, { spilled: false }, server.now());
  const again = (await record(server, { volume_ml: 330 }, { key: 'a' }).expect(201)).body.result;
  expect(again.drink).toMatchObject({ id: drink.id, is_valid: false });
  const spill = { volume_ml: 500, spilled: true };
  const { correction_id: id } = (await record(server, spill, { key: 'b' }).expect(201)).body.result;
  await request(server.app)
    .post(`/api/corrections/${id}/undo`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  expect((await record(server, spill, { key: 'b' }).expect(201)).body.result).toMatchObject({
    correction_id: null,
  });
  expect(server.engine.kegs.get(server.keg.id)).toMatchObject({ spilledVolumeMl: 0, servedVolumeMl: 0 });
});

test('without a key, an equal drink that ended within two seconds is the same one; without a time it is another', async () => {
  const server = createTestServer();
  const body = { volume_ml: 330, pour_time: '2026-05-02T16:00:00Z' };
  await record(server, body).expect(201);
  for (const time of ['2026-05-02T16:00:00Z', '2026-05-02T16:00:02Z']) {
    const { drink } = (await record(server, { ...body, pour_time: time }).expect(201)).body.result;
    expect(drink).toMatchObject({ id: 1, is_valid: true });
  }
  await record(server, { ...body, pour_time: '2026-05-02T16:00:03Z' }).expect(201);
  await record(server, { ...body, volume_ml: 331 }).expect(201);
  for (let i = 0; i < 2; i++) await record(server, { volume_ml: 330 }).expect(201);
  expect(counts(server)).toEqual({ drinks: 5, held: 0 });
});

test('a spill counts at the time when it was spilled: on its keg, and on its day', async () => {
  const server = createTestServer();
  const { engine, keg, left } = server;
  const pass = (hours: number) => {
    const { monoMs, wallMs } = server.now();
    server.setClock({ monoMs: monoMs + hours * 3_600_000, wallMs: wallMs + hours * 3_600_000 });
    return server.now();
  };
  const timeMs = server.now().wallMs + 3_600_000;
  await record(server, { volume_ml: 330 }).expect(201);
  engine.kegs.end(keg.id, pass(2));
  const later = pass(22);
  const beverage = { name: 'Stout', producerName: 'Brewery', styleName: '' };
  const next = engine.kegs.start(left.id, { beverage, sizeKey: 'euro-30-liter' }, later);
  const pourTime = new Date(timeMs).toISOString();
  const body = { volume_ml: 500, spilled: true, pour_time: pourTime };
  expect((await record(server, body).expect(201)).body.result.keg).toMatchObject({ id: keg.id });
  expect(engine.kegs.get(keg.id)?.spilledVolumeMl).toBe(500);
  expect(engine.kegs.get(next.id)?.spilledVolumeMl).toBe(0);
  expect(server.store.drinks.spills.byId(1)).toMatchObject({ timeMs, tapId: left.id });
  const send = (fields: object) =>
    request(server.app)
      .post(`/api/kegs/${next.id}/spill`)
      .set('X-Kegbot-Api-Key', server.staffKey)
      .send({ volume_ml: 200, ...fields });
  await send({ time: pourTime }).expect(200);
  await send({}).expect(200);
  await send({ time: '2099-01-01T00:00:00Z' }).expect(200);
  expect([2, 3, 4].map((id) => server.store.drinks.spills.byId(id)?.timeMs)).toEqual([
    timeMs,
    later.wallMs,
    later.wallMs,
  ]);
  expect(engine.kegs.get(next.id)?.spilledVolumeMl).toBe(600);
  expect(engine.site.checkDatabase()).toEqual([]);
});
