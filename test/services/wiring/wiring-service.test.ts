import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMeterCatalogue } from '../../../src/config/meter-catalogue.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { textProblem } from '../../../src/core/health/problems.ts';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import { createMeterFeed, type FeedSnapshot } from '../../../src/devices/meter-feed.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { toMeterStatuses } from '../../../src/services/counting/meter-statuses.ts';
import { fixedHardware } from '../../../src/services/hardware/hardware-in-force.ts';
import { createWiringService, type WiredServices } from '../../../src/services/wiring/wiring-service.ts';
import { at } from '../../engine/bar.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tapster-w1-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const emptySnapshot: FeedSnapshot = { meters: [], untilMonoMs: 0, sinceMonoMs: null };

/** A wiring service over two simulated meters, counted as in the daemon. */
function createService(change: Partial<WiredServices> = {}) {
  const clock = { ms: 100_000 };
  const content = {
    gpio: { driver: 'simulated' },
    onewire: { directory },
    meters: [
      { port: 'flow0', pin: 17 },
      { port: 'flow1', pin: 27 },
    ],
    toggles: [{ port: 'relay0', pin: 5 }],
  };
  const path = join(directory, 'tapster.json');
  writeFileSync(path, JSON.stringify(content));
  const { config } = loadConfig({ path, env: {}, cwd: directory });
  const pins = createSimulatedPins({
    meters: [
      { name: 'pi.flow0', pin: 17 },
      { name: 'pi.flow1', pin: 27 },
    ],
    toggles: [{ name: 'pi.relay0', pin: 5 }],
    nowMonoMs: () => clock.ms,
  });
  const feed = createMeterFeed({
    input: pins,
    meters: ['pi.flow0', 'pi.flow1'].map((name) => ({
      name,
      minGapMs: 1.2,
      idleMs: 5_000,
      minTicks: 3,
      maxMs: 300_000,
    })),
    bus: createEventBus((fault) => {
      throw fault;
    }),
    ids: { next: () => 'p' },
    bootId: 'boot-a',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    onFault: (fault) => {
      throw fault;
    },
  });
  let polls = 0;
  const service = createWiringService({
    config,
    hardware: fixedHardware(config),
    catalogue: readMeterCatalogue(),
    clock: { now: () => ({ ...at(0), monoMs: clock.ms }) },
    log: { warn() {} },
    pins: { input: pins },
    counting: { snapshot: feed.snapshot, pinMeterStatuses: () => toMeterStatuses(pins, new Set()) },
    sources: () => [],
    thermo: {
      knownSensors: () => [],
      async poll() {
        polls += 1;
      },
    },
    valves: { readers: () => [] },
    ...change,
  });
  const pass = (ms: number) => {
    for (const until = clock.ms + ms; clock.ms < until; ) {
      clock.ms += 50;
      feed.poll();
    }
  };
  const meters = () =>
    service
      .snapshot()
      .meters.map(({ meter, hz, shape, findings }) => [meter, hz, shape, findings[0]?.topic].join(' '));
  return { clock, config, pins, service, pass, meters, polls: () => polls };
}

test('the first report starts observation, and after a second there is a rate', () => {
  const { pins, pass, meters } = createService();
  pass(50);
  expect(meters()).toEqual(['pi.flow0  quiet never', 'pi.flow1  quiet never']);
  pins.pulse('pi.flow0', 600, 60);
  pass(1_500);
  expect(meters()).toEqual(['pi.flow0 60 steady counts', 'pi.flow1 0 quiet never']);
});

test('a rate that the model of the meter cannot have is reported when it stays', () => {
  const meters = [{ port: 'flow0', pin: 17, model: 'ft330-rj', min_gap_ms: 1.2 }];
  const { config } = createService();
  const hardware = fixedHardware({
    meters: meters.map((one) => ({ ...config.meters[0]!, ...one })),
    toggles: [],
  });
  const above = createService({ hardware });
  above.pass(50);
  above.service.snapshot();
  above.pins.pulse('pi.flow0', 4_000, 500);
  above.pass(1_000);
  expect(above.meters()[0]).toBe('pi.flow0 500 steady counts');
  above.pass(1_500);
  expect(above.meters()[0]).toBe('pi.flow0 500 steady above_model');
  const below = createService({ hardware });
  below.pass(50);
  below.service.snapshot();
  below.pins.pulse('pi.flow0', 400, 20);
  below.pass(3_000);
  expect(below.meters()[0]).toBe('pi.flow0 20 steady below_model');
});

test('two meters that pick up each other are reported, two simultaneous pours are not', () => {
  const { pins, pass, meters, service } = createService();
  pass(50);
  service.snapshot();
  pins.pulse('pi.flow0', 300, 61);
  pass(300);
  pins.pulse('pi.flow1', 300, 73);
  pass(3_000);
  expect(meters().join()).not.toContain('echo');
  pass(15_000);
  service.snapshot();
  pins.pulse('pi.flow0', 100, 60, ['pi.flow1']);
  pass(1_500);
  expect(meters()).toEqual(['pi.flow0 60 steady echo', 'pi.flow1 60 steady echo']);
});

test('a noisy pin is reported during the noise and for ten seconds after', () => {
  const { pins, pass, meters, service } = createService();
  pass(50);
  service.snapshot();
  pins.pulse('pi.flow0', 2_000, 2_000);
  pass(1_200);
  expect(meters()[0]).toMatch(/^pi\.flow0 \d+ bounce bounce$/);
  for (let i = 0; i < 4; i++) {
    pass(3_000);
    service.snapshot();
  }
  expect(meters()[0]).toBe('pi.flow0 0 quiet counts');
});

test('sensors are read again while the report is requested, at most every five seconds', () => {
  const { pass, service, polls } = createService();
  for (let i = 0; i < 40; i++) {
    service.snapshot();
    pass(300);
  }
  expect(polls()).toBe(2);
});

test('the wires are read at most five times a second, however many clients there are', () => {
  let snapshots = 0;
  const { service, pass } = createService({
    counting: {
      snapshot() {
        snapshots += 1;
        return emptySnapshot;
      },
      pinMeterStatuses: () => [],
    },
  });
  for (let i = 0; i < 20; i++) {
    for (let who = 0; who < 10; who++) service.snapshot();
    pass(50);
  }
  expect(snapshots).toBe(5);
});

test('sensors, boards, readers and relays have findings', () => {
  const { service } = createService({
    thermo: {
      knownSensors: () => [
        { name: '28-01', tempC: 4, timeMs: 1, reason: null, isStale: false },
        { name: '28-02', tempC: null, timeMs: null, reason: 'bad checksum', isStale: true },
      ],
      async poll() {},
    },
    sources: () => [
      {
        feed: {
          snapshot: () => ({
            meters: [{ meter: 'kb.flow0', ticks: 40, refused: 0, stampsMonoMs: new Float64Array(0) }],
            untilMonoMs: 0,
            sinceMonoMs: null,
          }),
        },
        meterStatuses: () => [
          { meter: 'kb.flow0', state: 'counting', problem: null },
          { meter: 'kb.flow1', state: 'fault', problem: textProblem('The board kb is not connected.') },
        ],
        ports: () => [
          { path: '/dev/serial/a', controller: 'kb', problem: null },
          { path: '/dev/serial/b', controller: null, problem: null },
          { path: '/dev/serial/c', controller: null, problem: textProblem('It is too old.') },
        ],
      },
    ],
    valves: {
      readers: () => [
        {
          name: '/dev/input/card',
          problem: textProblem('Plug it in again.'),
          shown: 2,
          unreadable: { count: 0, text: null, timeMs: null },
        },
        {
          name: '/dev/ttyUSB0',
          problem: null,
          shown: 2,
          unreadable: { count: 1, text: '?', timeMs: 5 },
        },
        {
          name: 'bar-board',
          problem: null,
          shown: 2,
          isBoard: true,
          unreadable: { count: 1, text: '0', timeMs: 5 },
        },
      ],
    },
  });
  const { probes, boards, readers, relays, meters } = service.snapshot();
  const topics = (parts: readonly { findings: readonly { topic: string }[] }[]) =>
    parts.map(({ findings }) => findings[0]?.topic);
  expect(topics(probes)).toEqual(['temperature', 'checksum']);
  expect(topics(boards)).toEqual(['heard', 'unheard', 'in_trouble']);
  expect(topics(readers)).toEqual(['in_trouble', 'unreadable', 'unreadable_board']);
  expect(topics(relays)).toEqual(['works']);
  expect(meters.slice(2)).toMatchObject([
    { meter: 'kb.flow0', pin: null, ticks: 40, findings: [{ topic: 'counts' }] },
    { meter: 'kb.flow1', findings: [{ topic: 'line_fault', status: 'fail' }] },
  ]);
});

test('missing meters and a missing bus are reported', () => {
  const { service } = createService({
    counting: { snapshot: () => emptySnapshot, pinMeterStatuses: () => [] },
  });
  rmSync(directory, { recursive: true });
  expect(service.snapshot().findings.map(({ topic }) => topic)).toEqual(['no_meters', 'no_bus']);
});
