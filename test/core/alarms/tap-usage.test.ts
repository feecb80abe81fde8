import { expect, test } from 'vitest';
import { comparedSpans, type HourlyPours, judgeTapUsage } from '../../../src/core/alarms/tap-usage.ts';

const lager = 7;

/** Pours of a tap in each of the last six hours, the latest first. */
const week = (number: number, tapId: number, pours: readonly number[], beverageId = lager): HourlyPours[] =>
  pours.flatMap((count, hoursAgo) =>
    count === 0 ? [] : [{ tapId, beverageId, week: number, hoursAgo, pours: count }],
  );

/** The same evening in the six weeks before. */
const earlier = (tapId: number, pours: readonly number[], beverageId = lager): HourlyPours[] =>
  [1, 2, 3, 4, 5, 6].flatMap((number) => week(number, tapId, pours, beverageId));

const busy = [15, 15, 15, 15, 0, 0];
const both = [...earlier(1, busy), ...earlier(2, busy)];
const judge = (counts: readonly HourlyPours[], hoursReady = 100) =>
  judgeTapUsage(counts, { tapId: 1, beverageId: lager, hoursReady });

test('a busy tap without a pour in the last hour is reported while another pours as usual', () => {
  const tonight = [...week(0, 1, [0, 15]), ...week(0, 2, [15, 15])];
  expect(judge([...both, ...tonight])).toEqual({ state: 'bad', silentHours: 1 });
});

test('a slow tap is reported only after several hours', () => {
  const slow = [...earlier(1, [4, 4, 4, 4]), ...earlier(2, busy)];
  expect(judge([...slow, ...week(0, 1, [0, 0, 4]), ...week(0, 2, busy)]).state).toBe('between');
  expect(judge([...slow, ...week(0, 1, [0, 0, 0, 4]), ...week(0, 2, busy)]).state).toBe('bad');
});

test.each([
  ['it poured in the last hour', [...both, ...week(0, 1, [1]), ...week(0, 2, busy)], 'good'],
  ['no tap pours', [...both, ...week(0, 1, [0, 15]), ...week(0, 2, [0, 15])], 'between'],
  ['the evening is quiet', [...both, ...week(0, 1, [0, 15]), ...week(0, 2, [5])], 'between'],
  ['the beer is new', [...earlier(1, busy, 9), ...earlier(2, busy), ...week(0, 2, busy)], 'between'],
  [
    'it did not pour in two of the weeks',
    [...both.filter(({ tapId, week: of }) => tapId === 2 || of > 2), ...week(0, 2, busy)],
    'between',
  ],
  ['there is no other tap', earlier(1, busy), 'between'],
  ['there is no history', week(0, 2, busy), 'between'],
] as const)('no alarm when %s', (_, counts, state) => {
  expect(judge(counts).state).toBe(state);
});

test('hours before opening, or before the keg was put on tap, do not count', () => {
  const counts = [...both, ...week(0, 2, [4, 15, 15, 15])];
  expect(judge(counts, 3).state).toBe('bad');
  expect(judge(counts, 0.9).state).toBe('between');
});

test('compares the same local time on the same weekday, also across a change of the clocks', () => {
  const spans = comparedSpans(Date.UTC(2026, 3, 3, 20), 'Europe/Berlin');
  expect(spans.map(({ untilMs }) => new Date(untilMs).toISOString().slice(0, 13))).toEqual([
    '2026-04-03T20',
    '2026-03-27T21',
    '2026-03-20T21',
    '2026-03-13T21',
    '2026-03-06T21',
    '2026-02-27T21',
    '2026-02-20T21',
  ]);
});
