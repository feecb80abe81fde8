import { expect, test, vi } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { joinMessages } from '../../../src/core/rules/problems.ts';
import { createMeterFeed } from '../../../src/devices/meter-feed.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { GrantService } from '../../../src/services/valves/grant-service.ts';
import { Valves } from '../../../src/services/valves/valves.ts';
import { openStore } from '../../../src/store/store.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { at } from '../../engine/bar.ts';

const relay = 'pi.relay0';

/** One tap with a valve and one without, 5 ticks/mL, with a clock that the test advances. */
function createTaps(limits: { maxVolumeMl?: number; maxDurationMs?: number } = {}) {
  let passedMs = 0;
  const now = (): Moment => at(passedMs);
  const nowMonoMs = () => now().monoMs;
  const store = openStore({ file: ':memory:' });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let id = 0;
  const ids = { next: () => `id-${++id}` };
  const grants = { maxVolumeMl: 0, maxDurationMs: 0, maxIdleMs: 30_000, ...limits };
  const engine = createEngine({ store, bus, ids, settings: { maxFlowMlPerS: 200, grants } });
  engine.hardware.provision({
    controller: { name: 'pi', modelName: 'Tapster' },
    meters: ['flow0', 'flow1'].map((portName) => ({ portName, ticksPerMl: 5 })),
    toggles: [{ portName: 'relay0' }],
    taps: [
      { name: 'Left', meterPort: 'flow0', togglePort: 'relay0' },
      { name: 'Right', meterPort: 'flow1' },
    ],
  });
  for (const username of ['anna', 'bert']) {
    engine.users.addUser({ username }, now());
    engine.tokens.create({ device: 'core.rfid', value: username, username }, now());
  }
  const meters = ['pi.flow0', 'pi.flow1'];
  const pins = createSimulatedPins({
    meters: meters.map((name, i) => ({ name, pin: 17 + i })),
    toggles: [{ name: relay, pin: 24 }],
    nowMonoMs,
  });
  const feed = createMeterFeed({
    ...{ input: pins, bus, ids, bootId: now().bootId },
    meters: meters.map((name) => ({ name, minGapMs: 1.2, idleMs: 5_000, minTicks: 3, maxMs: 300_000 })),
    judgement: { noiseShare: 0.2, simultaneousMs: 0 },
    onFault: (fault) => {
      throw fault;
    },
  });
  bus.on('pour.ended', ({ pour }) => void engine.pours.record(pour, 'pin', now()));
  const problems: (string | null)[] = [];
  const valves = new Valves({
    ...{ controller: 'pi', pins, boards: [], nowMonoMs, isPinMeter: (meter) => meters.includes(meter) },
    reportProblem: (current) => problems.push(joinMessages(current)),
  });
  let isFull = false;
  const service = new GrantService({
    bus,
    clock: { now },
    grants() {
      if (isFull) throw new AppError('unavailable', 'The disk is full.');
      return engine.grants;
    },
    valves,
    findTap: (reader) => (reader === 'left' ? { name: 'Left', meterPort: 'flow0' } : undefined),
    endPour: (meter) => feed.endPour(meter),
    log: createLog({ level: 'fatal', write: () => {} }).log,
  });
  service.subscribe();
  const token = (value: string, reader?: string) => ({
    ...{ controller: 'pi', device: 'core.rfid', value },
    ...omitUndefined({ reader }),
  });
  return {
    ...{ engine, store, bus, pins, valves, service, problems, now },
    endPour: (meter: string) => feed.endPour(meter),
    present: (value: string, reader?: string) =>
      bus.publish({ type: 'token.presented', ...token(value, reader) }),
    take: (value: string, reader?: string) => bus.publish({ type: 'token.removed', ...token(value, reader) }),
    pour: (meter: string, ml: number) => pins.pulse(meter, ml * 5, 300),
    /** Advances the time by `ms` in heartbeats of 50 ms. */
    pass(ms: number) {
      for (const end = passedMs + ms; passedMs < end; ) {
        passedMs += 50;
        feed.poll();
        pins.heartbeat();
        service.everyHeartbeat();
        if (passedMs % 1_000 === 0) service.everySecond();
      }
    },
    /** The event loop hangs: time passes without heartbeats. */
    stall(ms: number) {
      passedMs += ms;
    },
    fill(full: boolean) {
      isFull = full;
    },
    isOpen: () => valves.isOpen(relay),
    drinks: () =>
      engine.drinks
        .newest(20)
        .map(({ username, volumeMl, tapId }) => [username, volumeMl, tapId])
        .toReversed(),
    ends: () =>
      engine.grants
        .list({})
        .items.map(({ grant }) => grant.endedReason)
        .toReversed(),
  };
}

test('a card opens the valve, its pour is recorded for the user, and the idle tap shuts', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.pass(3_000);
  bar.pour('pi.flow0', 500);
  bar.pass(9_000 + 29_000);
  expect(bar.isOpen()).toBe(true);
  bar.pass(2_000);
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['max_idle']]);
  expect(bar.drinks()).toEqual([['anna', 500, 1]]);
});

test('beer poured without a grant, before and after one, has no user', () => {
  const bar = createTaps();
  bar.pour('pi.flow0', 100);
  bar.pass(8_000);
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 100);
  bar.pass(2_000);
  bar.take('anna', 'left');
  expect(bar.isOpen()).toBe(false);
  bar.pass(3_000);
  bar.pour('pi.flow0', 100);
  bar.pass(8_000);
  expect(bar.drinks()).toEqual([
    [null, 100, 1],
    ['anna', 100, 1],
    [null, 100, 1],
  ]);
});

test('flow after the valve shut belongs to the user for two seconds, then to nobody', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 600);
  bar.pass(5_000);
  bar.take('anna', 'left');
  bar.pass(15_000);
  const [annas, unassigned] = bar.drinks();
  expect([annas![0], unassigned![0]]).toEqual(['anna', null]);
  expect(annas![1]).toBeCloseTo(420, 0);
  expect(Number(annas![1]) + Number(unassigned![1])).toBeCloseTo(600, 6);
});

test('a second card during a pour splits it, and the valve stays open', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 600);
  bar.pass(5_000);
  bar.present('bert', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.pass(12_000);
  const drinks = bar.drinks();
  expect(drinks.map(([who]) => who)).toEqual(['anna', 'bert']);
  expect(drinks[0]![1]).toBeCloseTo(300, 0);
  expect(bar.ends()).toEqual(['replaced', null]);
  bar.take('anna', 'left');
  expect(bar.isOpen()).toBe(true);
});

test('a denied card does not affect the running grant', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 100);
  bar.pass(1_000);
  bar.present('mallory', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.pass(10_000);
  expect(bar.drinks()).toEqual([['anna', 100, 1]]);
});

test('a reader without a tap opens all taps, and pours of a tap without a valve are assigned too', () => {
  const bar = createTaps();
  bar.present('anna');
  bar.pour('pi.flow0', 50);
  bar.pour('pi.flow1', 70);
  bar.pass(10_000);
  expect(bar.drinks()).toEqual(
    expect.arrayContaining([
      ['anna', 50, 1],
      ['anna', 70, 2],
    ]),
  );
});

test('the valve shuts at the volume limit, counted from the presentment', () => {
  const bar = createTaps({ maxVolumeMl: 200 });
  bar.pour('pi.flow0', 60);
  bar.pass(500);
  bar.present('anna', 'left');
  bar.pass(3_000);
  expect(bar.isOpen()).toBe(true);
  bar.pour('pi.flow0', 175);
  bar.pass(4_000);
  expect([bar.isOpen(), bar.ends(), bar.problems.at(-1) ?? null]).toEqual([false, ['max_volume'], null]);
  bar.pass(5_000);
  expect(bar.drinks()).toEqual([['anna', 235, 1]]);
});

test('a card held at its reader does not open the tap again after its limit until it was removed', () => {
  const bar = createTaps({ maxDurationMs: 10_000 });
  for (let i = 0; i < 40; i++) {
    bar.present('anna', 'left');
    bar.pass(500);
  }
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['max_duration']]);
  bar.pass(2_500);
  bar.present('anna', 'left');
  expect(bar.isOpen()).toBe(true);
});

test('after the event loop stalled, the valve is shut, the grant ends and the problem is reported', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pass(1_000);
  bar.stall(2_500);
  bar.pass(1_000);
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['fault']]);
  expect(bar.problems.at(-1)).toContain('did not stay open');
  bar.present('bert', 'left');
  expect([bar.isOpen(), bar.problems.at(-1)]).toEqual([true, null]);
});

test('a full disk opens no valve and keeps none open; the end of the grant is stored when there is space', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pass(1_000);
  bar.fill(true);
  bar.take('anna', 'left');
  expect([bar.isOpen(), bar.ends()]).toEqual([false, [null]]);
  bar.present('bert', 'left');
  expect(bar.isOpen()).toBe(false);
  bar.pass(1_000);
  bar.fill(false);
  bar.pass(1_000);
  expect(bar.ends()).toEqual(['detach']);
});

test('manual opening keeps the valve open after a grant ends, and shutting it ends both', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.service.openManually(relay, 60_000);
  expect(bar.service.open()).toMatchObject([{ toggle: relay, manual: true, grantId: expect.any(String) }]);
  bar.take('anna', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.present('bert', 'left');
  bar.service.shut(relay);
  expect([bar.isOpen(), bar.service.open(), bar.ends()]).toEqual([false, [], ['detach', 'command']]);
});

test('manual opening for a volume shuts when it has flowed, which is no fault', () => {
  const bar = createTaps();
  bar.service.openManually(relay, 60_000, { meter: 'pi.flow0', maxTicks: 50 });
  bar.pour('pi.flow0', 50);
  bar.pass(3_000);
  expect([bar.isOpen(), bar.service.open(), bar.problems]).toEqual([false, [], []]);
});

test('manual opening for a volume of a meter that the relay’s driver does not count shuts, too', () => {
  const bar = createTaps();
  bar.service.openManually(relay, 60_000, { meter: 'pi.other', maxTicks: 50 });
  bar.bus.publish({ type: 'pour.started', meter: 'pi.other', pourId: 'p1' });
  bar.bus.publish({ type: 'pour.flowing', meter: 'pi.other', pourId: 'p1', ticks: 49 });
  expect(bar.isOpen()).toBe(true);
  bar.bus.publish({ type: 'pour.flowing', meter: 'pi.other', pourId: 'p1', ticks: 51 });
  expect(bar.isOpen()).toBe(false);
});

test('opening a relay of a network kegboard manually is refused and leaves no problem behind', () => {
  const bar = createTaps();
  expect(() => bar.service.openManually('kegboard-1.relay0', 60_000)).toThrow(
    'not connected to this machine',
  );
  bar.service.shut('kegboard-1.relay0');
  expect([bar.service.open(), bar.problems]).toEqual([[], []]);
});

test('shutting a stuck relay fails with the advice to disconnect its power', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  vi.spyOn(bar.pins, 'shut').mockImplementation(() => {
    throw new Error('EIO');
  });
  expect(() => bar.service.shut(relay)).toThrow('Disconnect the valve’s power');
  expect(bar.ends()).toEqual(['command']);
});

test('a cleaning that starts at a tap ends the grant there, whose beer until then stays the user’s', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 100);
  bar.pass(3_000);
  bar.endPour('pi.flow0');
  bar.engine.cleanings.start({ tapId: 1, kind: 'caustic' }, { actor: systemActor, now: bar.now() });
  bar.bus.publish({ type: 'database.changed' });
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['command']]);
  bar.pour('pi.flow0', 200);
  bar.pass(10_000);
  expect(bar.drinks()).toEqual([['anna', 100, 1]]);
  bar.present('anna', 'left');
  expect(bar.isOpen()).toBe(false);
});

test('a cleaning at one tap leaves the grants at others', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.engine.cleanings.start({ tapId: 2, kind: 'caustic' }, { actor: systemActor, now: bar.now() });
  bar.pass(2_000);
  expect(bar.isOpen()).toBe(true);
});

test('a closed service opens nothing', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.service.close();
  bar.present('bert', 'left');
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['stopped']]);
});
