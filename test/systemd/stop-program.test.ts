import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeRelayFile } from '../../src/devices/relays-off/relay-file.ts';
import { createMachineIdentity, readMachineIdentity } from '../../src/system/machine-identity.ts';
import { productDirectory } from '../../src/system/product.ts';

const unit = readFileSync(join(productDirectory, 'systemd', 'tapster.service'), 'utf8');
const [, installedFile = ''] = /^ExecStopPost=\/usr\/bin\/env node \/opt\/tapster\/(\S+)$/m.exec(unit) ?? [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stop-'));
});

/** Runs the unit's stop program as systemd does, with this state directory. */
function runStopProgram() {
  const startMs = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(productDirectory, installedFile)], {
    encoding: 'utf8',
    env: { STATE_DIRECTORY: folder },
    timeout: 10_000,
  });
  return { code: status, output: stdout + stderr, tookMs: performance.now() - startMs };
}

test('without a list of relays the stop program ends with success and prints nothing', () => {
  const { code, output } = runStopProgram();
  expect({ code, output }).toEqual({ code: 0, output: '' });
});

test('a damaged list is reported and does not fail the unit', () => {
  writeFileSync(join(folder, 'relays.json'), '{"relays":[{');
  const { code, output } = runStopProgram();
  expect(code).toBe(0);
  expect(output).toMatch(/relays\.json is damaged/);
});

test('a relay on a chip that this machine lacks fails the unit, and not only after the time for lines in use', () => {
  const relay = { name: 'pi.relay0', chip: 'no-such-chip', pin: 24, activeLow: false };
  writeRelayFile(join(folder, 'relays.json'), [relay], readMachineIdentity());
  const { code, output, tookMs } = runStopProgram();
  expect(code).toBe(1);
  expect(output).toMatch(/^pi\.relay0: .*\nDisconnect the power of the valves above/);
  expect(tookMs).toBeLessThan(4_000);
});

test.runIf(readMachineIdentity().isKnown)(
  'a list that was copied from another machine drives no pin and does not fail the unit',
  () => {
    const relay = { name: 'pi.relay0', chip: 'no-such-chip', pin: 24, activeLow: false };
    writeRelayFile(join(folder, 'relays.json'), [relay], createMachineIdentity('0'.repeat(32)));
    const { code, output } = runStopProgram();
    expect(code).toBe(0);
    expect(output).toMatch(/relays\.json is of another machine/);
  },
);
