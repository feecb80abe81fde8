import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { settingsTable } from '../../src/config/table.ts';
import { settingsGroups } from '../../src/extensions/all.ts';
import { productVersion } from '../../src/system/product.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs one command line in the test's folder. */
async function tapster(line: string, options: { stdin?: string; env?: Record<string, string> } = {}) {
  let out = '';
  let err = '';
  const code = await runCli(line === '' ? [] : line.split(' '), {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stdin: (async function* () {
      if (options.stdin !== undefined) yield Buffer.from(options.stdin);
    })(),
    env: options.env ?? {},
    cwd: folder,
  });
  return { code, out, err };
}

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test('--help lists every command, --version prints the version', async () => {
  const help = await tapster('--help');
  expect(help).toMatchObject({ code: 0, err: '' });
  for (const name of ['run', 'check', 'doctor', 'user add', 'key create', 'simulate pour']) {
    expect(help.out).toContain(`\n  ${name} `);
  }
  expect(await tapster('--version')).toEqual({ code: 0, out: `${productVersion()}\n`, err: '' });
});

test.each(['run', 'check', 'doctor', 'user add', 'key create', 'simulate pour'])(
  '%s --help prints its help and does nothing else',
  async (name) => {
    const { code, out } = await tapster(`${name} --help`);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: tapster /);
    expect(out).toMatch(/\n$/);
  },
);

test.each([
  ['chek', 'Did you mean "tapster check"?'],
  ['user', 'Did you mean "tapster user add"?'],
  ['user ad anna', 'Did you mean "tapster user add"?'],
  ['brew', 'tapster --help lists them.'],
  [
    'simulate pour --meter pi.flow0 --ml -5',
    "Option '--ml' argument is ambiguous. See: tapster simulate pour --help",
  ],
  ['check --confg x', "Unknown option '--confg'. See: tapster check --help"],
  ['check now', '"now" is an extra argument. See: tapster check --help'],
  ['user add', 'NAME is missing. See: tapster user add --help'],
  ['user add anna', '--password-stdin is missing'],
  ['key create', 'NAME is missing. See: tapster key create --help'],
  ['simulate pour --meter pi.flow0', '--ml is missing. See: tapster simulate pour --help'],
  ['simulate pour --meter pi.flow0 --ml much', '--ml must be a number from 1 to 100000, not "much".'],
])('the wrong call "%s" is answered with the correction', async (line, words) => {
  const { code, out, err } = await tapster(line);
  expect({ code, out }).toEqual({ code: 64, out: '' });
  expect(err).toContain(words);
});

test('check prints a summary of a valid configuration, with warnings', async () => {
  const path = write('bar.json', {
    database: 'bar.db',
    controller: { name: 'bar' },
    meters: [
      { port: 'flow0', pin: 17, ticks_per_ml: 5.4 },
      { port: 'flow1', pin: 27 },
    ],
    taps: [{ name: 'Left', meter: 'flow0' }],
  });
  const { code, out } = await tapster(`check --config ${path}`);
  expect(code).toBe(0);
  expect(out).toContain(`Configuration: ${path}\nDatabase: ${join(folder, 'bar.db')}\n`);
  expect(out).toContain('  bar.flow0 on GPIO 17, 5.4 ticks/mL, tap "Left"\n');
  expect(out).toContain('Note: bar.flow1 belongs to no tap;');
  expect(out).toContain('Note: bar.flow1 has neither model nor ticks_per_ml;');
  expect(out).toMatch(/No faults\.\n$/);
});

test('check lists every fault and exits 78', async () => {
  const path = write('bad.json', { http: { port: -1 }, meters: [{ port: 'flow0' }] });
  const { code, out, err } = await tapster('check', { env: { TAPSTER_CONFIG: path } });
  expect({ code, out }).toEqual({ code: 78, out: '' });
  expect(err).toBe(
    `${path} cannot be used:\n` +
      '  - http.port must be an integer from 0 to 65535, not -1.\n' +
      '  - meters[0].pin is missing.\n',
  );
});

test('check without any configuration reports the demo', async () => {
  const { code, out } = await tapster('check', { env: { TAPSTER_PORT: '8099' } });
  expect(code).toBe(0);
  expect(out).toContain('the demo runs');
  expect(out).toContain('port 8099');
});

test('check --settings prints the table of settings', async () => {
  expect(await tapster('check --settings')).toEqual({ code: 0, out: settingsTable(settingsGroups), err: '' });
});
