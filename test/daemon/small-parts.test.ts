import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ConfigSchema } from '../../src/config/schema.ts';
import { AppError } from '../../src/core/app-error.ts';
import { ClockMonitor } from '../../src/daemon/clock-monitor.ts';
import { createHealthReporters } from '../../src/daemon/health-reporters.ts';
import { listenWithRetry } from '../../src/daemon/http-service.ts';
import { lineProblems } from '../../src/daemon/line-problems.ts';
import { meterLines } from '../../src/daemon/meter-lines.ts';
import { startFault } from '../../src/daemon/start-faults.ts';
import type { LineState, PulseInput } from '../../src/devices/ports.ts';
import { createClock } from '../../src/system/clock.ts';
import { createHealthRegistry } from '../../src/system/health.ts';
import { createLog } from '../../src/system/log.ts';
import { at, openBar } from '../engine/bar.ts';

const silent = createLog({ level: 'fatal', write: () => {} }).log;

describe('what the page is told of a meter', () => {
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

  test('a meter with every tick proven is counting', () => {
    expect(meterLines(input('cdev', [line('pi.flow0', 0)]))).toEqual([
      { meter: 'pi.flow0', state: 'counting', problem: null },
    ]);
  });

  test('a meter that missed ticks says how many, one that cannot know says so', () => {
    const lines = meterLines(input('onoff', [line('pi.flow0', 12), line('pi.flow1', null)]));
    expect(lines.map(({ state }) => state)).toEqual(['losing', 'losing']);
    expect(lines[0]!.problem).toMatch(/^12 ticks/);
    expect(lines[1]!.problem).toMatch(/onoff/);
  });

  test('a line that could not be opened is a fault with its sentence, the other counts', () => {
    const faults = [{ name: 'pi.flow0', problem: 'Line 17 is taken by "fan".' }];
    const lines = meterLines(input('cdev', [line('pi.flow0', null), line('pi.flow1', 0)], faults));
    expect(lines).toEqual([
      { meter: 'pi.flow0', state: 'fault', problem: 'Line 17 is taken by "fan".' },
      { meter: 'pi.flow1', state: 'counting', problem: null },
    ]);
  });
});

describe('what the health board is told of the lines', () => {
  const relays = new Set(['pi.relay0']);
  const taken = (name: string, pin: number) => ({ name, problem: `GPIO ${pin} is taken by "fan".` });

  test('a relay that cannot be had is told, and counting is well all the same', () => {
    expect(lineProblems([taken('pi.relay0', 5)], relays)).toEqual({
      counting: null,
      toggles: 'GPIO 5 is taken by "fan".',
    });
  });

  test('every meter that does not count is told, and a reason they share is told once', () => {
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

describe('the clock in the cellar', () => {
  /** A Pi that boots in 1970 and hears the time when told. */
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

  test('a drink poured before the time was known gets its true time, to the second', () => {
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
    expect(problems.at(-1)).toMatch(/Nobody has told this Pi the time/);

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

  test('before the time is known, time never starts below the newest true stamp in the ledger', () => {
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

describe('what keeps the house from opening', () => {
  const config = { database: '/bar/tapster.db', http: { host: '0.0.0.0', port: 80 } } as Parameters<
    typeof startFault
  >[1];
  const fault = (code: string, syscall?: string) => Object.assign(new Error('boom'), { code, syscall });

  test.each([
    ['a taken port', fault('EADDRINUSE', 'listen'), 69],
    ['a port for root only', fault('EACCES', 'listen'), 77],
    ['a folder of somebody else', fault('EACCES', 'mkdir'), 77],
    ['a full disk', fault('ENOSPC', 'write'), 74],
    ['a ledger that cannot be opened', new AppError('unavailable', 'The disk is full.'), 74],
    ['a bug', new TypeError('undefined is not a function'), 70],
  ])('%s has its own exit code and one sentence without a stack', (_what, cause, exitCode) => {
    const problems = startFault(cause, config);
    expect(problems.exitCode).toBe(exitCode);
    expect(problems.sentence).not.toMatch(/undefined is not|boom|\n/);
  });

  test('the settings the sentences name exist', () => {
    expect(Object.keys(ConfigSchema.properties.http.properties)).toContain('port');
  });
});

test('a fault is told once with its cause in the log, and once when it is over', () => {
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

test('two voices on one part do not silence each other', () => {
  const health = createHealthRegistry();
  const tellers = createHealthReporters(health, silent);
  const databaseReporter = tellers('storing');
  const recorderReporter = tellers('storing');
  databaseReporter('The disk is full.');
  recorderReporter('A finished pour waits.');
  recorderReporter(null);
  expect(health.report().parts.find(({ name }) => name === 'storing')?.problem).toBe('The disk is full.');
  databaseReporter(null);
  expect(health.report().parts.find(({ name }) => name === 'storing')?.problem).toBeNull();
});

test('an address that is not there yet keeps the counting daemon alive and is asked for again', async () => {
  const problems: (string | null)[] = [];
  const service = await listenWithRetry({
    listener: () => {},
    // Documentation addresses belong to no machine.
    host: '192.0.2.254',
    port: 0,
    reportProblem: (problem) => problems.push(problem),
  });
  expect(service.port()).toBeNull();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/Is the network up\?/);
  await service.close(0);
});

test('a taken port is passed on, for only a person can mend it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as { port: number };
  await expect(
    listenWithRetry({ listener: () => {}, host: '127.0.0.1', port, reportProblem: () => {} }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();
});
