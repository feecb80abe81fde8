import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { beginRun, readLastExit } from '../../src/system/last-run.ts';
import { openLogFiles } from '../../src/system/log/log-files.ts';
import { type BarFolder, makeBar, type RunningDaemon, startDaemon } from '../kit/daemon.ts';

let bar: BarFolder | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  bar?.remove();
});

const storedMessages = ({ database }: BarFolder) =>
  openLogFiles(database)
    .read()
    .map((line) => JSON.parse(line).msg as string);

test('log lines and the reason of the end survive a stop', async () => {
  bar = makeBar();
  daemon = await startDaemon(bar);
  await daemon.stop();
  expect(storedMessages(bar)).toEqual(expect.arrayContaining(['starting', 'serving']));
  expect(readLastExit(bar.database)).toMatchObject({ kind: 'stopped', detail: 'SIGTERM' });
  daemon = await startDaemon(bar);
  expect(daemon.output).toContain('the end of the last run: It was stopped by SIGTERM.');
});

test('a killed daemon says at its next start that it was killed', async () => {
  bar = makeBar();
  daemon = await startDaemon(bar);
  await daemon.kill();
  daemon = await startDaemon(bar);
  expect(daemon.output).toContain('the end of the last run: It was killed for an unknown reason.');
});

test('an exception that nothing catches is stored with its text before it ends the daemon', async () => {
  bar = makeBar();
  const code = 'process.on("SIGUSR2",()=>{throw new RangeError("no such glass")})';
  process.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  daemon = await startDaemon(bar).finally(() => delete process.env.NODE_OPTIONS);
  const exit = once(daemon.child, 'exit');
  daemon.child.kill('SIGUSR2');
  expect((await exit)[0]).not.toBe(0);
  expect(readLastExit(bar.database)).toMatchObject({
    kind: 'crashed',
    detail: expect.stringContaining('RangeError: no such glass'),
  });
  expect(storedMessages(bar).at(-1)).toBe('crashed');
});

test('after a power cut the next start says so', async () => {
  bar = makeBar();
  // A run in another boot that never ended.
  beginRun({ database: bar.database, bootId: 'earlier-boot' });
  daemon = await startDaemon(bar);
  expect(daemon.output).toContain('the end of the last run: The machine went off without stopping it');
  expect(JSON.parse(readFileSync(`${bar.database}.last-run`, 'utf8'))).toMatchObject({
    end: null,
    previous: { kind: 'power_cut' },
  });
});
