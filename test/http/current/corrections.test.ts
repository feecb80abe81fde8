import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs } from '../test-server.ts';

const minute = 60_000;
const now = { monoMs: 60 * minute, wallMs: openingMs, synced: true, bootId: 'boot-1' };

/** A server with Bert's drink 1, 300 mL of 600 ticks; `staff` and `bert` send requests with their keys. */
function createServerWithDrink() {
  const server = createTestServer();
  const drink = insertDrink(
    server.store,
    { tap: 'pi.flow0', ticks: 600, username: 'bert', pourId: 'p1' },
    now,
  );
  const createClient = (key: string) => ({
    post: (path: string, body: object = {}) =>
      request(server.app).post(`/api/${path}`).set('X-Kegbot-Api-Key', key).send(body),
    patch: (path: string, body: object) =>
      request(server.app).patch(`/api/${path}`).set('X-Kegbot-Api-Key', key).send(body),
    delete: (path: string) => request(server.app).delete(`/api/${path}`).set('X-Kegbot-Api-Key', key),
    get: (path: string) => request(server.app).get(`/api/${path}`).set('X-Kegbot-Api-Key', key),
  });
  return { ...server, drink, staff: createClient(server.staffKey), bert: createClient(server.guestKey) };
}

test('the drinker can change the shout, and only staff the volume', async () => {
  const { bert, staff, engine, drink, keg } = createServerWithDrink();
  await bert.patch('drinks/1', { shout: 'Prost!' }).expect(200);
  expect(engine.drinks.get(1)?.drink.shout).toBe('Prost!');
  const refused = await bert.patch('drinks/1', { volume_ml: 1 }).expect(403);
  expect(refused.body.error.code).toBe('PermissionDeniedError');
  const reply = await staff.patch('drinks/1', { volume_ml: 250 }).expect(200);
  expect(reply.body.result).toMatchObject({
    drink: { id: drink.id, volume_ml: 250, ticks: 600 },
    keg: { served_volume_ml: 250 },
    session: { volume_ml: 250 },
    user: { username: 'bert' },
    picture: null,
  });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(250);
});

test('a user cannot change drinks of others and does not see held pours', async () => {
  const { bert, store } = createServerWithDrink();
  insertDrink(store, { tap: 'pi.flow0', ticks: 2, username: 'anna' }, now);
  insertDrink(store, { tap: 'pi.flow2', ticks: 2, username: 'bert' }, now);
  await bert.patch('drinks/2', { shout: 'mine' }).expect(403);
  await bert.patch('drinks/3', { shout: 'mine' }).expect(404);
  await bert.patch('drinks/9', { shout: 'mine' }).expect(404);
  await bert.post('drinks/1/undo').expect(403);
});

test('a drink can be reassigned to a user and to nobody', async () => {
  const { staff } = createServerWithDrink();
  const anna = await staff.post('drinks/1/reassign', { username: 'anna' }).expect(200);
  expect(anna.body.result.drink.user_id).toBe('anna');
  for (const nobody of ['guest', '', null]) {
    await staff.post('drinks/1/reassign', { username: 'anna' });
    const reply = await staff.post('drinks/1/reassign', { username: nobody }).expect(200);
    expect(reply.body.result.drink.user_id).toBeNull();
  }
  const refused = await staff.post('drinks/1/reassign', { username: 'carl' }).expect(400);
  expect(refused.body.error.fields).toHaveProperty('username');
});

test('a cancelled drink disappears, spilled or not, and undo restores it', async () => {
  const { staff, app, engine, keg } = createServerWithDrink();
  const { series, ...before } = (await staff.get('drinks/1').expect(200)).body.result;
  expect(series).toEqual([]);
  expect((await staff.delete('drinks/1?spilled=true').expect(200)).body).toEqual({ result: {} });
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 300 });
  await request(app).get('/api/drinks/1').expect(404);
  const undone = await staff.post('drinks/1/undo').expect(200);
  expect(undone.body.result).toEqual(before);
  await staff.delete('drinks/1').expect(200);
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 0 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a drink can be split and joined, and both undone', async () => {
  const { staff, engine } = createServerWithDrink();
  const split = await staff.post('drinks/1/split', { volume_ml: 100, username: 'anna' }).expect(201);
  expect(split.body.result).toMatchObject({
    drink: { id: 1, volume_ml: 200, ticks: 400, user_id: 'bert' },
    part: { id: 2, volume_ml: 100, ticks: 200, user_id: 'anna', session_id: '1', keg_id: 1 },
  });
  const joined = await staff.post('drinks/1/join', { drink_id: 2 }).expect(200);
  expect(joined.body.result.drink).toMatchObject({ id: 1, volume_ml: 300, ticks: 600, user_id: 'bert' });
  await staff.post('drinks/1/undo').expect(200);
  expect(engine.drinks.get(2)?.drink.ticks).toBe(200);
  // Undoing the split removes the part.
  expect((await staff.post('drinks/2/undo').expect(200)).body.result).toEqual({
    drink: null,
    keg: null,
    user: null,
    session: null,
    picture: null,
  });
  for (const size of [{}, { volume_ml: 100, ticks: 200 }, { ticks: 600 }, { volume_ml: 0 }]) {
    await staff.post('drinks/1/split', size).expect(400);
  }
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a drink can be moved to a keg, to a tap and to no keg', async () => {
  const { staff, engine, right } = createServerWithDrink();
  const { id } = engine.kegs.start(right.id, { beverage: { id: 1 } }, now);
  expect((await staff.post('drinks/1/move', { keg_id: id }).expect(200)).body.result.keg).toMatchObject({
    id,
    served_volume_ml: 300,
  });
  expect((await staff.post('drinks/1/move', { tap: 'pi.flow0' }).expect(200)).body.result.keg.id).toBe(1);
  expect((await staff.post('drinks/1/move', { keg_id: null }).expect(200)).body.result.keg).toBeNull();
  const invalid = await staff.post('drinks/1/move', {}).expect(400);
  expect(invalid.body.error.rules).toEqual({ keg_id: { name: 'either', other: 'tap' } });
  await staff.post('drinks/1/move', { keg_id: 1, tap: '1' }).expect(400);
  await staff.post('drinks/1/move', { keg_id: 99 }).expect(404);
});

test('an undo refused because of a later correction names that correction', async () => {
  const { staff } = createServerWithDrink();
  await staff.post('drinks/1/split', { ticks: 200 }).expect(201);
  await staff.post('drinks/2/reassign', { username: 'anna' }).expect(200);
  const refused = await staff.post('drinks/1/undo').expect(409);
  expect(refused.body.error.message).toMatch(/Drink 2 .*drink\.reassigned/);
  const missing = await staff.post('drinks/99/undo').expect(404);
  expect(missing.body.error.code).toBe('NotFoundError');
});

test('an undo refused because of a deleted keg or a new calibration names the reason', async () => {
  const { staff, engine, keg } = createServerWithDrink();
  const conflictReason = async (path: string) => (await staff.post(path).expect(409)).body.error.reason;
  const calibrated = await staff
    .post('flow-meters/1/calibrate', { ticks_per_ml: 4, apply_to_keg: 1 })
    .expect(200);
  await staff.patch('flow-meters/1', { ticks_per_ml: 3 }).expect(200);
  expect(await conflictReason(`corrections/${calibrated.body.result.correction_id}/undo`)).toEqual({
    name: 'calibrated_since',
    meter: 'pi.flow0',
  });
  await staff.delete('drinks/1').expect(200);
  engine.kegs.end(keg.id, now);
  engine.kegs.remove(keg.id);
  expect(await conflictReason('drinks/1/undo')).toEqual({ name: 'keg_gone', keg: keg.id });
});

test('staff list the audit log by page, user, action and subject', async () => {
  const { staff, bert, app } = createServerWithDrink();
  await staff.post('drinks/1/reassign', { username: 'anna' });
  await staff.delete('drinks/1');
  await staff.post('drinks/1/undo');
  const { body } = await staff.get('audit').expect(200);
  expect(body.result.paging).toEqual({ total: 3, limit: 100, pos: 0, next: null, prev: null });
  expect(body.result.entries).toMatchObject([
    { action: 'correction.undone', can_undo: false, user_id: 'anna', via: 'key' },
    { action: 'drink.cancelled', can_undo: false, undone_by: 3, after: { drinks: [] } },
    {
      id: 1,
      time: '2026-05-02T17:00:00Z',
      action: 'drink.reassigned',
      subject_kind: 'drink',
      subject_id: '1',
      before: { drinks: [{ id: 1, user_id: 'bert' }] },
      after: { drinks: [{ id: 1, user_id: 'anna' }] },
      can_undo: true,
      undone_by: null,
    },
  ]);
  const ids = async (query: string) =>
    (await staff.get(`audit?${query}`).expect(200)).body.result.entries.map(({ id }: { id: number }) => id);
  expect(await ids('start=2&limit=1')).toEqual([2]);
  expect(await ids('action=drink.cancelled')).toEqual([2]);
  expect(await ids('user=anna&subject_kind=drink&subject_id=1')).toEqual([3, 2, 1]);
  expect(await ids('user=bert')).toEqual([]);
  await staff.get('audit?subject_id=1').expect(400);
  await bert.get('audit').expect(403);
  await request(app).get('/api/audit').expect(401);
});

test('a cancellation by the legacy API is in the audit log under the key’s owner', async () => {
  const { app, staffKey, engine } = createServerWithDrink();
  await request(app).post('/api/v1/cancel-drink').send({ id: 1, api_key: staffKey }).expect(200);
  expect(engine.audit.list({}).items).toMatchObject([
    { action: 'drink.cancelled', username: 'anna', via: 'key', subject: { kind: 'drink', id: '1' } },
  ]);
});

test('a held pour is listed with its ticks and suggested tap, and can be kept, discarded and undone', async () => {
  const { staff, engine, left } = createServerWithDrink();
  const held = engine.drinks.pours.record(
    {
      pourId: 'h1',
      meter: 'pi.flow0',
      ticks: 20_000,
      startedMonoMs: now.monoMs - 4_000,
      durationMs: 4_000,
      series: '0:10000 2000:10000',
      reachedMaxDuration: false,
      bootId: 'boot-1',
      rejectedEdges: 7,
      ticksLost: 0,
      doubts: ['electrical_noise'],
      recovered: false,
    },
    'pin',
    now,
  );
  const { body } = await staff.get('held-pours').expect(200);
  expect(body.result).toMatchObject({
    paging: { total: 1, limit: 100, pos: 0, next: null, prev: null },
    held_pours: [
      {
        id: held.id,
        held_reason: 'electrical_noise',
        meter_name: 'pi.flow0',
        suggested_tap_id: String(left.id),
        suggested_keg_id: 1,
        ticks: 20_000,
        duration: 4,
        rejected_edges: 7,
        series: [
          { ms: 0, ticks: 10_000 },
          { ms: 2_000, ticks: 10_000 },
        ],
      },
    ],
  });
  const reply = await staff.post(`held-pours/${held.id}/keep`, { username: 'anna' }).expect(200);
  expect(reply.body.result).toMatchObject({ drink: { is_valid: true, keg_id: 1, user_id: 'anna' } });
  await staff.post(`held-pours/${held.id}/keep`).expect(409);
  await staff.post(`held-pours/${held.id}/undo`).expect(200);
  expect(engine.drinks.held()).toEqual([held]);
  await staff.post(`held-pours/${held.id}/discard`).expect(200);
  expect(engine.drinks.heldCount()).toBe(0);
  const undone = await staff.post(`held-pours/${held.id}/undo`).expect(200);
  expect(undone.body.result.drink).toMatchObject({ id: held.id, held_reason: 'electrical_noise' });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a held pour of a meter without a tap can be kept on any tap and keg', async () => {
  const { staff, engine, store, right } = createServerWithDrink();
  const held = insertDrink(store, { tap: 'pi.flow2', ticks: 100 }, now);
  const input = { tap: String(right.id), keg_id: '1' };
  const reply = await staff.post(`held-pours/${held.id}/keep`, input).expect(200);
  expect(reply.body.result.drink).toMatchObject({ keg_id: 1, is_valid: true });
  expect(engine.drinks.get(held.id)?.drink.tapId).toBe(right.id);
  const another = insertDrink(store, { tap: 'pi.flow2', ticks: 100 }, now);
  await staff.post(`held-pours/${another.id}/keep`, { tap: 'attic' }).expect(400);
  await staff.post('held-pours/99/keep').expect(404);
  await staff.post('drinks/1/reassign', { username: 'anna' }).expect(200);
  // Bert's drink was never held, so the held pour routes refuse it.
  await staff.post('held-pours/1/undo').expect(409);
  await staff.post('held-pours/1/discard').expect(409);
});

test('a drink can be recorded by hand, once per idempotency key', async () => {
  const { staff, app, staffKey, engine, attic } = createServerWithDrink();
  const body = {
    volume_ml: 330,
    username: 'anna',
    pour_time: '2026-05-02T16:30:00Z',
    duration: 12,
    shout: 'from the bottle',
  };
  const record = () =>
    request(app)
      .post('/api/taps/pi.flow0/record-drink')
      .set('X-Kegbot-Api-Key', staffKey)
      .set('Idempotency-Key', 'once')
      .send(body)
      .expect(201);
  const first = await record();
  expect(first.body.result).toMatchObject({
    drink: {
      id: 2,
      ticks: 0,
      volume_ml: 330,
      user_id: 'anna',
      pour_time: '2026-05-02T16:30:00Z',
      duration: 12,
    },
    keg: { served_volume_ml: 630 },
  });
  expect((await record()).body.result.drink).toEqual(first.body.result.drink);
  expect(engine.drinks.get(2)?.drink).toMatchObject({ source: 'manual', shout: 'from the bottle' });
  // A manual drink requires neither a meter nor a keg on the tap.
  const plain = await staff.post(`taps/${attic.id}/record-drink`, { volume_ml: 200 }).expect(201);
  expect(plain.body.result).toMatchObject({ drink: { volume_ml: 200, user_id: null }, keg: null });
  const misspelled = { volume_ml: 1, username: 'ana' };
  const refused = await staff.post('taps/1/record-drink', misspelled).expect(400);
  expect(refused.body.error.fields).toHaveProperty('username');
  await staff.post('taps/nowhere/record-drink', { volume_ml: 1 }).expect(404);
  expect(engine.audit.list({}).items.map(({ action }) => action)).toEqual([
    'drink.recorded',
    'drink.recorded',
  ]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a spill recorded by hand adds to the keg’s spilled volume and creates no drink', async () => {
  const { staff, engine } = createServerWithDrink();
  const reply = await staff.post('taps/1/record-drink', { volume_ml: 120, spilled: true }).expect(201);
  expect(reply.body.result).toMatchObject({ drink: null, keg: { id: 1, spilled_ml: 120 } });
  expect(engine.drinks.list({}).total).toBe(1);
  expect(engine.audit.list({}).items).toMatchObject([{ action: 'spill.recorded', username: 'anna' }]);
});

test('a calibration can be previewed, applied to a keg and undone as one correction', async () => {
  const { staff, engine, store } = createServerWithDrink();
  insertDrink(store, { tap: 'pi.flow0', ticks: 100, volumeMl: 77 }, now);
  const wanted = { ticks_per_ml: 4, apply_to_keg: 1 };
  const preview = await staff.post('flow-meters/1/calibration-preview', wanted).expect(200);
  expect(preview.body.result).toMatchObject({
    ticks_per_ml_before: 2,
    ticks_per_ml: 4,
    drink_count: 1,
    volume_ml_before: 300,
    volume_ml: 150,
    drinks: [{ id: 1, volume_ml_before: 300, volume_ml: 150 }],
    keg: { served_volume_ml: 377 },
  });
  const done = await staff.post('flow-meters/1/calibrate', wanted).expect(200);
  expect(done.body.result).toMatchObject({ drink_count: 1, keg: { served_volume_ml: 227 } });
  expect(engine.drinks.get(1)?.drink.volumeMl).toBe(150);
  const refused = await staff.post('drinks/1/undo').expect(409);
  expect(refused.body.error.reason).toEqual({ name: 'changed_by_calibration', drink: 1 });
  await staff.post(`corrections/${done.body.result.correction_id}/undo`).expect(200);
  expect(engine.drinks.get(1)?.drink.volumeMl).toBe(300);
  expect(engine.taps.hardware.meters()[0]?.ticksPerMl).toBe(2);
  await staff.post('flow-meters/1/calibrate', { ticks_per_ml: 0 }).expect(400);
  await staff.post('flow-meters/99/calibrate', { ticks_per_ml: 1 }).expect(404);
  await staff.post('flow-meters/1/calibrate', { ticks_per_ml: 1, apply_to_keg: 99 }).expect(404);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('corrections send no webhooks', async () => {
  const { staff, engine, store } = createServerWithDrink();
  const urls = ['https://hooks.example.org/tapster'];
  engine.notifications.webhooks.change({ urls }, { userId: null, via: 'console' }, now);
  const messages = () => engine.notifications.outbox.list({}).total;
  await staff.delete('drinks/1').expect(200);
  await staff.post('drinks/1/undo').expect(200);
  await staff.post('drinks/1/split', { ticks: 100 }).expect(201);
  expect(messages()).toBe(0);
  // A held pour that is kept was not sent before.
  const held = insertDrink(store, { tap: 'pi.flow2', ticks: 100 }, now);
  await staff.post(`held-pours/${held.id}/keep`).expect(200);
  expect(messages()).toBeGreaterThan(0);
});

test('a user can claim a drink without a user within ten minutes, if claims are allowed', async () => {
  const { bert, staff, engine, store, app } = createServerWithDrink();
  const pour = (pourId: string, minutesAgo = 0) =>
    insertDrink(
      store,
      { tap: 'pi.flow0', ticks: 200, pourId },
      { ...now, wallMs: openingMs - minutesAgo * minute },
    );
  const own = pour('p2');
  const refused = await bert.post(`drinks/${own.id}/claim`).expect(403);
  expect(refused.body.error.message).toMatch(/ask staff/);
  expect(engine.drinks.get(own.id)?.drink.username).toBeNull();

  await staff.patch('site', { allow_claims: true }).expect(200);
  await request(app).post(`/api/drinks/${own.id}/claim`).expect(401);
  const reply = await bert.post(`drinks/${own.id}/claim`).expect(200);
  expect(reply.body.result.drink.user_id).toBe('bert');
  await staff.post(`drinks/${own.id}/claim`).expect(409);
  const old = pour('p3', 11);
  await bert.post(`drinks/${old.id}/claim`).expect(409);
  // A held pour is not visible to users.
  const held = insertDrink(store, { tap: 'pi.flow2', ticks: 200, pourId: 'p4' }, now);
  await bert.post(`drinks/${held.id}/claim`).expect(404);
  expect(engine.audit.list({ subject: { kind: 'drink', id: String(own.id) } }).items).toMatchObject([
    { username: 'bert', via: 'key' },
  ]);
  expect(engine.site.checkDatabase()).toEqual([]);
});
