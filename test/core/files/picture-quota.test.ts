import { expect, test } from 'vitest';
import { quotaPeriodMs, quotaWaitMs } from '../../../src/core/files/picture-quota.ts';

const quota = { pictures: 3, bytes: 1_000 };
const nowMs = 10 * quotaPeriodMs;
/** Uploads so long ago, with so many bytes. */
const uploads = (...list: readonly (readonly [agoMs: number, bytes: number])[]) =>
  list.map(([agoMs, bytes]) => ({ timeMs: nowMs - agoMs, bytes }));

test('an upload within the quota does not wait', () => {
  expect(quotaWaitMs([], quota, { bytes: 1_000, nowMs })).toBe(0);
  expect(quotaWaitMs(uploads([9_000, 400], [5_000, 400]), quota, { bytes: 200, nowMs })).toBe(0);
});

test('one picture too many waits until the oldest upload is a day old', () => {
  const used = uploads([9_000, 1], [5_000, 1], [1_000, 1]);
  expect(quotaWaitMs(used, quota, { bytes: 1, nowMs })).toBe(quotaPeriodMs - 9_000);
});

test('too many bytes wait until enough of the oldest uploads are a day old', () => {
  const used = uploads([9_000, 300], [5_000, 600]);
  expect(quotaWaitMs(used, quota, { bytes: 101, nowMs })).toBe(quotaPeriodMs - 9_000);
  expect(quotaWaitMs(used, quota, { bytes: 500, nowMs })).toBe(quotaPeriodMs - 5_000);
});
