import { afterEach, expect, test, vi } from 'vitest';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { openLiveStream } from '../kit/live-stream.ts';
import { createStaffClient, eventually, makeTokenBar, withDatabase } from '../kit/token-bar.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

const closing: (() => Promise<void> | void)[] = [];
const daemons: RunningDaemon[] = [];
afterEach(async () => {
  for (const daemon of daemons.splice(0)) if (daemon.child.exitCode === null) await daemon.kill();
  for (const close of closing.splice(0)) await close();
});

async function openBar(change: object = {}) {
  const bar = makeTokenBar(change);
  closing.push(bar.remove);
  const start = async () => {
    const daemon = await startDaemon(bar);
    daemons.push(daemon);
    return { daemon, ...createStaffClient(daemon.url, bar.staffKey) };
  };
  return { ...bar, start };
}

test('a daemon killed during a granted pour opens no valve at the restart, and the drink is Anna’s', async () => {
  const bar = await openBar();
  const first = await bar.start();
  bar.present();
  await eventually(first.valves, (valves) => valves.length === 1);
  const live = await openLiveStream(first.daemon.url);
  await first.pulse(20_000);
  // Two seconds of pouring: at least one checkpoint was written.
  await live.until(({ event, data }) => event === 'pour' && data.ticks >= 1_000);
  await first.daemon.kill();
  bar.take();

  const second = await bar.start();
  expect(await second.valves()).toEqual([]);
  expect(await second.grants()).toMatchObject([{ user: 'anna', open: false, ended_reason: 'restart' }]);
  const [drink] = await eventually(second.drinks, (drinks) => drinks.length === 1);
  expect(drink).toMatchObject({ user_id: 'anna' });
  expect(drink!.ticks).toBeGreaterThan(400);
  expect(await second.valves()).toEqual([]);

  // Attaching the iButton again is a new presentment and a new grant.
  bar.present();
  await eventually(second.valves, (valves) => valves.length === 1);
  expect(await second.grants()).toMatchObject([{ open: true }, { open: false }]);
  expect(await second.daemon.stop()).toBe(0);
});

test('after kills at different moments, every drink on a grant belongs to its user and none is counted twice', async () => {
  const bar = await openBar({ pour: { min_ml: 0, idle_ms: 300 } });
  let poured = 0;
  for (const pauseMs of [0, 120, 350, 700]) {
    const { daemon, valves, grants, pulse } = await bar.start();
    expect((await grants()).every(({ open }) => !open)).toBe(true);
    bar.present();
    await eventually(valves, (open) => open.length === 1);
    await pulse(400);
    poured += 400;
    await new Promise((done) => setTimeout(done, pauseMs));
    await daemon.kill();
    bar.take();
  }
  const last = await bar.start();
  await last.daemon.stop();
  const { drinks, faults } = withDatabase(bar.database, (engine) => ({
    drinks: engine.drinks.newest(100),
    faults: engine.site.checkDatabase(),
  }));
  expect(faults).toEqual([]);
  for (const { username } of drinks) expect(username).toBe('anna');
  const ids = drinks.map(({ pourId }) => pourId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(drinks.reduce((sum, { ticks }) => sum + ticks, 0)).toBeLessThanOrEqual(poured);
});

test('an account that another program disables loses its open valve within seconds', async () => {
  const bar = await openBar();
  const { valves, grants } = await bar.start();
  bar.present();
  await eventually(valves, (open) => open.length === 1);
  withDatabase(bar.database, (_, store) => {
    const anna = store.users.byName('anna')!;
    store.transaction(() => store.users.change({ ...anna, isActive: false }));
  });
  await eventually(valves, (open) => open.length === 0);
  expect(await grants()).toMatchObject([{ ended_reason: 'user' }]);
});
