import { expect, test } from 'vitest';
import {
  failingParts,
  type HealthReport,
  healthAnswer,
  healthLine,
  isVitalPart,
  judgeHealth,
  readHealthAnswer,
} from '../../../src/core/health/own-health.ts';
import { textProblem } from '../../../src/core/health/problems.ts';

/** A report in which these parts have a problem. */
function createReport(problems: Readonly<Record<string, string>> = {}): HealthReport {
  const names = [...new Set(['counting', 'storing', 'serving', 'clock', ...Object.keys(problems)])];
  return {
    parts: names.map((name) => ({
      name,
      problems: problems[name] === undefined ? [] : [textProblem(problems[name])],
      vital: isVitalPart(name),
    })),
  };
}
const lineOf = (report: HealthReport, where?: string): string => healthLine(healthAnswer(report).body, where);

test('the health is ok while counting, storing and serving work, whatever else fails', () => {
  expect(judgeHealth(createReport({ clock: 'Not set.' }))).toBe('ok');
  for (const part of ['counting', 'storing', 'serving'])
    expect(healthAnswer(createReport({ [part]: 'Broken.' }))).toMatchObject({
      status: 503,
      body: { status: 'trouble', parts: { [part]: 'Broken.', clock: 'ok' } },
    });
});

test('the line says what works, where the page is, and what else to look at', () => {
  const where = 'page at http://192.168.1.5:8080/';
  expect(lineOf(createReport(), where)).toBe(
    'Counting, storing and serving; page at http://192.168.1.5:8080/',
  );
  expect(lineOf(createReport({ clock: 'The clock is not set.' }), where)).toBe(
    'Counting, storing and serving; page at http://192.168.1.5:8080/. Look at clock: The clock is not set.',
  );
});

test('the line never says that it counts while the health is trouble, and names the vital part first', () => {
  const report = createReport({ clock: 'Not set.', counting: 'Pin 17 is taken.' });
  expect(lineOf(report, 'page at X')).toBe('Trouble; page at X. counting: Pin 17 is taken. clock: Not set.');
  expect(healthLine({ status: 'trouble', parts: null })).toBe('Trouble. See the notices of the page.');
});

test('what /healthz answers is read back as it was meant', () => {
  const { status, body } = healthAnswer(createReport({ storing: 'The card is full.' }));
  const seen = readHealthAnswer(status, JSON.parse(JSON.stringify({ ...body, version: '1.2.0', pours: 2 })));
  expect(seen).toEqual({ status: 'trouble', parts: body.parts, version: '1.2.0', pours: 2 });
  expect(failingParts(body.parts)).toEqual([{ name: 'storing', text: 'The card is full.', isVital: true }]);
});

test.each([
  ['a page of another program', 200, null],
  ['another status', 200, { status: 'fine' }],
  ['a list', 200, ['ok']],
])('%s is no health', (_what, status, body) => {
  expect(readHealthAnswer(status, body)).toBeNull();
});

test('an answer with another HTTP status than 200 is trouble, and one without parts has none', () => {
  expect(readHealthAnswer(502, { status: 'ok' })).toEqual({
    status: 'trouble',
    parts: null,
    version: null,
    pours: 0,
  });
});
