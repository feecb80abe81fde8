import { afterEach, expect, test, vi } from 'vitest';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../../../kit/daemon.ts';
import { openLiveStream } from '../../../kit/live-stream.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 120_000 });

let bar: BarFolder;
let daemon: RunningDaemon;
let key = '';

afterEach(async () => {
  await daemon.kill();
  bar.remove();
});

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${daemon.url}/api${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Kegbot-Api-Key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  expect(response.ok, JSON.stringify(answer)).toBe(true);
  return answer.result;
}

const pump = (ticks: number, hz: number) =>
  send('POST', '/simulator/pulses', { meter: 'pi.flow0', ticks, hz });

test('a cleaning survives kill -9 in the middle of a pour: its mode, its timer and what flowed', async () => {
  bar = makeBar({
    ...quickBar,
    toggles: [{ port: 'relay0', pin: 24 }],
    taps: [{ name: 'Left', meter: 'flow0', toggle: 'relay0' }],
  });
  daemon = await startDaemon(bar);
  key = await createStaffKey(bar, 'nora');
  const keg = (await send('GET', '/taps/1')).keg;
  const live = await openLiveStream(daemon.url, key);
  // A guest's glass before the cleaning.
  await pump(500, 300);
  await vi.waitFor(async () => expect((await send('GET', '/drinks')).drinks).toHaveLength(1), {
    timeout: 20_000,
    interval: 200,
  });
  const { cleaning } = await send('POST', '/taps/1/cleaning', {
    kind: 'caustic',
    line_volume_ml: 200,
    contact_minutes: 20,
  });
  expect((await send('GET', '/admin/valves')).valves).toMatchObject([{ manual: true, grant_id: null }]);
  await pump(2_500, 635);
  await vi.waitFor(
    async () => expect((await send('GET', `/cleanings/${cleaning.id}`)).cleaning.pours).toHaveLength(1),
    { timeout: 20_000, interval: 200 },
  );
  const { contact_ends_time: ends } = (
    await send('POST', `/cleanings/${cleaning.id}/step`, { step: 'contact' })
  ).cleaning;
  // 127 mL/s, as a pump: 635 ticks a second.
  await pump(6_000, 635);
  // Each pour is checkpointed once a second.
  await live.until((message) => message.event === 'pour' && message.data.volume_ml > 600);
  live.close();
  await daemon.kill();

  daemon = await startDaemon(bar);
  // The valve is shut after a restart, until somebody opens it.
  expect((await send('GET', '/admin/valves')).valves).toEqual([]);
  const running = (await send('GET', '/cleanings/running')).cleanings;
  expect(running).toMatchObject([{ id: cleaning.id, step: 'contact', contact_ends_time: ends }]);
  await vi.waitFor(
    async () => expect((await send('GET', `/cleanings/${cleaning.id}`)).cleaning.pours).toHaveLength(2),
    { timeout: 30_000, interval: 200 },
  );
  expect((await send('POST', `/cleanings/${cleaning.id}/open-valve`)).opened).toBe(true);
  const done = (await send('POST', `/cleanings/${cleaning.id}/finish`, { result: 'passed' })).cleaning;
  expect((await send('GET', '/admin/valves')).valves).toEqual([]);
  expect(done.beer_lost_ml).toBe(200);
  // At least what flowed until the last checkpoint, a second before the kill.
  expect(done.cleaner_ml).toBeGreaterThan(200);
  expect(done.rinse_ml).toBe(300);

  const drinks = (await send('GET', '/drinks')).drinks;
  expect(drinks).toHaveLength(1);
  const after = (await send('GET', `/kegs/${keg.id}`)).keg;
  expect(after.volume_ml_remain).toBeCloseTo(keg.volume_ml_remain - drinks[0].volume_ml - 200, 3);
  // From now on beer is beer.
  await pump(500, 300);
  await vi.waitFor(async () => expect((await send('GET', '/drinks')).drinks).toHaveLength(2), {
    timeout: 20_000,
    interval: 200,
  });
});
