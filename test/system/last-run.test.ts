import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginRun, describeExit, readLastExit } from '../../src/system/last-run.ts';

function createMachine() {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'tapster-'));
  const database = join(stateDirectory, 'tapster.db');
  return {
    database,
    begin: (bootId = 'boot-1') => beginRun({ database, bootId, stateDirectory }),
    /** What the service's ExecStopPost writes. */
    storeServiceResult: (text: string) => writeFileSync(join(stateDirectory, 'service-result'), `${text}\n`),
  };
}

test('the first run has no previous one', () => {
  const machine = createMachine();
  expect(machine.begin().previous).toBeNull();
});

test('a run that was stopped is known as stopped, also when systemd reports its success', () => {
  const machine = createMachine();
  machine.begin().end('stopped', 'SIGTERM', 5_000);
  machine.storeServiceResult('success exited 0');
  expect(machine.begin('boot-2').previous).toEqual({ kind: 'stopped', detail: 'SIGTERM', atMs: 5_000 });
});

test('a crash is known with its error; the first of two ends counts', () => {
  const machine = createMachine();
  const run = machine.begin();
  run.end('crashed', 'TypeError: x is not a function', 5_000);
  run.end('stopped', 'SIGTERM', 6_000);
  machine.storeServiceResult('exit-code exited 1');
  expect(machine.begin().previous).toMatchObject({
    kind: 'crashed',
    detail: 'TypeError: x is not a function',
  });
});

test('a run without an end was killed if the machine is still up, else it was a power cut', () => {
  const machine = createMachine();
  machine.begin();
  expect(machine.begin().previous).toEqual({ kind: 'killed', detail: '', atMs: null });
  expect(machine.begin('boot-2').previous).toEqual({ kind: 'power_cut', detail: '', atMs: null });
});

test.each([
  ['watchdog killed ABRT', 'watchdog', 'It hung and was restarted by the watchdog of systemd.'],
  ['oom-kill killed KILL', 'out_of_memory', 'It ran out of memory (signal KILL, oom-kill).'],
  ['core-dump dumped ABRT', 'out_of_memory', 'It ran out of memory (signal ABRT, core-dump).'],
  ['signal killed KILL', 'killed', 'It was killed (signal KILL, signal).'],
  ['timeout killed KILL', 'killed', 'It was killed (signal KILL, timeout).'],
  ['exit-code exited 7', 'killed', 'It was killed (exit code 7).'],
])('systemd’s “%s” is %s', (text, kind, sentence) => {
  const machine = createMachine();
  machine.begin();
  machine.storeServiceResult(text);
  const { previous } = machine.begin('boot-2');
  expect(previous?.kind).toBe(kind);
  expect(describeExit(previous!)).toBe(sentence);
});

test('the result of an earlier end is not taken for that of the last one', () => {
  const machine = createMachine();
  machine.begin();
  machine.storeServiceResult('watchdog killed ABRT');
  machine.begin();
  expect(machine.begin('boot-2').previous?.kind).toBe('power_cut');
});

test('an unreadable state or result is no reason', () => {
  const machine = createMachine();
  writeFileSync(`${machine.database}.last-run`, '{"bootId":"boot-1","en');
  expect(machine.begin().previous).toBeNull();
  machine.storeServiceResult('$(reboot)');
  expect(machine.begin().previous?.kind).toBe('killed');
});

test('a reader sees the end of the last run, during the next one too', () => {
  const machine = createMachine();
  expect(readLastExit(machine.database)).toBeNull();
  const run = machine.begin();
  run.end('stopped', 'SIGTERM', 5_000);
  expect(readLastExit(machine.database)?.kind).toBe('stopped');
  machine.begin();
  expect(readLastExit(machine.database)?.kind).toBe('stopped');
});

test('a long detail is bounded', () => {
  const machine = createMachine();
  machine.begin().end('crashed', 'x'.repeat(100_000), 0);
  expect(machine.begin().previous?.detail).toHaveLength(1_000);
});

test('a folder that cannot be written stops nothing', () => {
  expect(beginRun({ database: '/proc/nowhere/tapster.db', bootId: 'boot-1' }).previous).toBeNull();
});
