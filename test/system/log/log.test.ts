import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog, type LogOptions } from '../../../src/system/log/log.ts';
import { openLogFiles } from '../../../src/system/log/log-files.ts';

function captureLines(
  options: Omit<LogOptions, 'write'>,
  write: (log: ReturnType<typeof createLog>['log']) => void,
) {
  const lines: string[] = [];
  write(
    createLog({ isHumanReadable: false, isForJournal: false, ...options, write: (line) => lines.push(line) })
      .log,
  );
  return lines;
}

test('a line for the journal is JSON with its severity as prefix', () => {
  const lines = captureLines({ level: 'info', isForJournal: true }, (log) => {
    log.info({ tap: 'Left' }, 'A pint was poured');
    log.warn('The line to the left tap is slow');
    log.error('The card is full');
    log.debug('not shown at this level');
  });
  expect(lines.map((line) => line.slice(0, 3))).toEqual(['<6>', '<4>', '<3>']);
  expect(JSON.parse(lines[0]!.slice(3))).toMatchObject({ level: 30, tap: 'Left', msg: 'A pint was poured' });
  expect(lines[0]).not.toMatch(/hostname|pid/);
});

test('lines are stored in files with secrets redacted, and those of earlier runs are the oldest', () => {
  const database = join(mkdtempSync(join(tmpdir(), 'tapster-')), 'tapster.db');
  const runOnce = (message: string) => {
    const { log, memory, storeIn, flush } = createLog({ level: 'info', isHumanReadable: false, write() {} });
    log.info({ password: 'hunter2' }, message);
    storeIn(openLogFiles(database));
    log.info('serving');
    flush();
    return memory.recent().map((line) => line.message);
  };
  expect(runOnce('first start')).toEqual(['serving', 'first start']);
  expect(runOnce('second start')).toEqual(['serving', 'second start', 'serving', 'first start']);
  expect(readFileSync(`${database}.log`, 'utf8')).not.toContain('hunter2');
});

test('secrets are redacted at every documented level', () => {
  const [line] = captureLines({ level: 'info' }, (log) =>
    log.info(
      {
        password: 'hunter2',
        user: { password: 'hunter2', api_key: 'hunter2' },
        body: { token: 'hunter2' },
        req: {
          headers: {
            authorization: 'hunter2',
            cookie: 'hunter2',
            'x-kegbot-api-key': 'hunter2',
            host: 'bar',
          },
        },
      },
      'logged in',
    ),
  );
  expect(line).not.toContain('hunter2');
  expect(line).toContain('"host":"bar"');
});

test('a terminal line has time, severity, message and fields', () => {
  const [line] = captureLines({ level: 'info', isHumanReadable: true }, (log) =>
    log.warn({ meter: 'pi.flow0', why: 'taken by another' }, 'A line does not count'),
  );
  expect(line).toMatch(
    /^\d\d:\d\d:\d\d warn {2}A line does not count meter=pi.flow0 why="taken by another"\n$/,
  );
});

test('control characters in a name are replaced', () => {
  const [line] = captureLines({ level: 'info', isHumanReadable: true }, (log) =>
    log.info('hello \u001b[2J\u009b1A guest'),
  );
  expect(line).toMatch(/hello ·\[2J·1A guest\n$/);
});

test('an error is shown with its stack below the line', () => {
  const [line] = captureLines({ level: 'info', isHumanReadable: true }, (log) =>
    log.error({ err: new Error('the pipe is closed') }, 'The page could not be served'),
  );
  expect(line).toMatch(/The page could not be served\n {4}Error: the pipe is closed\n {4} {4}at /);
});
