import { afterEach, expect, test, vi } from 'vitest';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../kit/daemon.ts';
import { openLiveStream } from '../kit/live-stream.ts';

// Starts a real process, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

let bar: BarFolder;
let daemon: RunningDaemon;

afterEach(async () => {
  await daemon.kill();
  bar.remove();
});

/** Lets a simulated meter of 5 ticks/mL pulse, as if `ml` flowed in `seconds`. */
async function pour(meter: string, ml: number, seconds: number): Promise<void> {
  const response = await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter, ticks: ml * 5, hz: (ml * 5) / seconds }),
  });
  expect(response.status).toBe(202);
}

test('beer at a tap whose valve is shut is a problem on the page of staff, in health and with the drink', async () => {
  bar = makeBar({
    ...quickBar,
    toggles: [{ port: 'relay0', pin: 24 }],
    taps: [
      { name: 'Left', meter: 'flow0', toggle: 'relay0' },
      { name: 'Right', meter: 'flow1' },
    ],
  });
  daemon = await startDaemon(bar);
  const live = await openLiveStream(daemon.url, await createStaffKey(bar, 'nora'));
  await pour('pi.flow1', 60, 1);
  await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 1);
  // Longer than the run-on of two seconds.
  await pour('pi.flow0', 240, 4);
  const message = await live.until(
    ({ event, data }) => event === 'snapshot' && data.drinks.length === 2 && data.problems.length > 0,
  );
  live.close();
  expect(message.data).toMatchObject({
    problems: [
      {
        part: 'valves',
        problems: [{ code: 'flow_while_shut', params: { tap: 'Left', relay: expect.any(String) } }],
      },
    ],
    drinks: [
      { tap_name: 'Left', flow_while_shut: true },
      { tap_name: 'Right', flow_while_shut: false },
    ],
  });

  const { result } = await (await fetch(`${daemon.url}/api/drinks`)).json();
  expect(result.drinks).toMatchObject([{ ticks: 1_200, flow_while_shut: true }, { ticks: 300 }]);
  expect(result.drinks[1]).not.toHaveProperty('flow_while_shut');
  const health = await (await fetch(`${daemon.url}/healthz`)).json();
  expect(JSON.stringify(health)).toMatch(/"valves"/);
});
