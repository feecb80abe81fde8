import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWallTrusted, provisionalWallMs, wallAt } from '../../../src/core/clock/clock-rules.ts';

const inMay2026 = Date.UTC(2026, 4, 1);
const buildYear = 2026;

test('trusts a clock set by a time server', () => {
  expect(isWallTrusted({ flagFile: 'present', wallMs: inMay2026, buildYear })).toBe(true);
});

test('does not trust a clock that no server has set, however plausible it looks', () => {
  expect(isWallTrusted({ flagFile: 'absent', wallMs: inMay2026, buildYear })).toBe(false);
});

test('without a flag file the year decides', () => {
  expect(isWallTrusted({ flagFile: 'unsupported', wallMs: inMay2026, buildYear })).toBe(true);
  expect(isWallTrusted({ flagFile: 'unsupported', wallMs: 0, buildYear })).toBe(false);
});

test('a year before the build year is wrong, whatever the flag says', () => {
  const newYear = Date.UTC(2026, 0, 1);
  expect(isWallTrusted({ flagFile: 'present', wallMs: newYear - 1, buildYear })).toBe(false);
  expect(isWallTrusted({ flagFile: 'present', wallMs: newYear, buildYear })).toBe(true);
});

test('a provisional time never starts before the newest drink', () => {
  expect(provisionalWallMs(0, inMay2026)).toBe(inMay2026);
  expect(provisionalWallMs(inMay2026 + 1, inMay2026)).toBe(inMay2026 + 1);
  expect(provisionalWallMs(1_000, null)).toBe(1_000);
});

test('a pour before the clock was set gets its true time afterwards', () => {
  // Set 90 s after boot at 20:00:00; the pour ended 30 s after boot, so at 19:59:00.
  const set = { monoMs: 90_000, wallMs: Date.UTC(2026, 4, 1, 20) };
  expect(wallAt(set, 30_000)).toBe(Date.UTC(2026, 4, 1, 19, 59));
});

test('property: provisional time advances and never decreases', () => {
  const ms = fc.integer({ min: 0, max: 1e13 });
  fc.assert(
    fc.property(ms, fc.option(ms), fc.nat(), fc.nat(), (rawWallMs, newest, startMs, laterMs) => {
      const anchor = { monoMs: startMs, wallMs: provisionalWallMs(rawWallMs, newest) };
      expect(wallAt(anchor, startMs)).toBe(anchor.wallMs);
      expect(wallAt(anchor, startMs + laterMs)).toBe(anchor.wallMs + laterMs);
      if (newest !== null) expect(anchor.wallMs).toBeGreaterThanOrEqual(newest);
    }),
  );
});
