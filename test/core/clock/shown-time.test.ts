import { expect, test } from 'vitest';
import { shownTimes, shownTimeText } from '../../../src/core/clock/shown-time.ts';

test('shows what clocks of a zone show, also where the offset changes', () => {
  const toShownMs = shownTimes('Europe/Berlin');
  const show = (iso: string) => shownTimeText(toShownMs(Date.parse(iso)));
  expect(show('2026-03-29T00:59:59Z')).toBe('2026-03-29 01:59:59');
  expect(show('2026-03-29T01:00:00Z')).toBe('2026-03-29 03:00:00');
  expect(show('2026-03-29T00:59:59Z')).toBe('2026-03-29 01:59:59');
  expect(show('2026-10-25T00:59:59.900Z')).toBe('2026-10-25 02:59:59');
  expect(show('2026-10-25T01:00:00Z')).toBe('2026-10-25 02:00:00');
});

test('zones with odd offsets and times before 1970 are shown', () => {
  expect(shownTimeText(shownTimes('Asia/Kathmandu')(Date.UTC(2026, 4, 2, 17)))).toBe('2026-05-02 22:45:00');
  expect(shownTimeText(shownTimes('UTC')(-1_000))).toBe('1969-12-31 23:59:59');
});
