import { AppError } from '../../../src/core/app-error.ts';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { joinMessages } from '../../../src/core/health/problems.ts';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { createMeterFeed } from '../../../src/devices/meter-feed.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { GrantService } from '../../../src/services/valves/grant-service.ts';
import { Valves } from '../../../src/services/valves/valves.ts';
import { openStore } from '../../../src/store/store.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { at } from '../../engine/bar.ts';
import type { SwitchedOn } from '../../kit/extensions.ts';

export const relay = 'pi.relay0';

/** One tap with a valve and one without, 5 ticks/mL, with a clock that the test advances. */
export function createTaps(
  limits: { maxVolumeMl?: number; maxDurationMs?: number } = {},
  switchedOn?: SwitchedOn,
) {
  let passedMs = 0;
  const now = (): Moment => at(passedMs);
  const nowMonoMs = () => now().monoMs;
  const store = openStore({ file: ':memory:', extensions: switchedOn?.all ?? [] });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let id = 0;
  const ids = { next: () => `id-${++id}` };
  const grants = { maxVolumeMl: 0, maxDurationMs: 0, maxIdleMs: 30_000, ...limits };
  const engine = createEngine(
    { store, bus, ids, settings: { maxFlowMlPerS: 200, grants } },
    switchedOn?.engine,
  );
  engine.taps.hardware.provision({
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
    engine.access.tokens.create({ device: 'core.rfid', value: username, username }, now());
  }
  const meters = ['pi.flow0', 'pi.flow1'];
  const pins = createSimulatedPins({
    meters: meters.map((name, i) => ({ name, pin: 17 + i })),
    toggles: [{ name: relay, pin: 24 }],
    nowMonoMs,
  });
  const feed = createMeterFeed({
    input: pins,
    bus,
    ids,
    bootId: now().bootId,
    meters: meters.map((name) => ({ name, minGapMs: 1.2, idleMs: 5_000, minTicks: 3, maxMs: 300_000 })),
    judgement: { noiseShare: 0.2, simultaneousMs: 0 },
    onFault: (fault) => {
      throw fault;
    },
  });
  bus.on('pour.ended', ({ pour }) => void engine.drinks.pours.record(pour, 'pin', now()));
  const problems: (string | null)[] = [];
  const valves = new Valves({
    controller: 'pi',
    pins,
    boards: [],
    nowMonoMs,
    isPinMeter: (meter) => meters.includes(meter),
    reportProblem: (current) => problems.push(joinMessages(current)),
  });
  let isFull = false;
  const service = new GrantService({
    bus,
    clock: { now },
    grants() {
      if (isFull) throw new AppError('unavailable', 'The disk is full.');
      return engine.access.grants;
    },
    valves,
    findTap: (reader) => (reader === 'left' ? { name: 'Left', meterPort: 'flow0' } : undefined),
    endPour: (meter) => feed.endPour(meter),
    log: createLog({ level: 'fatal', write: () => {} }).log,
  });
  service.subscribe();
  const token = (value: string, reader?: string) => ({
    controller: 'pi',
    device: 'core.rfid',
    value,
    ...omitUndefined({ reader }),
  });
  return {
    engine,
    store,
    bus,
    pins,
    valves,
    service,
    problems,
    now,
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
      engine.access.grants
        .list({})
        .items.map(({ grant }) => grant.endedReason)
        .toReversed(),
  };
}
