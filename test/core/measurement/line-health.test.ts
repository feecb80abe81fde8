import { expect, test } from 'vitest';
import { type EveningFlow, toEveningFlow } from '../../../src/core/measurement/evening-flow.ts';
import { judgeLines } from '../../../src/core/measurement/line-health.ts';

const dateOf = (evening: number) => new Date(Date.UTC(2026, 0, 1 + evening)).toISOString().slice(0, 10);
const ordinary = {
  pours: 20,
  rateMlPerS: 60,
  riseMs: 80,
  dipsPerMin: 0,
  foamyShare: 0,
  tempC: 5,
  kegLeft: 0.6,
};

/** Ticks per millilitre. */
const factor = 2;

/** Ten ordinary evenings and then these. */
const tapWith = (last: readonly Partial<EveningFlow>[], tapId = 1) => ({
  tapId,
  evenings: [...Array.from({ length: 10 }, (): Partial<EveningFlow> => ({})), ...last].map((evening, i) => ({
    ...ordinary,
    date: dateOf(i),
    ticksPerS: factor * (evening.rateMlPerS ?? ordinary.rateMlPerS),
    ...evening,
  })),
});
const kindsAt = (...taps: readonly (readonly Partial<EveningFlow>[])[]) =>
  judgeLines(taps.map((last, i) => tapWith(last, i + 1))).map(({ findings }) =>
    findings.map(({ kind }) => kind),
  );
const twice = (evening: Partial<EveningFlow>) => [evening, evening];

test('two evenings at 70 % of the usual flow are a blocked line, since the first of them', () => {
  const [health] = judgeLines([tapWith(twice({ rateMlPerS: 42 }))]);
  expect(health!.findings).toEqual([{ kind: 'blocked_line', sinceDate: dateOf(10) }]);
  expect(health!.usual).toMatchObject({ evenings: 10, rateMlPerS: 60, riseMs: 80, tempC: 5 });
});

test('one evening is not enough, and one good evening ends what was found', () => {
  expect(kindsAt([{ rateMlPerS: 42 }])).toEqual([[]]);
  expect(kindsAt([...twice({ rateMlPerS: 42 }), {}])).toEqual([[]]);
});

test('a calibrated meter counts fewer millilitres, a replaced one fewer ticks: neither is a low flow, both together are', () => {
  expect(kindsAt(twice({ rateMlPerS: 42, ticksPerS: 120 }))).toEqual([[]]);
  expect(kindsAt(twice({ rateMlPerS: 60, ticksPerS: 84 }))).toEqual([[]]);
  expect(kindsAt(twice({ rateMlPerS: 42, ticksPerS: 84 }))).toEqual([['blocked_line']]);
  // Nor does calibration explain the low pressure or the warm beer of others.
  const low = twice({ rateMlPerS: 42, ticksPerS: 84 });
  expect(kindsAt(low, twice({ rateMlPerS: 42, ticksPerS: 120 }))).toEqual([['blocked_line'], []]);
  expect(kindsAt(twice({ tempC: 8, rateMlPerS: 50, ticksPerS: 120 }))).toEqual([[]]);
});

test('the ticks of nearly empty kegs are compared as their millilitres are', () => {
  const empty = { rateMlPerS: 42, ticksPerS: 84, kegLeft: 0.2 };
  const evenings = Array.from({ length: 3 }, () => empty);
  expect(kindsAt([...evenings, ...twice({ ...empty, rateMlPerS: 30, ticksPerS: 84 })])).toEqual([[]]);
});

test('80 % of the usual flow is ordinary', () => {
  expect(kindsAt(twice({ rateMlPerS: 48 }))).toEqual([[]]);
});

test('a line is compared with its own first evenings: before five nothing is found', () => {
  const evenings = [60, 60, 60, 60, 30, 30].map((rateMlPerS, i) => ({
    ...ordinary,
    date: dateOf(i),
    rateMlPerS,
    ticksPerS: factor * rateMlPerS,
  }));
  expect(judgeLines([{ tapId: 1, evenings }])[0]).toMatchObject({ findings: [] });
});

test('a blocked line does not become usual within four weeks of evenings', () => {
  expect(kindsAt(Array.from({ length: 28 }, () => ({ rateMlPerS: 42 })))).toEqual([['blocked_line']]);
});

test('slow flow at all taps on the same evenings is low pressure, at one of them a blocked line', () => {
  const slow = twice({ rateMlPerS: 42 });
  expect(kindsAt(slow, slow, slow)).toEqual([['low_pressure'], ['low_pressure'], ['low_pressure']]);
  expect(kindsAt(slow, twice({}))).toEqual([['blocked_line'], []]);
  // The other tap fell by less: the gas all the same.
  expect(kindsAt(slow, twice({ rateMlPerS: 48 }))).toEqual([['low_pressure'], []]);
});

test('a keg that is nearly empty may flow at two thirds where nobody knows how such kegs flow', () => {
  expect(kindsAt(twice({ rateMlPerS: 40, kegLeft: 0.2 }))).toEqual([[]]);
  expect(kindsAt(twice({ rateMlPerS: 34, kegLeft: 0.2 }))).toEqual([['blocked_line']]);
});

test('how nearly empty kegs flow is learned from three evenings', () => {
  const empty = { rateMlPerS: 42, kegLeft: 0.2 };
  const evenings = [...Array.from({ length: 3 }, () => empty), ...twice({ ...empty, rateMlPerS: 36 })];
  const [health] = judgeLines([tapWith(evenings)]);
  expect(health!.usual!.nearlyEmptyRatio).toBeCloseTo(0.7);
  expect(health!.findings).toEqual([]);
  expect(
    kindsAt([...Array.from({ length: 3 }, () => empty), ...twice({ ...empty, rateMlPerS: 30 })]),
  ).toEqual([['blocked_line']]);
});

test('beer 3 °C warmer with a tenth less flow, or with foam, is warm; 2 °C or warmth alone is ordinary', () => {
  expect(kindsAt(twice({ tempC: 8, rateMlPerS: 54 }))).toEqual([['warm_beer']]);
  expect(kindsAt(twice({ tempC: 8, foamyShare: 0.4 }))).toEqual([['warm_beer']]);
  expect(kindsAt(twice({ tempC: 7, rateMlPerS: 54, foamyShare: 0.4 }))).toEqual([[]]);
  expect(kindsAt(twice({ tempC: 9 }))).toEqual([[]]);
  // Foam that this tap always makes.
  const foamy = Array.from({ length: 10 }, () => ({ foamyShare: 0.4 }));
  expect(kindsAt([...foamy, ...twice({ tempC: 8, foamyShare: 0.4 })])).toEqual([[]]);
});

test('warm beer explains a low flow', () => {
  expect(kindsAt(twice({ tempC: 10, rateMlPerS: 40 }))).toEqual([['warm_beer']]);
});

test('a flow that begins 200 ms later and takes twice as long is a slow valve', () => {
  expect(kindsAt(twice({ riseMs: 280 }))).toEqual([['slow_valve']]);
  expect(kindsAt(twice({ riseMs: 270 }))).toEqual([[]]);
  expect(kindsAt(twice({ riseMs: null }))).toEqual([[]]);
});

test('six stops of the wheel per minute of flow are a sticking meter', () => {
  expect(kindsAt(twice({ dipsPerMin: 6 }))).toEqual([['sticking_meter']]);
  expect(kindsAt(twice({ dipsPerMin: 5 }))).toEqual([[]]);
});

test('the change of the flow per degree is learned from evenings a degree apart', () => {
  const evenings = [3, 4, 5, 6, 7, 8, 3].map((tempC) => ({
    tempC,
    rateMlPerS: 60 * (1 + 0.01 * (tempC - 5)),
  }));
  expect(judgeLines([tapWith(evenings)])[0]!.usual!.ratePerDegree).toBeCloseTo(0.01);
  expect(judgeLines([tapWith([])])[0]!.usual!.ratePerDegree).toBeNull();
});

test('an evening needs five clean pours; the fastest tenth of them shows the line', () => {
  const pour = (ticksPerS: number) => ({
    flow: { ticksPerS, riseMs: 100, dips: { count: 1, ms: 6_000 } },
    ticksPerMl: 2,
  });
  const foamy = { flow: null, ticksPerMl: 2 };
  const line = { tempC: 5, kegLeft: 0.5 };
  expect(
    toEveningFlow(
      dateOf(0),
      [1, 2, 3, 4].map(() => pour(120)),
      line,
    ),
  ).toBeNull();
  expect(toEveningFlow(dateOf(0), [...[60, 60, 70, 120, 60].map(pour), foamy], line)).toEqual({
    date: dateOf(0),
    pours: 5,
    rateMlPerS: 60,
    ticksPerS: 120,
    riseMs: 100,
    dipsPerMin: 10,
    foamyShare: 1 - 5 / 6,
    ...line,
  });
});
