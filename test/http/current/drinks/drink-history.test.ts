import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { dot } from '../../fuzz/forms.ts';
import { createPopulatedServer } from '../populated-server.ts';

function createServer() {
  const server = createPopulatedServer();
  const { app, staffKey } = server;
  const read = async (path: string, key?: string) => {
    const call = request(app).get(`/api${path}`);
    const { body } = await (key === undefined ? call : call.set('X-Kegbot-Api-Key', key)).expect(200);
    return body.result;
  };
  const send = (method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
    request(app)[method](`/api${path}`).set('X-Kegbot-Api-Key', staffKey).send(body);
  return { ...server, read, send };
}

test('lists the corrections of a drink with the values before and after, and what was undone', async () => {
  const { read, send, staffKey } = createServer();
  expect((await read('/drinks/2/corrections')).corrections).toEqual([]);
  await send('patch', '/drinks/2', { volume_ml: 350 }).expect(200);
  await send('post', '/drinks/2/move', { keg_id: null }).expect(200);
  await send('post', '/drinks/2/undo').expect(200);
  await send('post', '/drinks/2/reassign', { username: 'anna' }).expect(200);

  const { corrections, paging } = await read('/drinks/2/corrections');
  expect(paging.total).toBe(3);
  expect(corrections).toEqual([
    {
      id: expect.any(Number),
      time: expect.any(String),
      action: 'drink.reassigned',
      is_undone: false,
      before: { volume_ml: 350, keg_id: 1, beverage_name: 'Haus Helles' },
      after: { volume_ml: 350, keg_id: 1, beverage_name: 'Haus Helles' },
    },
    expect.objectContaining({
      action: 'drink.moved',
      is_undone: true,
      before: { volume_ml: 350, keg_id: 1, beverage_name: 'Haus Helles' },
      after: { volume_ml: 350, keg_id: null, beverage_name: null },
    }),
    expect.objectContaining({
      action: 'drink.edited',
      before: { volume_ml: 400, keg_id: 1, beverage_name: 'Haus Helles' },
      after: { volume_ml: 350, keg_id: 1, beverage_name: 'Haus Helles' },
    }),
  ]);
  const forStaff = (await read('/drinks/2/corrections', staffKey)).corrections[0];
  expect(forStaff).toMatchObject({
    changed_by: 'anna',
    before: { user_id: 'bert' },
    after: { user_id: 'anna' },
  });
});

test('lists a correction by calibration with the volumes, and a split at both drinks', async () => {
  const { read, send } = createServer();
  await send('post', '/drinks/1/split', { volume_ml: 100 }).expect(201);
  const part = (await read('/drinks?limit=1')).drinks[0].id;
  expect((await read(`/drinks/${part}/corrections`)).corrections).toMatchObject([
    { action: 'drink.split', before: null, after: { volume_ml: 100 } },
  ]);
  expect((await read('/drinks/1/corrections')).corrections).toMatchObject([
    { action: 'drink.split', before: { volume_ml: 300 }, after: { volume_ml: 200 } },
  ]);
});

test('the corrections of a held pour are shown to staff only', async () => {
  const { app, read, staffKey } = createServer();
  await request(app).get('/api/drinks/7/corrections').expect(404);
  expect((await read('/drinks/7/corrections', staffKey)).corrections).toEqual([]);
});

test('a drink has the times of its ticks', async () => {
  const { store, now, read } = createServer();
  insertDrink(store, { tap: 'pi.flow0', ticks: 6, durationMs: 900, series: '0:2 400:3 900:1' }, now());
  const [{ id }] = (await read('/drinks?limit=1')).drinks;
  expect((await read(`/drinks/${id}`)).series).toEqual([
    { ms: 0, ticks: 2 },
    { ms: 400, ticks: 3 },
    { ms: 900, ticks: 1 },
  ]);
  expect((await read('/drinks/1')).series).toEqual([]);
});

test('events tell volume, beer, shout and picture of their drink, and a session lists its pictures', async () => {
  const { app, read, send, staffKey } = createServer();
  await send('patch', '/drinks/2', { shout: 'Prost!' }).expect(200);
  await request(app)
    .post('/api/drinks/2/picture')
    .set('X-Kegbot-Api-Key', staffKey)
    .attach('image', dot, 'image.png')
    .expect(200);
  const { events } = await read('/events?order=time');
  const pour = events.find(
    (event: { kind: string; drink_id: number }) => event.kind === 'drink_poured' && event.drink_id === 2,
  );
  expect(pour).toMatchObject({ volume_ml: 400, beverage_name: 'Haus Helles', shout: 'Prost!' });
  const { drink, session } = await read('/drinks/2');
  const { pictures } = await read(`/sessions/${drink.session_id}/pictures`);
  expect(pictures).toEqual([
    { drink_id: 2, pour_time: drink.pour_time, user_id: 'bert', picture: pour.picture },
  ]);
  expect(pour.picture.resized_url).toMatch(/^\/api\/pictures\//);
  expect(session.id).toBe(drink.session_id);
  await request(app).get('/api/sessions/99/pictures').expect(404);
  const tapped = events.find((event: { kind: string }) => event.kind === 'keg_tapped');
  expect(tapped).toMatchObject({
    beverage_name: 'Haus Helles',
    volume_ml: null,
    shout: null,
    picture: null,
  });
});
