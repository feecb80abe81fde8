import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCountingWatchdog } from '../../../src/services/monitors/counting-watchdog.ts';
import { createLog } from '../../../src/system/log/log.ts';

const { log } = createLog({ level: 'fatal', write: () => {} });
let folder: string;
let file: string;
let nowMs: number;
let isCounting: boolean;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counting-watchdog-'));
  file = join(folder, 'tapster.db.restarted');
  nowMs = 5_000;
  isCounting = false;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A daemon that starts now. */
const startDaemon = (path = file) =>
  createCountingWatchdog({ file: path, isCounting: () => isCounting, nowMonoMs: () => nowMs, log });

/** Minutes, of those given, in which the watchdog was fed at both of its times. */
function fedMinutes({ mayNotify }: ReturnType<typeof startDaemon>, minutes: number): number {
  let fed = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const answers = [mayNotify()];
    nowMs += 30_000;
    answers.push(mayNotify());
    nowMs += 30_000;
    if (answers.every(Boolean)) fed++;
  }
  return fed;
}

test('a daemon whose pins do not count stops feeding the watchdog after 10 minutes', () => {
  const daemon = startDaemon();
  expect(fedMinutes(daemon, 10)).toBe(10);
  expect(fedMinutes(daemon, 3)).toBe(0);
  expect(existsSync(file)).toBe(true);
});

test('the restarted daemon feeds it for ever, although the pins still do not count', () => {
  fedMinutes(startDaemon(), 12);
  expect(fedMinutes(startDaemon(), 600)).toBe(600);
});

test('once the pins have counted, a later failure may restart the daemon again', () => {
  fedMinutes(startDaemon(), 12);
  const restarted = startDaemon();
  isCounting = true;
  expect(fedMinutes(restarted, 1)).toBe(1);
  expect(existsSync(file)).toBe(false);
  isCounting = false;
  expect(fedMinutes(restarted, 10)).toBe(10);
  expect(fedMinutes(restarted, 1)).toBe(0);
});

test('ten minutes in pieces cause no restart', () => {
  const daemon = startDaemon();
  for (let piece = 0; piece < 5; piece++) {
    isCounting = false;
    expect(fedMinutes(daemon, 9)).toBe(9);
    isCounting = true;
    expect(fedMinutes(daemon, 1)).toBe(1);
  }
  expect(existsSync(file)).toBe(false);
});

test('pins that count in the last moment keep the daemon', () => {
  const daemon = startDaemon();
  fedMinutes(daemon, 11);
  isCounting = true;
  expect([daemon.mayNotify(), existsSync(file)]).toEqual([true, false]);
});

test('a restart that cannot be noted does not take place, since it would be repeated', () => {
  const daemon = startDaemon(join(folder, 'missing', 'tapster.db.restarted'));
  expect(fedMinutes(daemon, 60)).toBe(60);
});
