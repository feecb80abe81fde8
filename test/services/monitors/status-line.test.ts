import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthAnswer } from '../../../src/core/health/own-health.ts';
import { createProblem, textProblem } from '../../../src/core/health/problems.ts';
import { sendStatusLine, statusEveryMs, statusLine } from '../../../src/services/monitors/status-line.ts';
import { createHealthRegistry } from '../../../src/system/health/health.ts';
import { reachableUrls } from '../../../src/system/own-addresses.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A daemon whose vital parts work, as systemd sees it. */
function createDaemon({ isActive = true } = {}) {
  const health = createHealthRegistry();
  for (const part of ['counting', 'storing', 'serving'] as const) health.set(part);
  const lines: string[] = [];
  let host = '192.168.1.5';
  const sources = { health: health.report, listening: () => ({ host, port: 8080 }) };
  const stop = sendStatusLine({ isActive, status: (line) => lines.push(line) }, sources);
  return {
    health,
    lines,
    sources,
    stop,
    move: (to: string) => {
      host = to;
    },
  };
}

test('the line of systemd follows the health within two seconds, in the words of /healthz', () => {
  const { health, lines, sources } = createDaemon();
  vi.advanceTimersByTime(statusEveryMs);
  expect(lines).toEqual(['Counting, storing and serving; page at http://192.168.1.5:8080/']);
  health.set('counting', textProblem('Pin 17 is taken by another program.'));
  vi.advanceTimersByTime(statusEveryMs);
  const { body } = healthAnswer(sources.health());
  expect(body.status).toBe('trouble');
  expect(lines.at(-1)).toBe(`Trouble; page at http://192.168.1.5:8080/. counting: ${body.parts.counting}`);
  health.set('counting');
  vi.advanceTimersByTime(statusEveryMs);
  expect(lines.at(-1)).toMatch(/^Counting, storing and serving;/);
  expect(statusEveryMs).toBeLessThanOrEqual(2_000);
});

test('the line shows a refused update and a new address', () => {
  const { health, lines, move } = createDaemon();
  health.set(
    'updates',
    createProblem('update_refused', { version: '2.0.0', running: '1.0.0', reason: 'disk_full' }),
  );
  move('192.168.1.9');
  vi.advanceTimersByTime(statusEveryMs);
  expect(lines.at(-1)).toMatch(
    /^Counting, storing and serving; page at http:\/\/192\.168\.1\.9:8080\/\. Look at updates: Version 2\.0\.0 was not installed, because the disk has not enough space\./,
  );
});

test('an unchanged line is sent once a minute, since systemd may have been busy, and none after the stop', () => {
  const { lines, stop } = createDaemon();
  vi.advanceTimersByTime(122_000);
  expect(lines).toHaveLength(3);
  stop();
  vi.advanceTimersByTime(120_000);
  expect(lines).toHaveLength(3);
});

test('without systemd nothing is sent', () => {
  const { lines } = createDaemon({ isActive: false });
  vi.advanceTimersByTime(120_000);
  expect(lines).toEqual([]);
});

test('the line names the address for a phone, and says when the page has none yet', () => {
  const { sources } = createDaemon();
  const [phone] = reachableUrls({ host: '0.0.0.0', port: 8080 });
  expect(statusLine({ ...sources, listening: () => ({ host: '0.0.0.0', port: 8080 }) })).toContain(
    `page at ${phone}`,
  );
  expect(statusLine({ ...sources, listening: () => ({ host: '127.0.0.1', port: 8080 }) })).toContain(
    'page at http://127.0.0.1:8080/',
  );
  expect(statusLine({ ...sources, listening: () => null })).toBe(
    'Counting, storing and serving; the page waits for its address',
  );
});
