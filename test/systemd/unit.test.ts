import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configExitCode } from '../../src/config/load.ts';
import { beginRun } from '../../src/system/last-run.ts';
import { productDirectory } from '../../src/system/product.ts';

const unitFile = join(productDirectory, 'systemd', 'tapster.service');
const lines = readFileSync(unitFile, 'utf8').split('\n');

/** All values of one setting, in order. */
const valuesOf = (setting: string) =>
  lines.filter((line) => line.startsWith(`${setting}=`)).map((line) => line.slice(setting.length + 1));

const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;

test.runIf(hasAnalyzer)('the sandbox has an exposure of at most 2.0 of 10', () => {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unitFile], {
    encoding: 'utf8',
  });
  const exposure = Number(/exposure level for tapster\.service: (\d+\.\d)/.exec(stdout)?.[1]);
  expect(exposure).toBeGreaterThan(0);
  expect(exposure).toBeLessThanOrEqual(2);
});

test('the service notifies its readiness, has a watchdog, and is always restarted', () => {
  expect(valuesOf('Type')).toEqual(['notify']);
  expect(Number(valuesOf('WatchdogSec')[0])).toBeGreaterThan(0);
  expect(valuesOf('Restart')).toEqual(['always']);
  expect(valuesOf('StartLimitIntervalSec')).toEqual(['0']);
});

test('a broken configuration is not retried', () => {
  expect(valuesOf('RestartPreventExitStatus')).toEqual([String(configExitCode)]);
});

test('the service does not wait for the network', () => {
  const awaited = [...valuesOf('After'), ...valuesOf('Wants'), ...valuesOf('Requires')].join(' ');
  expect(awaited).not.toMatch(/network|time-sync/);
});

test('the sandbox has no netlink, and shows /proc/net, from which the addresses of this machine are read instead', () => {
  expect(valuesOf('RestrictAddressFamilies')).toEqual(['AF_UNIX AF_INET AF_INET6']);
  expect(valuesOf('ProcSubset')).toEqual(['all']);
  expect(valuesOf('PrivateNetwork')).toEqual([]);
});

test('the daemon’s user may use pins, serial ports and card readers', () => {
  const [user = ''] = valuesOf('User');
  const groups = valuesOf('SupplementaryGroups').join(' ').split(' ');
  const sysusers = readFileSync(join(productDirectory, 'systemd', 'tapster.sysusers'), 'utf8');
  expect(sysusers).toMatch(new RegExp(`^u ${user} `, 'm'));
  expect(groups).toEqual(['gpio', 'dialout', 'input']);
  for (const group of groups) expect(sysusers).toMatch(new RegExp(`^m ${user} ${group}$`, 'm'));
  expect(valuesOf('StateDirectory')).toEqual(['tapster']);
});

test('after every end of the daemon the stop program switches the relays off, within the sandbox', () => {
  const [program = '', ...others] = valuesOf('ExecStopPost');
  expect(others).toHaveLength(1);
  const source = program.replace(/^.* \/opt\/tapster\/dist\//, 'src/').replace(/\.js$/, '.ts');
  expect(existsSync(join(productDirectory, source))).toBe(true);
  // A prefix such as "+" would run it outside of the sandbox, "-" would hide that a relay may be on.
  expect(program).toMatch(/^\/usr\/bin\/env node /);
});

test('after every end of the daemon the result is stored for its next start', () => {
  const command = valuesOf('ExecStopPost')[1]!;
  const script = /^-\/bin\/sh -c '(.+)'$/.exec(command)![1]!.replaceAll('$$', '$');
  const stateDirectory = mkdtempSync(join(tmpdir(), 'tapster-'));
  const database = join(stateDirectory, 'tapster.db');
  const begin = () => beginRun({ database, bootId: 'boot-1', stateDirectory });
  begin();
  execFileSync('/bin/sh', ['-c', script], {
    env: {
      SERVICE_RESULT: 'watchdog',
      EXIT_CODE: 'killed',
      EXIT_STATUS: 'ABRT',
      STATE_DIRECTORY: stateDirectory,
    },
  });
  expect(begin().previous).toMatchObject({ kind: 'watchdog' });
});

test.each([
  ['ttyUSB', 188],
  ['ttyACM', 166],
  ['ttyAMA', 204],
  ['ttyS', 4],
  ['input', 13],
])(
  'devices of %s are permitted by number, so that one plugged in after the start is not refused',
  (group, major) => {
    const devices = valuesOf('DeviceAllow').map((value) => value.split(' ')[0]);
    expect(devices).toContain(`char-${major}`);
    expect(devices).not.toContain(`char-${group}`);
  },
);

test('the stop time limit is longer than five seconds', () => {
  expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(5);
});
