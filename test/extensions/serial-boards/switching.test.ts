import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { doctorCommand } from '../../../src/cli/doctor/doctor.ts';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import { configuredFeatures } from '../../../src/extensions/extension.ts';
import { serialBoards } from '../../../src/extensions/serial-boards/extension.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-serial-switch-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const board = { serial: { boards: [{ path: '/dev/serial/by-id/usb-none' }] } };
const cases = [
  ['a board is named', board, true],
  ['the daemon looks for boards', { serial: { auto: true } }, true],
  ['there is no board', {}, false],
  ['there is no board, and the file switches it on', { features: { 'serial-boards': true } }, false],
  ['the file switches it off', { ...board, features: { 'serial-boards': false } }, false],
] as const;

function writeSettings(settings: object): string {
  const path = join(folder, 'tapster.json');
  writeFileSync(
    path,
    JSON.stringify({ database: join(folder, 'tapster.db'), gpio: { driver: 'simulated' }, ...settings }),
  );
  return path;
}

test.each(cases)('when %s the settings file decides', (_when, settings, isOn) => {
  const { config } = loadConfig({ path: writeSettings(settings), env: {}, cwd: folder });
  expect(configuredFeatures([serialBoards], config)['serial-boards']).toBe(isOn);
});

async function runDoctor(settings: object): Promise<string> {
  let output = '';
  await doctorCommand.run(['--config', writeSettings({ http: { port: 9 }, ...settings })], {
    env: {},
    cwd: folder,
    err: () => undefined,
    stdin: (async function* () {})(),
    out: (text) => {
      output += String(text);
    },
  });
  return output;
}

test('the doctor checks the boards between the thermo sensors and the readers, while they are on', async () => {
  const found = await runDoctor(board);
  expect(found).toContain('\n  warn  Nothing is plugged in at /dev/serial/by-id/usb-none.\n');
  const titles = found.split('\n').filter((line) => /^[A-Z][^:.]*$/.test(line));
  expect(titles.slice(titles.indexOf('Thermo sensors')).slice(0, 3)).toEqual([
    'Thermo sensors',
    'Serial boards',
    'Readers',
  ]);
  expect(await runDoctor({ ...board, features: { 'serial-boards': false } })).not.toContain('Serial boards');
});
