import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsOf } from '../../../../src/config/settings-group.ts';
import { loadConfig } from '../../../../src/daemon/load-config.ts';
import { serialFindings } from '../../../../src/extensions/serial-boards/cli/serial-findings.ts';
import { serialGroup } from '../../../../src/extensions/serial-boards/config/settings-group.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapster-doctor-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function findingsOf(content: object) {
  const path = join(root, 'tapster.json');
  writeFileSync(path, JSON.stringify(content));
  const { config } = loadConfig({ path, env: {}, cwd: root });
  return serialFindings(settingsOf(config, serialGroup), config);
}

const statuses = (findings: readonly { readonly status: string }[]) => findings.map(({ status }) => status);

/** Creates a folder of connected ports, each a link to its device. */
function plugIn(...names: string[]): string {
  const directory = join(root, 'by-id');
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    writeFileSync(join(root, name), '');
    symlinkSync(join(root, name), join(directory, `usb-${name}`));
  }
  return directory;
}

test('a bar without serial boards has no fault', () => {
  expect(statuses(findingsOf({}))).toEqual(['unknown']);
});

test('a connected board is ok, one that is not connected is a warning', () => {
  const directory = plugIn('uno');
  const boards = [{ path: join(directory, 'usb-uno') }, { path: '/dev/serial/by-id/usb-none' }];
  const findings = findingsOf({ serial: { boards, directory } });
  expect(statuses(findings)).toEqual(['ok', 'warn']);
  expect(findings[0]!.text).toContain(join(root, 'uno'));
  expect(findings[1]!.advice).toContain('Plug it in');
});

test('a device name that depends on the USB socket is a warning', () => {
  const findings = findingsOf({ serial: { boards: [{ path: '/dev/ttyACM77' }] } });
  expect(findings.at(-1)!.text).toContain('another device after the next start');
});

test('with auto every port except those of readers is listed; no port is a warning', () => {
  const directory = plugIn('mega', 'card');
  const port = join(directory, 'usb-card');
  const findings = findingsOf({ serial: { auto: true, directory }, readers: [{ type: 'serial', port }] });
  expect(findings).toHaveLength(1);
  expect(findings[0]!.text).toContain('usb-mega');
  const empty = findingsOf({ serial: { auto: true, directory: join(root, 'nothing') } });
  expect(statuses(empty)).toEqual(['warn']);
});
