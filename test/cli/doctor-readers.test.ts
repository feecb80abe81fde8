import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { portFinding } from '../../src/cli/doctor/ports.ts';
import { readerFindings } from '../../src/cli/doctor/readers.ts';
import { omitUndefined } from '../../src/core/omit-undefined.ts';
import { loadConfig } from '../../src/daemon/load-config.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapster-doctor-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function loadConfigOf(content: object) {
  const path = join(root, 'tapster.json');
  writeFileSync(path, JSON.stringify(content));
  return loadConfig({ path, env: {}, cwd: root }).config;
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

test('a bar without readers has no fault', () => {
  expect(statuses(readerFindings(loadConfigOf({})))).toEqual(['unknown']);
});

test('a port that belongs to another group is a failure that names the group', () => {
  const port = join(root, 'event-kbd');
  writeFileSync(port, '');
  expect(portFinding(port, 'input', () => false)).toMatchObject({
    status: 'fail',
    advice: expect.stringContaining('usermod -aG input'),
  });
});

test('a bus for iButtons that is searched too rarely is a warning', () => {
  const directory = join(root, 'w1');
  const bus = join(directory, 'w1_bus_master1');
  const config = loadConfigOf({
    onewire: { directory },
    taps: [{ name: 'Left', meter: 'flow0', toggle: 'relay0' }],
    meters: [{ port: 'flow0', pin: 17 }],
    toggles: [{ port: 'relay0', pin: 24 }],
    readers: [{ type: 'onewire', tap: 'Left' }],
  });
  expect(readerFindings(config)[0]).toMatchObject({
    status: 'fail',
    advice: expect.stringContaining('w1-gpio'),
  });
  mkdirSync(bus, { recursive: true });
  writeFileSync(join(bus, 'w1_master_slaves'), '28-00000a1b2c3d\n01-000000123456\n');
  writeFileSync(join(bus, 'w1_master_timeout'), '10\n');
  const findings = readerFindings(config);
  expect(statuses(findings)).toEqual(['ok', 'warn']);
  expect(findings[0]!.text).toContain('1 iButton there');
  expect(findings[1]!.advice).toContain('timeout=1');
  writeFileSync(join(bus, 'w1_master_timeout'), '1\n');
  expect(statuses(readerFindings(config))).toEqual(['ok']);
});

test('a reader is checked for the tap that it opens', () => {
  const port = join(plugIn('card'), 'usb-card');
  const meters = [{ port: 'flow0', pin: 17 }];
  const taps = [{ name: 'Left', meter: 'flow0' }];
  const tapFindings = (tap?: string, more: object = { meters, taps }) =>
    readerFindings(
      loadConfigOf({
        ...more,
        readers: [{ type: 'serial', port, ...omitUndefined({ tap: tap || undefined }) }],
      }),
    ).slice(1);
  expect(tapFindings()).toEqual([]);
  expect(statuses(tapFindings(undefined, {}))).toEqual(['warn']);
  expect(tapFindings('Left')[0]!.text).toContain('no relay');
  expect(tapFindings('Attic')[0]!.text).toContain('must exist on the page');
});
