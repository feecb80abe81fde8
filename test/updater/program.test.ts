import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProgram, ProgramRefused } from '../../src/updater/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-program-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** A release whose Node.js is this script. */
function makeRelease(script: string, mode: number): string {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'node'), script);
  chmodSync(join(folder, 'bin', 'node'), mode);
  return folder;
}
const program = () => createProgram({ stateDirectory: folder, settings: [] });

test('a program that refuses says why', async () => {
  const release = makeRelease('#!/bin/sh\necho "a pin is used twice" >&2\nexit 78\n', 0o755);
  await expect(program().check(release, '/missing')).rejects.toThrow(/^a pin is used twice$/);
});

test('programs that cannot be started are refused, and leave no timers that keep the updater from ending', async () => {
  const before = timers();
  const release = makeRelease('', 0o644);
  for (let tries = 0; tries < 8; tries++)
    await expect(program().check(release, '/missing')).rejects.toThrow(ProgramRefused);
  // Vitest has some of its own.
  expect(timers()).toBeLessThan(before + 4);
});
