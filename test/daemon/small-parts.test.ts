import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ConfigSchema } from '../../src/config/schema.ts';
import { AppError } from '../../src/core/app-error.ts';
import { ClockMonitor } from '../../src/daemon/clock-monitor.ts';
import { toMeterStatuses } from '../../src/daemon/counting/meter-statuses.ts';
import { createHealthReporters } from '../../src/daemon/health-reporters.ts';
import { listenWithRetry } from '../../src/daemon/http-service.ts';
import { lineProblems } from '../../src/daemon/line-problems.ts';
import { startFault } from '../../src/daemon/start-faults.ts';
import type { LineState, PulseInput } from '../../src/devices/ports.ts';
import { createClock } from '../../src/system/clock.ts';
import { createHealthRegistry } from '../../src/system/health.ts';
import { createLog } from '../../src/system/log.ts';
import { at, openBar } from '../engine/bar.ts';

const silent = createLog({ level: 'fatal', write: () => {} }).log;

describe('toMeterStatuses', () => {
  const line = (name: string, lost: number | null): LineState => ({
    name,
    pin: 17,
    received: 100,
    lost,
    level: 1,
  });
  const input = (driver: string, lines: LineState[], faults: PulseInput['faults'] = []): PulseInput => ({
    driver,
    describe: driver,
    faults,
    drain: () => ({ lines: [], untilMonoMs: 0 }),
    lines: () => lines,
    close: async () => {},
  });

  test('a meter without lost ticks is counting', () => {
    expect(toMeterStatuses(input('cdev', [line('pi.flow0', 0)]))).toEqual([
      { meter: 'pi.flow0', state: 'counting', problem: null },
    ]);
  });

  test('a meter that missed ticks reports how many; a driver that cannot prove its count is named', () => {
    const lines = toMeterStatuses(input('onoff', [line('pi.flow0', 12), line('pi.flow1', null)]));
    expect(lines.map(({ state }) => state)).toEqual(['losing', 'losing']);
    expect(lines[0]!.problem).toMatch(/^12 ticks/);
    expect(lines[1]!.problem).toMatch(/onoff/);
  });

  test('a line that could not be opened is a fault with its problem; the other counts', () => {
    const faults = [{ name: 'pi.flow0', problem: 'Line 17 is taken by "fan".' }];
    const lines = toMeterStatuses(input('cdev', [line('pi.flow0', null), line('pi.flow1', 0)], faults));
    expect(lines).toEqual([
      { meter: 'pi.flow0', state: 'fault', problem: 'Line 17 is taken by "fan".' },
      { meter: 'pi.flow1', state: 'counting', problem: null },
    ]);
  });
});

describe('lineProblems', () => {
  const relays = new Set(['pi.relay0']);
  const taken = (name: string, pin: number) => ({ name, problem: `GPIO ${pin} is taken by "fan".` });

  test('a relay that cannot be opened is reported, and counting is not affected', () => {
    expect(lineProblems([taken('pi.relay0', 5)], relays)).toEqual({
      counting: null,
      toggles: 'GPIO 5 is taken by "fan".',
    });
  });

  test('every meter that does not count is reported, and a shared reason appears once', () => {
    const dead = 'The pin thread ended.';
    const faults = [
      taken('pi.flow0', 17),
      ...['pi.flow1', 'pi.flow2'].map((name) => ({ name, problem: dead })),
    ];
    expect(lineProblems(faults, relays)).toEqual({
      counting: 'GPIO 17 is taken by "fan". The pin thread ended.',
      toggles: null,
    });
    expect(lineProblems([], relays)).toEqual({ counting: null, toggles: null });
  });
});

describe('ClockMonitor', () => {
  /** A Pi that boots in 1970 and gets the time from `synchronizeTo`. */
  function bootWithoutTime() {
    let flag: 'absent' | 'present' = 'absent';
    let wallMs = Date.UTC(1970, 0, 1);
    let monoMs = 5_000;
    const readings = {
      bootId: 'boot-9',
      monoMs: () => monoMs,
      uptimeMs: () => monoMs,
      wallMs: () => wallMs,
      flagFile: () => flag,
    };
    return {
      readings,
      pass(ms: number) {
        monoMs += ms;
        wallMs += ms;
      },
      synchronizeTo(trueMs: number) {
        wallMs = trueMs;
        flag = 'present';
      },
    };
  }

  test('a drink poured before the clock was set gets its true time afterwards', () => {
    const pi = bootWithoutTime();
    const bar = openBar();
    const clock = createClock({ readings: pi.readings });
    const problems: (string | null)[] = [];
    const { clockCorrection } = bar.engine;
    const monitor = new ClockMonitor({
      clock,
      clockCorrection,
      reportProblem: (problem) => problems.push(problem),
      log: silent,
    });
    monitor.poll();
    expect(problems.at(-1)).toMatch(/The time of this Pi is not set yet/);

    const drink = bar.engine.pours.report({ tap: 'pi.flow0', ticks: 200, source: 'post' }, clock.now());
    expect(drink.timeCertain).toBe(false);
    pi.pass(90_000);
    const trueMs = Date.UTC(2026, 10, 20, 21, 30);
    pi.synchronizeTo(trueMs);
    monitor.poll();

    const corrected = bar.engine.drinks.get(drink.id)!.drink;
    expect(corrected).toMatchObject({ timeCertain: true, pourTimeMs: trueMs - 90_000 });
    expect(problems.at(-1)).toBeNull();
    expect(bar.engine.checkDatabase()).toEqual([]);
  });

  test('before the clock is set, time does not start below the newest certain time in the database', () => {
    const bar = openBar();
    bar.engine.pours.report({ tap: 'pi.flow0', ticks: 200, source: 'post' }, at(3_600_000));
    const clock = createClock({ readings: bootWithoutTime().readings });
    new ClockMonitor({
      clock,
      clockCorrection: bar.engine.clockCorrection,
      reportProblem: () => {},
      log: silent,
    });
    expect(clock.now().wallMs).toBeGreaterThanOrEqual(at(3_600_000).wallMs);
    expect(clock.now().synced).toBe(false);
  });
});

describe('startFault', () => {
  const config = { database: '/bar/tapster.db', http: { host: '0.0.0.0', port: 80 } } as Parameters<
    typeof startFault
  >[1];
  const fault = (code: string, syscall?: string) => Object.assign(new Error('boom'), { code, syscall });

  test.each([
    ['a taken port', fault('EADDRINUSE', 'listen'), 69],
    ['a port for root only', fault('EACCES', 'listen'), 77],
    ['a folder of another user', fault('EACCES', 'mkdir'), 77],
    ['a full disk', fault('ENOSPC', 'write'), 74],
    ['a database that cannot be opened', new AppError('unavailable', 'The disk is full.'), 74],
    ['a bug', new TypeError('undefined is not a function'), 70],
  ])('%s has its own exit code and one sentence without a stack', (_what, cause, exitCode) => {
    const problems = startFault(cause, config);
    expect(problems.exitCode).toBe(exitCode);
    expect(problems.sentence).not.toMatch(/undefined is not|boom|\n/);
  });

  test('the settings named in the sentences exist', () => {
    expect(Object.keys(ConfigSchema.properties.http.properties)).toContain('port');
  });
});

test('a problem is logged once with its cause, and once when it is over', () => {
  const lines: string[] = [];
  const health = createHealthRegistry();
  const report = createHealthReporters(
    health,
    createLog({ level: 'info', isHumanReadable: false, write: (line) => lines.push(line) }).log,
  )('disk');
  report('The disk is full.', new Error('ENOSPC: no space left on device'));
  report('The disk is full.', new Error('ENOSPC: no space left on device'));
  report(null);
  report(null);
  expect(lines.length).toBe(2);
  expect(lines[0]).toContain('ENOSPC');
  expect(health.problems().join()).not.toContain('ENOSPC');
});

test('two reporters of one part do not hide each other’s problem', () => {
  const health = createHealthRegistry();
  const createReporter = createHealthReporters(health, silent);
  const databaseReporter = createReporter('storing');
  const recorderReporter = createReporter('storing');
  databaseReporter('The disk is full.');
  recorderReporter('A finished pour waits.');
  recorderReporter(null);
  expect(health.report().parts.find(({ name }) => name === 'storing')?.problem).toBe('The disk is full.');
  databaseReporter(null);
  expect(health.report().parts.find(({ name }) => name === 'storing')?.problem).toBeNull();
});

test('a missing address keeps the daemon counting and is tried again', async () => {
  const problems: (string | null)[] = [];
  const service = await listenWithRetry({
    listener: () => {},
    // An address reserved for documentation (RFC 5737), which no machine has.
    host: '192.0.2.254',
    port: 0,
    reportProblem: (problem) => problems.push(problem),
  });
  expect(service.port()).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/Is the network up\?/);
  await service.close(0);
});

test('a taken port rejects, because only a person can repair it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as { port: number };
  await expect(
    listenWithRetry({ listener: () => {}, host: '127.0.0.1', port, reportProblem: () => {} }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
});
