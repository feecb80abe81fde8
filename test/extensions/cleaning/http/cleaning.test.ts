import sharp from 'sharp';
import request from 'supertest';
import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { cleaning } from '../../../../src/extensions/cleaning/extension.ts';
import { createTestServer, openingMs } from '../../../http/test-server.ts';

/** A server with the keys of staff and a guest, and the calls that cleanings made of counting and valves. */
function createServer() {
  const calls: string[] = [];
  const server = createTestServer({
    services: {
      counting: {
        runningPours: () => new Map(),
        meterStatuses: () => [],
        endPour: (meter) => void calls.push(`end ${meter}`),
      },
      backgroundOf: () => ({
        open: ({ id }: { readonly id: number }, toggle: string) => void calls.push(`open ${id} ${toggle}`),
        release: (id: number) => void calls.push(`release ${id}`),
      }),
    },
  });
  const send = (
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    body: object = {},
    key = server.staffKey,
  ) => {
    const sent = request(server.app)[method](`/api/${path}`).set('X-Kegbot-Api-Key', key);
    return method === 'get' ? sent : sent.send(body);
  };
  const pour = (ticks: number, wallMs = openingMs) =>
    server.engine.drinks.pours.report(
      { tap: 'pi.flow0', ticks, source: 'post', pourId: `p${ticks}` },
      { monoMs: 3_700_000, wallMs, synced: true, bootId: 'boot-1' },
    );
  return { ...server, send, calls, pour };
}

test('staff run a cleaning by API: steps, what flowed, the entry', async () => {
  const { send, calls, pour, left } = createServer();
  const started = await send('post', `taps/${left.id}/cleaning`, {
    kind: 'caustic',
    line_volume_ml: 100,
  }).expect(201);
  const { id } = started.body.result.cleaning;
  expect(started.body.result.cleaning).toMatchObject({
    tap_id: String(left.id),
    kind: 'caustic',
    step: 'push_out',
    line_volume_ml: 100,
    ended_time: null,
    entries: [],
  });
  await send('post', `taps/${left.id}/cleaning`, { kind: 'acid' }).expect(409);
  pour(500, openingMs + 60_000);
  const stepped = await send('post', `cleanings/${id}/step`, { step: 'contact' }).expect(200);
  expect(stepped.body.result.cleaning).toMatchObject({
    step: 'contact',
    contact_ends_time: expect.any(String),
    contact_left_s: 1_200,
  });
  const running = (await send('get', 'cleanings/running')).body.result;
  expect(running.cleanings).toHaveLength(1);
  const done = await send('post', `cleanings/${id}/finish`, {
    result: 'passed',
    agent: 'Cleaner',
    concentration_percent: 2,
    temp_c: 40,
    contact_minutes: 15,
    method: 'recirculation',
    rinse_ph: 7.1,
    note: 'Fine',
  }).expect(200);
  expect(done.body.result.cleaning).toMatchObject({
    end_reason: 'finished',
    entries: [{ agent: 'Cleaner', rinse_ph: 7.1, result: 'passed', tap: 'Left', withdrawn: false }],
  });
  // Before each step, and before the start that was refused.
  expect(calls.filter((call) => call.startsWith('end'))).toHaveLength(4);
  expect(calls.some((call) => call === `release ${id}`)).toBe(true);
  await send('post', `cleanings/${id}/finish`, {}).expect(409);
});

test('what is left of the contact time is told by the clock of the daemon', async () => {
  const { send, engine, left } = createServer();
  const start = (minutes: number) =>
    engine.serviceOf(cleaning).cleanings.start(
      { tapId: left.id, kind: 'caustic', step: 'contact', contactMinutes: 20 },
      {
        actor: systemActor,
        now: { monoMs: 0, wallMs: openingMs - minutes * 60_000, synced: true, bootId: 'boot-1' },
      },
    ).id;
  const leftOf = async (id: number) =>
    (await send('get', `cleanings/${id}`)).body.result.cleaning.contact_left_s;
  const id = start(5);
  expect(await leftOf(id)).toBe(900);
  await send('post', `cleanings/${id}/cancel`).expect(200);
  expect(await leftOf(id)).toBeNull();
  expect(await leftOf(start(25))).toBe(0);
});

test('an entry that was withdrawn can be entered again', async () => {
  const { send, left } = createServer();
  const times = { started_time: '2026-05-01T08:00:00Z', ended_time: '2026-05-01T09:00:00Z' };
  const body = { tap: String(left.id), kind: 'caustic', ...times, result: 'passed' };
  const { id, entries } = (await send('post', 'cleanings', body).expect(201)).body.result.cleaning;
  const withdrawn = (await send('post', `cleanings/${id}/withdraw`, { entry_id: entries[0].id })).body.result;
  const entry_id = withdrawn.cleaning.entries[0].id;
  const again = await send('post', `cleanings/${id}/entries`, { entry_id, withdrawn: false }).expect(200);
  expect(again.body.result.cleaning.entries).toMatchObject([
    { withdrawn: false, result: 'passed' },
    { withdrawn: true },
    { withdrawn: false },
  ]);
});

test('a correction keeps the entry before, in the list and in the CSV', async () => {
  const { send, left } = createServer();
  const body = {
    tap: String(left.id),
    kind: 'caustic',
    started_time: '2026-05-01T08:00:00Z',
    ended_time: '2026-05-01T09:00:00Z',
    result: 'passed',
    rinse_ph: 7,
    agent: 'A;"B',
  };
  const added = (await send('post', 'cleanings', body).expect(201)).body.result.cleaning;
  const entry = added.entries[0].id;
  await send('post', `cleanings/${added.id}/entries`, { entry_id: entry, rinse_ph: 8.5 }).expect(200);
  await send('post', `cleanings/${added.id}/entries`, { entry_id: entry, rinse_ph: 9 }).expect(409);
  const { result } = (await send('get', `cleanings?tap=${left.id}&since=2026-05-01T00:00:00Z`)).body;
  expect(result.cleanings[0].entries).toMatchObject([
    { corrects_id: entry, rinse_ph: 8.5 },
    { id: entry, rinse_ph: 7 },
  ]);
  expect((await send('get', 'cleanings?since=2026-05-02T00:00:00Z')).body.result.paging.total).toBe(0);
  const csv = await send('get', 'cleaning-log.csv')
    .expect(200)
    .expect('content-type', /text\/csv/);
  const lines = csv.text.trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('"A;""B"');
  expect(lines.slice(1).map((line) => line.split(',')[3])).toEqual(['true', 'false']);
  const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  for (const line of lines.slice(1)) expect(line.split(',')[4]).toMatch(isoTime);
  const excel = await send('get', 'cleaning-log.csv?dialect=excel').expect(200);
  const shown = excel.text.trim().split('\r\n')[1]!.split(';')[4];
  expect(shown).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const future = { ended_time: '2027-01-01T00:00:00Z' };
  await send('post', 'cleanings', { ...body, ...future }).expect(400);
  const newest = result.cleanings[0].entries[0].id;
  const refused = await send('post', `cleanings/${added.id}/entries`, {
    entry_id: newest,
    started_time: '2026-12-31T23:00:00Z',
    ...future,
  }).expect(400);
  expect(refused.body.error.rules).toEqual({
    ended_time: { name: 'cleaning_time', what: 'future' },
  });
});

test('the photo of a cleaning that is in the log stays', async () => {
  const { send, app, staffKey, left } = createServer();
  const { id } = (await send('post', `taps/${left.id}/cleaning`, { kind: 'caustic' })).body.result.cleaning;
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
  const add = () =>
    request(app)
      .post(`/api/cleanings/${id}/picture`)
      .set('X-Kegbot-Api-Key', staffKey)
      .attach('image', photo, 'photo.png');
  const first = (await add().expect(200)).body.result.cleaning.picture_url;
  const second = (await add().expect(200)).body.result.cleaning.picture_url;
  expect(second).not.toBe(first);
  await send('post', `cleanings/${id}/finish`, { result: 'passed' }).expect(200);
  expect((await add().expect(409)).body.error.reason.name).toBe('cleaning_has_picture');
  const logged = await send('get', `cleanings/${id}`);
  expect(logged.body.result.cleaning.picture_url).toBe(second);
  await request(app).get(second).expect(200);
});

test('plans: presets with sources, intervals, what is due', async () => {
  const { send, left } = createServer();
  const presets = (await send('get', 'cleaning-presets')).body.result.cleaning_presets;
  expect(presets.map(({ name }: { name: string }) => name)).toContain('cask_marque');
  expect(presets.every(({ source }: { source: string }) => source !== '')).toBe(true);
  await send('post', 'cleaning-plans', { preset: 'cask_marque', tap_ids: [left.id] }).expect(200);
  const set = await send('put', `taps/${left.id}/cleaning-plans/acid`, { interval_days: 30 }).expect(200);
  expect(set.body.result.cleaning_plans).toMatchObject([
    { kind: 'acid', interval_days: 30, preset: null, last_time: null, state: 'done' },
    { kind: 'caustic', interval_days: 7, preset: 'cask_marque' },
  ]);
  const { correction_id: deletion } = (
    await send('delete', `taps/${left.id}/cleaning-plans/acid`).expect(200)
  ).body.result;
  await send('post', `corrections/${deletion}/undo`).expect(200);
  expect((await send('get', 'cleaning-plans')).body.result.cleaning_plans).toHaveLength(2);
  await send('delete', `taps/${left.id}/cleaning-plans/acid`).expect(200);
  await send('delete', `taps/${left.id}/cleaning-plans/acid`).expect(404);
  await send('put', `taps/${left.id}/cleaning-plans/acid`, { interval_days: 0 }).expect(400);
  await send('post', 'cleaning-plans', { preset: 'none', tap_ids: [left.id] }).expect(400);
});

test('a large pour is suggested, marked with one request, and undone', async () => {
  const { send, pour, keg, engine } = createServer();
  const drink = pour(12_000);
  const [one] = (await send('get', 'cleaning-suggestions')).body.result.cleaning_suggestions;
  expect(one).toMatchObject({ drink_ids: [drink.id], volume_ml: drink.volumeMl });
  const before = engine.kegs.get(keg.id)?.servedVolumeMl;
  const marked = await send('post', 'cleaning-suggestions', {
    drink_ids: one.drink_ids,
    kind: 'caustic',
  }).expect(201);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(before! - drink.volumeMl);
  await send('post', `corrections/${marked.body.result.correction_id}/undo`).expect(200);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(before);
  await send('post', 'cleaning-suggestions/dismiss', { drink_ids: one.drink_ids }).expect(200);
  expect((await send('get', 'cleaning-suggestions')).body.result.cleaning_suggestions).toEqual([]);
});

test('cancelling with pours that were drinks makes them drinks', async () => {
  const { send, pour, left, engine } = createServer();
  const { id } = (await send('post', `taps/${left.id}/cleaning`, { kind: 'caustic' })).body.result.cleaning;
  const flow = pour(400, openingMs + 60_000);
  expect(flow.isValid).toBe(false);
  await send('post', `cleanings/${id}/cancel`, { pours_were_drinks: true }).expect(200);
  expect(engine.drinks.get(flow.id)?.drink.isValid).toBe(true);
  await send('post', `cleanings/${id}/cancel`).expect(409);
});

test('everything is for staff', async () => {
  const { send, guestKey, left } = createServer();
  await send('post', `taps/${left.id}/cleaning`, { kind: 'caustic' }, guestKey).expect(403);
  for (const path of [
    'cleanings',
    'cleanings/running',
    'cleaning-plans',
    'cleaning-suggestions',
    'cleaning-log.csv',
  ])
    await send('get', path, {}, guestKey).expect(403);
});
