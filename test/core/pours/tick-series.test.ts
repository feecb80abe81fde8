import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  normalizeTickSeries,
  parseTickSeries,
  sumTicks,
  TickSeries,
} from '../../../src/core/pours/tick-series.ts';

test('a short pour is stored in tenths of a second, empty ones left out', () => {
  const series = new TickSeries();
  for (const offset of [0, 3, 99.9, 100, 450]) series.add(offset);
  expect(series.toString()).toBe('0:3 100:1 400:1');
});

test('a pour of exactly 256 tenths keeps them all', () => {
  const series = new TickSeries();
  for (let i = 0; i < 256; i++) series.add(i * 100);
  expect(parseTickSeries(series.toString())).toHaveLength(256);
});

test('the 257th pair doubles the bucket width', () => {
  const series = new TickSeries();
  for (let i = 0; i < 257; i++) series.add(i * 100);
  const pairs = parseTickSeries(series.toString())!;
  expect(pairs).toHaveLength(129);
  expect(pairs[1]).toEqual({ ms: 200, ticks: 2 });
  expect(pairs.at(-1)).toEqual({ ms: 25_600, ticks: 1 });
});

test('a pour of an hour fits', () => {
  const series = new TickSeries();
  for (let i = 0; i < 36_000; i++) series.add(i * 100);
  const pairs = parseTickSeries(series.toString())!;
  expect(pairs.length).toBeLessThanOrEqual(256);
  expect(sumTicks(pairs)).toBe(36_000);
});

test('a resumed pour keeps its merged buckets and continues counting', () => {
  const series = new TickSeries();
  series.addPairs([
    { ms: 0, ticks: 400 },
    { ms: 800, ticks: 300 },
  ]);
  series.add(1_650);
  expect(series.toString()).toBe('0:400 800:300 1600:1');
});

test('property: a series has at most 256 ascending pairs and sums to its ticks', () => {
  const gaps = fc.array(fc.double({ min: 0, max: 700, noNaN: true }), { maxLength: 2_000 });
  fc.assert(
    fc.property(gaps, (gaps) => {
      const series = new TickSeries();
      let offset = 0;
      for (const gap of gaps) {
        series.add(offset);
        offset += gap;
      }
      const pairs = parseTickSeries(series.toString()) ?? [];
      expect(sumTicks(pairs)).toBe(gaps.length);
      expect(pairs.length).toBeLessThanOrEqual(256);
      pairs.forEach((pair, i) => {
        if (i > 0) expect(pair.ms).toBeGreaterThan(pairs[i - 1]!.ms);
      });
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['0:3', [{ ms: 0, ticks: 3 }]],
  [
    ' 500:1  0:2 ',
    [
      { ms: 500, ticks: 1 },
      { ms: 0, ticks: 2 },
    ],
  ],
])('the series "%s" is parsed', (text, pairs) => {
  expect(parseTickSeries(text)).toEqual(pairs);
});

test.each([
  '',
  '   ',
  '5',
  '1:',
  ':1',
  '-1:2',
  '1:-2',
  '1.5:2',
  '1:2,3:4',
  '1:2:3',
  '1e3:4',
  '0:1\n2:3',
  '9999999999:1',
])('the series "%s" is malformed', (text) => {
  expect(parseTickSeries(text)).toBeNull();
  expect(normalizeTickSeries(text)).toBeNull();
});

test('a series longer than the maximum is not parsed', () => {
  expect(parseTickSeries('1:1 '.repeat(2_048))).toHaveLength(2_048);
  expect(parseTickSeries('1:1 '.repeat(2_049))).toBeNull();
});

test('property: parsing any text never throws', () => {
  const nearly = fc.string({ unit: fc.constantFrom('0', '9', ':', ' ', '-', '.', 'e', '\t') });
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      for (const pair of parseTickSeries(text) ?? []) {
        expect(pair.ms).toBeGreaterThanOrEqual(0);
        expect(Number.isInteger(pair.ticks)).toBe(true);
      }
    }),
  );
});

test('property: a received series is sorted and bounded without losing a tick', () => {
  const pair = fc.record({ ms: fc.nat({ max: 999_999 }), ticks: fc.nat({ max: 9_999 }) });
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 600 }), (pairs) => {
      const tidied = parseTickSeries(
        normalizeTickSeries(pairs.map(({ ms, ticks }) => `${ms}:${ticks}`).join(' '))!,
      )!;
      expect(sumTicks(tidied)).toBe(sumTicks(pairs));
      expect(tidied.length).toBeLessThanOrEqual(256);
      expect(tidied).toEqual(tidied.toSorted((a, b) => a.ms - b.ms));
    }),
  );
});
