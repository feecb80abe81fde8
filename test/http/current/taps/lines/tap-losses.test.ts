import { expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../../test-server.ts';
import { createStaffClient } from '../../staff-client.ts';

/** Lets the left tap drip 35 mL, beside 25 mL that only moved in its line. */
function drip({ engine, now }: TestServer) {
  const left = { ticks: 120, drips: 4, backFlowTicks: 50 };
  engine.drinks.pours.countDrips({ byMeter: new Map([['pi.flow0', left]]), counters: [] }, now());
}

const today = '2026-05-02';
const path = `/taps/pi.flow0/losses/${today}/spill`;

test('staff list drips and back-flow by day with their volumes', async () => {
  const server = createTestServer();
  drip(server);
  const { days } = await createStaffClient(server).send('get', '/taps/1/losses');
  expect(days).toMatchObject([
    { date: today, drips: 4, drip_ticks: 70, drip_ml: 35, back_flow_ticks: 50, back_flow_ml: 25 },
  ]);
});

test('staff count the drips of a day as spilled, once, and undo it', async () => {
  const server = createTestServer();
  drip(server);
  const anna = createStaffClient(server);
  const before = await anna.send('get', '/taps/1/losses');
  const spilled = await anna.send('post', path);
  expect(spilled).toMatchObject({ volume_ml: 35, keg: { id: 1, spilled_ml: 35 } });
  const refused = await anna.expectError(409, 'post', path);
  expect(refused.reason).toEqual({ name: 'no_loss_left' });
  expect((await anna.send('get', '/taps/1/losses')).days).toMatchObject([{ drips: 0, back_flow_ticks: 50 }]);
  await anna.send('post', `/corrections/${spilled.correction_id}/undo`);
  expect(await anna.send('get', '/taps/1/losses')).toEqual(before);
  expect((await anna.send('get', '/kegs/1')).keg).toMatchObject({ spilled_ml: 0 });
});

test('staff count the back-flow of a day as spilled', async () => {
  const server = createTestServer();
  drip(server);
  const anna = createStaffClient(server);
  expect(await anna.send('post', path, { loss: 'back_flow' })).toMatchObject({ volume_ml: 25 });
  expect((await anna.send('get', '/taps/1/losses')).days).toMatchObject([{ drips: 4, back_flow_ticks: 0 }]);
  await anna.expectError(400, 'post', path, { loss: 'gas' });
});

test('a tap without a meter has no losses to count; an unknown tap and date are refused', async () => {
  const server = createTestServer();
  drip(server);
  const anna = createStaffClient(server);
  await anna.expectError(409, 'post', `/taps/3/losses/${today}/spill`);
  await anna.expectError(404, 'post', `/taps/99/losses/${today}/spill`);
  await anna.expectError(400, 'post', '/taps/1/losses/2026-02-30/spill');
});
