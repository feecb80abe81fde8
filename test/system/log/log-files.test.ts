import { appendFileSync, existsSync, mkdtempSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LogFiles, openLogFiles } from '../../../src/system/log/log-files.ts';

const minuteMs = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const line = (number: number, level = 30) =>
  `${JSON.stringify({ level, time: number, msg: `line ${number}` })}\n`;

function openFiles() {
  const database = join(mkdtempSync(join(tmpdir(), 'tapster-')), 'tapster.db');
  const files = openLogFiles(database);
  /** Text of the lines in the files, as the next run would read them. */
  const stored = () =>
    openLogFiles(database)
      .read()
      .map((text) => JSON.parse(text).msg as string);
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await files.whenIdle();
  };
  return { database, files, stored, pass };
}

/** Pretends that the file was written an hour ago. */
const age = (path: string) => utimesSync(path, Date.now() / 1000 - 3_600, Date.now() / 1000 - 3_600);

function addLines(files: LogFiles, count: number, level = 30): void {
  for (let number = 1; number <= count; number++) files.add(line(number, level));
}

test('information is written together after ten minutes', async () => {
  const { files, stored, pass } = openFiles();
  addLines(files, 3);
  await pass(10 * minuteMs - 1);
  expect(stored()).toEqual([]);
  await pass(1);
  expect(stored()).toEqual(['line 1', 'line 2', 'line 3']);
});

test('a warning is written at once together with what waits, the next one a minute later', async () => {
  const { files, stored, pass } = openFiles();
  files.add(line(1));
  files.add(line(2, 40));
  await pass(0);
  expect(stored()).toEqual(['line 1', 'line 2']);
  files.add(line(3, 50));
  await pass(minuteMs - 1);
  expect(stored()).toHaveLength(2);
  await pass(1);
  expect(stored()).toHaveLength(3);
});

test('the end of the process writes what waits', () => {
  const { files, stored } = openFiles();
  addLines(files, 2);
  files.flush();
  expect(stored()).toEqual(['line 1', 'line 2']);
});

test('the last 1 000 lines are kept in two files', () => {
  const { database, files, stored } = openFiles();
  for (let number = 1; number <= 2_600; number++) {
    files.add(line(number));
    if (number % 100 === 0) files.flush();
  }
  expect(stored()).toHaveLength(1_000);
  expect(stored()[0]).toBe('line 1601');
  expect(stored().at(-1)).toBe('line 2600');
  const bytes = [`${database}.log`, `${database}.log.1`].map((path) => statSync(path).size);
  expect(Math.max(...bytes)).toBeLessThan(513 * 1024);
  expect(statSync(`${database}.log`).mode & 0o777).toBe(0o600);
});

test('a line cut off by a power cut and zero bytes are left out; later lines are read', () => {
  const { database, files, stored } = openFiles();
  addLines(files, 1);
  files.flush();
  appendFileSync(`${database}.log`, `{"level":30,"time":2,"msg":"cut o`);
  appendFileSync(`${database}.log`, Buffer.alloc(512));
  const next = openLogFiles(database);
  next.add(line(3));
  next.flush();
  expect(stored()).toEqual(['line 1', 'line 3']);
});

test('a day full of long errors writes at most 13 MB', async () => {
  const { database, files, pass } = openFiles();
  const error = `${JSON.stringify({ level: 50, time: 1, msg: 'x'.repeat(900) })}\n`;
  let written = 0;
  for (let minute = 0; minute < 24 * 60; minute++) {
    const before = existsSync(`${database}.log`) ? statSync(`${database}.log`).size : 0;
    for (let count = 0; count < 300; count++) files.add(error);
    await pass(minuteMs);
    const after = existsSync(`${database}.log`) ? statSync(`${database}.log`).size : 0;
    written += after >= before ? after - before : after;
  }
  expect(written).toBeGreaterThan(1_000_000);
  expect(written).toBeLessThan(13_000_000);
}, 120_000);

test('a folder that does not exist or a full disk stops nothing', async () => {
  const files = openLogFiles('/proc/nowhere/tapster.db');
  addLines(files, 2, 50);
  await vi.advanceTimersByTimeAsync(minuteMs);
  await files.whenIdle();
  addLines(files, 2);
  files.flush();
  expect(files.read()).toEqual([]);
});

test('lines written twice, as by the end of the process during a write, are read once', () => {
  const { database, files, stored } = openFiles();
  addLines(files, 2);
  files.flush();
  age(`${database}.log`);
  addLines(files, 2);
  files.flush();
  expect(readFileSync(`${database}.log`, 'utf8').match(/line 1/g)).toHaveLength(2);
  expect(stored()).toEqual(['line 1', 'line 2']);
});
