import { afterEach, expect, test } from 'vitest';
import { createEventBus } from '../../src/core/event-bus.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { extensions } from '../../src/extensions/all.ts';
import { openStore } from '../../src/store/store.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';

const controllers = 20;
const poursBeforeKill = 400;

let bar: BarFolder | undefined;
let daemon: RunningDaemon | undefined;

afterEach(async () => {
  if (daemon?.child.exitCode === null && daemon.child.signalCode === null) await daemon.kill();
  bar?.remove();
});

async function staffKey({ configFile }: BarFolder): Promise<string> {
  const config = ['--config', configFile];
  await runCommand(['user', 'add', 'anna', '--staff', '--password-stdin', ...config], {
    input: 'a good password',
  });
  return (await runCommand(['key', 'create', 'anna', ...config])).out.trim();
}

test('after a kill while twenty controllers report pours, every acknowledged drink is stored once', {
  timeout: 120_000,
}, async () => {
  bar = makeBar({ ...quickBar, http: { ...quickBar.http, rate_limits: false } });
  daemon = await startDaemon(bar);
  const key = await staffKey(bar);
  const { url, kill } = daemon;
  const answered = new Map<string, number>();
  let cut: Promise<void> | undefined;

  async function pour(controller: number): Promise<void> {
    for (let n = 0; ; n++) {
      const pourId = `board-${controller}-${n}`;
      const body = new URLSearchParams({ ticks: '50', pour_id: pourId });
      const headers = { Authorization: `Bearer ${key}` };
      const reply = await fetch(`${url}/api/v1/taps/pi.flow${controller % 2}`, {
        method: 'POST',
        headers,
        body,
      });
      const { result } = (await reply.json()) as { result: { drink: { id: number } } };
      answered.set(pourId, result.drink.id);
      if (answered.size === poursBeforeKill) cut = kill();
    }
  }
  // Each controller goes on until the daemon does not answer.
  const ends = await Promise.allSettled(Array.from({ length: controllers }, (_, i) => pour(i)));
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
  await cut;
  expect(answered.size).toBeGreaterThanOrEqual(poursBeforeKill);

  const store = openStore({ file: bar.database, extensions });
  const engine = createEngine({
    store,
    bus: createEventBus(() => {}),
    ids: { next: () => 'nobody' },
    settings: { maxFlowMlPerS: 200 },
  });
  const stored = engine.drinks.newest(1_000);
  for (const [pourId, drinkId] of answered)
    expect(store.drinks.reportedPours.byAnyId(pourId)).toMatchObject([{ drinkId }]);
  expect(new Set(answered.values()).size).toBe(answered.size);
  // Per controller, at most one pour may be stored without its response.
  expect(stored).toHaveLength(engine.drinks.list({}).total);
  expect(stored.length - answered.size).toBeLessThanOrEqual(controllers);
  expect(engine.site.checkDatabase()).toEqual([]);
  store.close();
});
