import { expect, test } from 'vitest';
import { pour } from '../../../engine/bar.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const asks = { meter: 'meter_on_other_tap', toggle: 'toggle_on_other_tap' } as const;

/** A bar in which beer flows at two meters; the end of a running pour records it. */
function openPouringBar() {
  const running = new Map<string, string>();
  const server = createTestServer({
    services: {
      counting: {
        runningPours: () => new Map(),
        meterStatuses: () => [],
        endPour(meter) {
          const pourId = running.get(meter);
          if (!running.delete(meter)) return;
          server.engine.drinks.pours.record(
            pour(server.now(), { meter, pourId: pourId!, ticks: 600 }),
            'pin',
            server.now(),
          );
        },
      },
    },
  });
  const anna = createStaffClient(server);
  /** The tap of a pour that was recorded. */
  const tapOf = (pourId: string) => server.store.drinks.byPourId(pourId)?.tapId;
  running.set('pi.flow0', 'left-pour').set('pi.flow1', 'right-pour');
  return { running, anna, tapOf };
}

test.each(['meter', 'toggle'] as const)('a %s of another tap is taken only on request', async (part) => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const address = `/taps/2/connect-${part}`;
  const refused = await anna.expectError(409, 'post', address, { [`${part}_id`]: 1 });
  expect(refused).toMatchObject({ reason: { name: asks[part], tap: 'Left' } });
  await anna.expectError(409, 'post', address, { [`${part}_id`]: 1, move: false });
  expect((await anna.send('get', '/taps/1')).tap[`${part}_id`]).toBe(1);

  const before = (await anna.send('get', '/taps')).taps;
  const moved = await anna.send('post', address, { [`${part}_id`]: 1, move: true });
  expect(moved.tap[`${part}_id`]).toBe(1);
  expect((await anna.send('get', '/taps/1')).tap[`${part}_id`]).toBeNull();
  await anna.send('post', `/corrections/${moved.correction_id}/undo`);
  expect((await anna.send('get', '/taps')).taps).toEqual(before);
});

test('a meter is moved by its own record only on request', async () => {
  const anna = createStaffClient(createTestServer());
  const refused = await anna.expectError(409, 'patch', '/flow-meters/1', { tap_id: 2 });
  expect(refused).toMatchObject({ reason: { name: 'meter_on_other_tap', tap: 'Left' } });
  expect((await anna.send('patch', '/flow-meters/1', { tap_id: 2, move: true })).flow_meter.tap_id).toBe('2');
});

test('a pour that runs while its meter is moved, and while that is undone, is of the tap where it flowed', async () => {
  const { anna, running, tapOf } = openPouringBar();
  await anna.expectError(409, 'post', '/taps/2/connect-meter', { meter_id: 1 });
  expect(running.size, 'a refusal ends no pour').toBe(2);

  const { correction_id: id } = await anna.send('post', '/taps/2/connect-meter', { meter_id: 1, move: true });
  expect([tapOf('left-pour'), tapOf('right-pour')]).toEqual([1, 2]);

  running.set('pi.flow0', 'after-the-move');
  await anna.send('post', `/corrections/${id}/undo`);
  expect(tapOf('after-the-move')).toBe(2);
  expect((await anna.send('get', '/taps/1')).tap.meter_name).toBe('pi.flow0');
  expect((await anna.send('get', '/taps/2')).tap.meter_name).toBe('pi.flow1');
});

test('pours that run while two meters are exchanged or one is disconnected are of the taps where they flowed', async () => {
  const swapped = openPouringBar();
  await swapped.anna.send('post', '/taps/2/swap-meters', { tap: '1' });
  expect([swapped.tapOf('left-pour'), swapped.tapOf('right-pour')]).toEqual([1, 2]);

  const disconnected = openPouringBar();
  await disconnected.anna.send('post', '/taps/1/connect-meter', { meter_id: null });
  expect(disconnected.tapOf('left-pour')).toBe(1);
  expect([...disconnected.running.keys()]).toEqual(['pi.flow1']);
});
