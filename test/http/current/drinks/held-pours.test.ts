import request from 'supertest';
import { expect, test } from 'vitest';
import type { EndedPour } from '../../../../src/core/pours/pour.ts';
import { pour } from '../../../engine/bar.ts';
import { createTestServer } from '../../test-server.ts';

const gas = { class: 'gas', onsetMs: 2_000, ticks: 400, ratio: 2 } as const;

function createServer() {
  const server = createTestServer();
  const staff = (method: 'get' | 'post', path: string, body: object = {}) => {
    const sending = request(server.app)[method](`/api/${path}`).set('X-Kegbot-Api-Key', server.staffKey);
    return method === 'get' ? sending : sending.send(body);
  };
  const count = (options: Partial<EndedPour>) =>
    server.engine.drinks.pours.record(pour(server.now(), options), 'pin', server.now());
  const review = async () => (await staff('get', 'held-pours').expect(200)).body.result;
  return { ...server, staff, count, review };
}

test('the review lists drinks of which a part was taken for gas, with what is left out; one call counts all of it', async () => {
  const { staff, count, review, engine } = createServer();
  count({ ticks: 300 });
  const { id, meter } = count({ ticks: 1_000, gas });
  const factor = engine.taps.hardware.meters().find(({ name }) => name === meter)!.ticksPerMl;
  expect((await review()).reduced_drinks).toEqual([
    {
      id,
      tap_id: '1',
      pour_time: expect.any(String),
      volume_ml: 600 / factor,
      left_out_ml: 400 / factor,
      taken_for: 'gas',
    },
  ]);
  await staff('post', `drinks/${id}/count-as-beer`).expect(200);
  expect((await review()).reduced_drinks).toEqual([]);
  expect(engine.drinks.get(id)?.drink.volumeMl).toBeCloseTo(1_000 / factor, 9);
  await staff('post', `drinks/${id}/undo`).expect(200);
  expect((await review()).reduced_drinks).toHaveLength(1);
});

test('the review lists a hundred of them, and none of a keg that staff called empty', async () => {
  const { staff, count, review, engine } = createServer();
  for (let i = 0; i < 100; i++) count({ ticks: 1_000, gas });
  expect((await review()).reduced_drinks).toHaveLength(100);
  await staff('post', 'taps/1/keg-empty', { is_empty: true }).expect(200);
  expect((await review()).reduced_drinks).toEqual([]);
  const [ended] = engine.audit.list({}).items;
  await staff('post', `corrections/${ended!.id}/undo`).expect(200);
  expect((await review()).reduced_drinks).toHaveLength(100);
});

test('the review lists a drink whose meter was deleted, by the factor that the drink shows', async () => {
  const { staff, count, review, engine, store } = createServer();
  const { id, volumeMl } = count({ ticks: 1_000, gas });
  store.taps.meters.remove(engine.taps.hardware.meters()[0]!.id);
  expect((await review()).reduced_drinks).toMatchObject([
    { id, left_out_ml: expect.closeTo((volumeMl * 400) / 600, 9) },
  ]);
  await staff('post', `drinks/${id}/count-as-beer`).expect(200);
  expect(engine.drinks.get(id)?.drink.volumeMl).toBeCloseTo((volumeMl * 1_000) / 600, 9);
});

test('the review leaves out what is within the ± of a drink', async () => {
  const { count, review } = createServer();
  count({ ticks: 300, gas: { ...gas, ticks: 9 } });
  expect((await review()).reduced_drinks).toEqual([]);
});

test('a pour that was gas alone is held with its reason and all its ticks; the answer “not empty” makes it a drink', async () => {
  const { staff, count, review, engine } = createServer();
  const { id } = count({ ticks: 1_000, gas: { ...gas, onsetMs: 0, ticks: 1_000 } });
  expect((await review()).held_pours).toMatchObject([{ id, held_reason: 'gas', ticks: 1_000 }]);
  await staff('post', 'taps/1/keg-empty', { is_empty: false }).expect(200);
  expect(engine.drinks.get(id)?.drink).toMatchObject({ isValid: true, ticks: 1_000, gasTicks: 0 });
  expect((await review()).held_pours).toEqual([]);
});
