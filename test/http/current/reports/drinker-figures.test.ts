import request from 'supertest';
import { expect, test } from 'vitest';
import { createPopulatedServer } from '../populated-server.ts';

test('lists what a user drank of each beverage, the most first', async () => {
  const { app, staffKey } = createPopulatedServer();
  // Bert's drinks: 2 and 5 from keg 1 (400 + 300 mL), 6 without a keg (200 mL).
  await request(app)
    .post('/api/drinks/6/move')
    .set('X-Kegbot-Api-Key', staffKey)
    .send({ keg_id: 2 })
    .expect(200);
  const read = async () =>
    (await request(app).get('/api/users/bert/stats').expect(200)).body.result.beverages;
  expect(await read()).toEqual([
    { beverage_id: '1', beverage_name: 'Haus Helles', volume_ml: 700 },
    { beverage_id: '2', beverage_name: 'Stout', volume_ml: 200 },
  ]);
  await request(app)
    .post('/api/drinks/2/move')
    .set('X-Kegbot-Api-Key', staffKey)
    .send({ keg_id: 2 })
    .expect(200);
  expect((await read()).map(({ beverage_name }: { beverage_name: string }) => beverage_name)).toEqual([
    'Stout',
    'Haus Helles',
  ]);
  await request(app).get('/api/users/nobody-here/stats').expect(404);
});

test('lists the sessions of a user with what the user drank, in pages', async () => {
  const { app } = createPopulatedServer();
  const first = (await request(app).get('/api/users/BERT/sessions?limit=1').expect(200)).body.result;
  expect(first.paging.total).toBe(2);
  expect(first.sessions).toMatchObject([{ session: { volume_ml: 500 }, own_volume_ml: 500 }]);
  const next = (await request(app).get(first.paging.next).expect(200)).body.result;
  expect(next.sessions).toMatchObject([{ session: { volume_ml: 1400 }, own_volume_ml: 400 }]);
  expect(next.paging.next).toBeNull();
  await request(app).get('/api/users/nobody-here/sessions').expect(404);
});
