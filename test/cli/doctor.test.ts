import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boardFindings } from '../../src/cli/doctor/board.ts';
import { clockFindings } from '../../src/cli/doctor/clock.ts';
import {
  addressFinding,
  daemonFindings,
  fetchHealth,
  lastExitFindings,
} from '../../src/cli/doctor/daemon.ts';
import { type PinEnvironment, pinFindings } from '../../src/cli/doctor/pins.ts';
import { conclusion, hasFailure, sectionText } from '../../src/cli/doctor/section.ts';
import { thermoFindings } from '../../src/cli/doctor/thermo-sensors.ts';
import { readMeterCatalogue } from '../../src/config/meter-catalogue.ts';
import type { Config } from '../../src/config/schema.ts';
import { textProblem } from '../../src/core/health/problems.ts';
import { loadConfig } from '../../src/daemon/load-config.ts';
import type { ThermoBus } from '../../src/devices/device-interfaces.ts';
import type { OpenedPins } from '../../src/devices/gpio/choose-driver.ts';
import type { LineInfo } from '../../src/devices/gpio/gpio-structs.ts';
import type { GpioKernel } from '../../src/devices/gpio/gpio-uapi.ts';
import { openNoPins } from '../../src/devices/gpio/no-pins.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapster-doctor-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function loadConfigOf(content: object): Config {
  const path = join(root, 'tapster.json');
  writeFileSync(path, JSON.stringify(content));
  return loadConfig({ path, env: {}, cwd: root }).config;
}

const pi = { board: 'Raspberry Pi 4 Model B Rev 1.4', kernel: '6.12.96' };

test('a Pi 4 with a current Node is ok; a Pi Zero W and an old Node are not', () => {
  const machine = { host: pi, arch: 'arm64', armVersion: null, node: '20.19.2' };
  expect(boardFindings(machine).map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(boardFindings({ ...machine, arch: 'arm', armVersion: 6 })[0]).toMatchObject({ status: 'fail' });
  expect(boardFindings({ ...machine, node: '20.18.9' })[1]).toMatchObject({ status: 'fail' });
  expect(boardFindings({ ...machine, node: '24.0.0' })[1]).toMatchObject({ status: 'ok' });
  const on32Bits = boardFindings({ ...machine, arch: 'arm', armVersion: 7 });
  expect(on32Bits[1]).toMatchObject({
    status: 'warn',
    text: expect.stringMatching(/32-bit.*has no package/),
  });
  const pc = { ...machine, host: { board: 'unknown board', kernel: '6.1' } };
  expect(boardFindings(pc)[0]).toMatchObject({ status: 'warn' });
});

test('a clock that is not set is a warning, not a failure', () => {
  const readings = {
    monoMs: () => 0,
    uptimeMs: () => 0,
    wallMs: () => Date.UTC(2026, 4, 9, 20),
    bootId: 'b',
  };
  expect(clockFindings({ ...readings, flagFile: () => 'present' })).toEqual([
    { status: 'ok', text: 'The clock shows 2026-05-09T20:00:00Z; a time server has answered.' },
  ]);
  expect(clockFindings({ ...readings, flagFile: () => 'absent' })[0]?.status).toBe('warn');
});

const twoMeters = {
  gpio: { driver: 'cdev' },
  meters: [
    { port: 'flow0', pin: 17 },
    { port: 'flow1', pin: 27 },
  ],
};

/** A Pi with one chip, whose lines have the given owners. */
function createEnvironment(
  options: { owners?: Record<number, string>; opened?: Partial<OpenedPins> } = {},
): PinEnvironment {
  for (const folder of ['dev', 'sys', 'proc']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'dev', 'gpiochip0'), '');
  const kernel: Pick<GpioKernel, 'chipInfo' | 'lineInfo'> = {
    chipInfo: () => ({ name: 'gpiochip0', label: 'pinctrl-bcm2711', lines: 58 }),
    lineInfo(_, offset): LineInfo {
      const consumer = options.owners?.[offset];
      return { name: '', consumer: consumer ?? '', isUsed: consumer !== undefined };
    },
  };
  return {
    roots: { dev: join(root, 'dev'), sys: join(root, 'sys'), proc: join(root, 'proc') },
    host: pi,
    daemonRuns: false,
    kernel: async () => kernel as GpioKernel,
    wait: async () => {},
    catalogue: readMeterCatalogue(),
    open: async () => {
      if (options.opened === undefined) throw new Error('the doctor must not open lines here');
      return {
        ...openNoPins({ meters: [], relays: [], faults: [] }, textProblem('none')),
        driver: 'cdev',
        attempts: ['cdev is used.'],
        ...options.opened,
      };
    },
  };
}

test('simulated pins are reported as simulated', async () => {
  const [found] = await pinFindings(loadConfigOf({ gpio: { driver: 'simulated' } }), createEnvironment());
  expect(found?.text).toContain('simulated');
});

test('without a daemon the doctor opens the lines and shows level and rate', async () => {
  const closed: string[] = [];
  const opened = openNoPins(
    { meters: [], relays: [], faults: [] },
    textProblem('Two lines of pinctrl-bcm2711.'),
  );
  const found = await pinFindings(
    loadConfigOf(twoMeters),
    createEnvironment({
      opened: {
        input: {
          ...opened.input,
          lines: () => [
            { name: 'pi.flow0', pin: 17, received: 24, lost: 0, level: 1 },
            { name: 'pi.flow1', pin: 27, received: 9_000, lost: 0, level: null },
          ],
          close: async () => void closed.push('closed'),
        },
      },
    }),
  );
  expect(found.map(({ status, text }) => `${status} ${text}`)).toEqual([
    'ok cdev is used.',
    'ok Two lines of pinctrl-bcm2711.',
    'ok pi.flow0, GPIO 17: high, 12 Hz now.',
    'warn pi.flow1, GPIO 27: level not readable, 4500 Hz now.',
  ]);
  expect(closed).toEqual(['closed']);
});

test('a bouncing line is reported as noise, whatever its rate', async () => {
  const opened = openNoPins(
    { meters: [], relays: [], faults: [] },
    textProblem('Two lines of pinctrl-bcm2711.'),
  );
  const line = { pin: 17, received: 100, lost: 0, level: 1 } as const;
  const stampsMonoMs = Array.from({ length: 100 }, (_, i) => Math.floor(i / 2) * 20 + (i % 2) * 0.2);
  const input = {
    ...opened.input,
    lines: () => [{ ...line, name: 'pi.flow0' }],
    drain: () => ({ lines: [{ meter: 'pi.flow0', stampsMonoMs, lost: 0 }], untilMonoMs: 2_000 }),
  };
  const found = await pinFindings(loadConfigOf(twoMeters), createEnvironment({ opened: { input } }));
  expect(found.at(-1)).toMatchObject({
    status: 'warn',
    text: 'pi.flow0, GPIO 17: high, 50 Hz now.',
    advice: expect.stringMatching(/^No meter pulses like this\. Check for a loose wire/),
  });
});

test('a rate that the model of the meter cannot have is a warning', async () => {
  const meters = [{ port: 'flow0', pin: 17, model: 'ft330-rj' }];
  const environment = createEnvironment({ owners: { 17: 'tapster-812' } });
  const table = (count: number) =>
    writeFileSync(
      join(root, 'proc', 'interrupts'),
      `           CPU0\n 57:  ${count}  pinctrl-bcm2711  17 Edge      tapster-812\n`,
    );
  table(1_000);
  const held = await pinFindings(loadConfigOf({ ...twoMeters, meters }), {
    ...environment,
    wait: async () => table(2_000),
  });
  expect(held).toMatchObject([
    { status: 'warn', text: expect.stringContaining('500 Hz now'), advice: expect.stringMatching(/^Gas /) },
  ]);

  const opened = openNoPins({ meters: [], relays: [], faults: [] }, textProblem('One line.'));
  const stampsMonoMs = Array.from({ length: 30 }, (_, i) => i * 50);
  const input = {
    ...opened.input,
    lines: () => [{ name: 'pi.flow0', pin: 17, received: 30, lost: 0, level: 1 } as const],
    drain: () => ({ lines: [{ meter: 'pi.flow0', stampsMonoMs, lost: 0 }], untilMonoMs: 2_000 }),
  };
  const found = await pinFindings(
    loadConfigOf({ ...twoMeters, meters }),
    createEnvironment({ opened: { input } }),
  );
  expect(found.at(-1)).toMatchObject({
    status: 'warn',
    advice: expect.stringMatching(/^Open the tap fully/),
  });
});

test('a line that another program holds is reported with its owner', async () => {
  const found = await pinFindings(
    loadConfigOf(twoMeters),
    createEnvironment({ owners: { 27: 'spi0 CS1' }, opened: {} }),
  );
  const failures = found.filter(({ status }) => status === 'fail');
  expect(failures).toHaveLength(1);
  expect(failures[0]?.text).toMatch(/^pi\.flow1: GPIO 27 .*already taken by “spi0 CS1”/);
});

test('while the daemon runs, its interrupts show the rate and no line is opened', async () => {
  const environment = createEnvironment({ owners: { 17: 'tapster-812', 27: 'tapster-812' } });
  const table = (count: number) =>
    writeFileSync(
      join(root, 'proc', 'interrupts'),
      `           CPU0\n 57:  ${count}  pinctrl-bcm2711  17 Edge      tapster-812\n`,
    );
  table(1_000);
  const found = await pinFindings(loadConfigOf(twoMeters), {
    ...environment,
    wait: async () => table(1_120),
  });
  expect(found.map(({ text }) => text)).toEqual([
    'pi.flow0, GPIO 17: 60 Hz now, by the running daemon (tapster-812).',
    'pi.flow1, GPIO 27: held by the running daemon (tapster-812).',
  ]);
});

test('while the daemon runs no line is opened, whoever holds it', async () => {
  const config = loadConfigOf({ ...twoMeters, toggles: [{ port: 'relay0', pin: 22 }] });
  const environment = { ...createEnvironment({ owners: { 17: 'sysfs', 27: 'spi0 CS1' } }), daemonRuns: true };
  const found = await pinFindings(config, environment);
  expect(found.map(({ status, text }) => `${status} ${text}`)).toEqual([
    expect.stringMatching(/^fail pi\.flow1: .*taken by “spi0 CS1”/),
    'ok pi.flow0, GPIO 17: held by the running daemon (sysfs).',
    'warn pi.relay0, GPIO 22: the daemon does not hold this line.',
  ]);
  const blind = { ...environment, kernel: () => Promise.reject(new Error('no build for this processor')) };
  expect((await pinFindings(config, blind)).map(({ status }) => status)).toEqual(['unknown']);
});

test('when no driver works, the reason of each is reported', async () => {
  const found = await pinFindings(
    loadConfigOf(twoMeters),
    createEnvironment({
      opened: {
        driver: 'none',
        attempts: ['cdev cannot be used: no permission.', 'onoff cannot be used: missing.'],
      },
    }),
  );
  expect(found.map(({ status }) => status)).toEqual(['fail', 'fail']);
});

test('sensors are listed, and a configured sensor that is missing is reported', async () => {
  const directory = join(root, 'w1');
  const config = loadConfigOf({ onewire: { directory }, taps: [{ name: 'Left', thermo: '28-03' }] });
  const bus: ThermoBus = {
    read: async () => [
      { kind: 'temperature', sensor: '28-01', tempC: 4.25 },
      { kind: 'refused', sensor: '28-02', reason: 'bad checksum' },
    ],
  };
  expect((await thermoFindings(config, bus))[0]?.advice).toContain('dtoverlay=w1-gpio');
  mkdirSync(directory);
  expect((await thermoFindings(config, bus)).map(({ status, text }) => `${status} ${text}`)).toEqual([
    'ok 28-01: 4.3 °C.',
    'warn 28-02: bad checksum.',
    'warn 28-03 of the tap "Left" is not on the bus.',
  ]);
});

test('the health of the running daemon is reported', async () => {
  const answers = (status: number, body: unknown) =>
    createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  const healthy = { status: 'ok', parts: { counting: 'ok', storing: 'ok', sensors: 'One probe is silent.' } };
  expect(await checkServer(answers(200, healthy))).toEqual([
    { status: 'ok', text: 'The daemon runs; working: counting, storing.' },
    { status: 'warn', text: 'sensors: One probe is silent.' },
  ]);
  const failing = { status: 'trouble', parts: { storing: 'The card is full.' } };
  expect(await checkServer(answers(503, failing))).toEqual([
    { status: 'fail', text: 'storing: The card is full.' },
  ]);
  expect(await checkServer(answers(200, ['hello']))).toMatchObject([{ status: 'fail' }]);
});

async function checkServer(server: Server) {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const http = { host: '0.0.0.0', port, trust_proxy: false, cors_origins: [], rate_limits: true };
  const findings = daemonFindings(await fetchHealth(http));
  await new Promise((done) => server.close(done));
  expect(daemonFindings(await fetchHealth(http))[0]?.status).toBe('warn');
  return findings;
}

test.each([
  ['stopped', 'SIGTERM', 'ok', 'It was stopped by SIGTERM.'],
  ['crashed', 'TypeError: no tap', 'warn', 'It crashed: TypeError: no tap'],
  ['power_cut', '', 'warn', 'a power cut, or the kernel crashed'],
] as const)('the end of the last run is shown: %s', (kind, detail, status, text) => {
  const [finding] = lastExitFindings({ kind, detail, atMs: null });
  expect(finding).toMatchObject({ status, text: expect.stringContaining(text) });
  expect(lastExitFindings(null)).toEqual([]);
});

test('a section has one line per finding and no control characters', () => {
  const section = {
    title: 'Pins',
    findings: [
      { status: 'ok', text: 'pi.flow0 counts.' },
      { status: 'fail', text: 'Taken by \u001b[2Jspi.', advice: 'Free it.' },
    ],
  } as const;
  expect(sectionText(section)).toBe(
    'Pins\n  ok    pi.flow0 counts.\n  fail  Taken by  [2Jspi.\n        Free it.\n',
  );
  expect(conclusion([section])).toBe('1 failure, 0 warnings.\n');
  expect(hasFailure([section])).toBe(true);
  expect(conclusion([{ title: 'Clock', findings: [{ status: 'unknown', text: '?' }] }])).toBe(
    'No problems found.\n',
  );
});

test('the doctor says where a phone finds the page, and warns where there is only a name', () => {
  expect(addressFinding({ host: '192.168.1.5', port: 8080 } as never)).toEqual({
    status: 'ok',
    text: 'A phone in the same network reaches the page at http://192.168.1.5:8080/',
  });
  expect(addressFinding({ host: '127.0.0.1', port: 8080 } as never)).toEqual({
    status: 'ok',
    text: 'Only this machine reaches the page: http://127.0.0.1:8080/',
  });
  const alone = { directory: '/missing', interfaces: () => ({}), hostName: () => 'bar' };
  expect(addressFinding({ host: '0.0.0.0', port: 8080 } as never, alone)).toMatchObject({
    status: 'warn',
    text: 'This machine has no address in a network, only a name: http://bar.local:8080/',
  });
});

test('a part without which beer is not counted fails, any other one warns, also while the health is trouble', () => {
  const body = { status: 'trouble', parts: { clock: 'Not set.', counting: 'Pin 17 is taken.' } };
  expect(daemonFindings({ status: 503, body })).toEqual([
    { status: 'fail', text: 'counting: Pin 17 is taken.' },
    { status: 'warn', text: 'clock: Not set.' },
  ]);
});
