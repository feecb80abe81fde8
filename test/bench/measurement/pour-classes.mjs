// The classes of pours for which the ± is tested. Each `create` returns a flow, and what was found in it.
import { findUnevenTicks } from '../../../dist/core/measurement/fresh-foam.js';
import { parseTickSeries } from '../../../dist/core/pours/tick-series.js';
import { toPour } from './intervals.mjs';
import { judge } from './judge.mjs';

const glass = (ml) => ({
  create: ({ flowMlPerS, pour }, random) =>
    beer(pour({ steps: stepsOf([{ ml: ml(random), mlPerS: flowMlPerS }], random) })),
});

const beer = (flow) => ({ flow });

/** The steps of a handle for so many volumes one after the other, with pauses between them. */
function stepsOf(parts, random, valve = 1) {
  let atMs = 0;
  return parts.flatMap(({ ml, mlPerS }) => {
    const openMs = (ml / (mlPerS * valve)) * 1_000;
    const steps = [
      { atMs, valve },
      { atMs: atMs + openMs, valve: 0 },
    ];
    atMs += openMs + random.between(700, 3_500);
    return steps;
  });
}

/** Coarser meters hardly show the foam of a fresh keg. */
const coarse = 0.9;

/** A wheel that stands starts at this multiple of the flow at which it stops; slower flow is not seen at all. */
const turnsAt =
  (mlPerS) =>
  ({ meter }) =>
    1.2 * meter.stallMlPerS < 0.8 * mlPerS;
const nitroMlPerS = 10;
const throttled = { least: 0.35, most: 0.55 };

export const pourClasses = {
  'taster, 30 mL': glass(() => 30),
  '100 mL': glass(() => 100),
  pint: glass((random) => random.between(470, 570)),
  pitcher: glass((random) => random.between(1_200, 1_600)),
  'stop and go, three starts': {
    create: ({ flowMlPerS, pour }, random) =>
      beer(
        pour({
          steps: stepsOf(
            [150, 150, 150].map((ml) => ({ ml: ml * random.between(0.5, 1.5), mlPerS: flowMlPerS })),
            random,
          ),
        }),
      ),
  },
  'topping up': {
    create: ({ flowMlPerS, pour }, random) =>
      beer(
        pour({
          steps: stepsOf(
            [random.between(300, 450), 25, 25, 25].map((ml) => ({ ml, mlPerS: flowMlPerS })),
            random,
          ),
        }),
      ),
  },
  'throttled to 35–55 %': {
    fits: (tap) => turnsAt(throttled.least * tap.flowMlPerS)(tap),
    create: ({ flowMlPerS, pour }, random) =>
      beer(
        pour({
          steps: stepsOf(
            [{ ml: random.between(200, 500), mlPerS: flowMlPerS }],
            random,
            random.between(throttled.least, throttled.most),
          ),
        }),
      ),
  },
  'nitro, 10 mL/s': {
    fits: turnsAt(nitroMlPerS),
    create: ({ pour }, random) =>
      beer(
        pour({
          flowMlPerS: nitroMlPerS * random.between(0.9, 1.1),
          steps: stepsOf([{ ml: random.between(150, 300), mlPerS: nitroMlPerS }], random),
        }),
      ),
  },
  'first of a keg, foam found': {
    fits: ({ ticksPerMl }) => ticksPerMl >= coarse,
    create({ pour, openRate }, random) {
      const freshKeg = {
        gasMl: random.next() < 0.5 ? 0 : random.between(50, 300),
        gasRatio: random.between(1.5, 4),
        foamMl: random.between(100, 500),
        beerShare: random.between(0, 0.5),
        unevenness: 0.25,
      };
      const flow = pour({
        freshKeg,
        steps: [
          { atMs: 0, valve: 1 },
          { atMs: random.between(8_000, 18_000), valve: 0 },
        ],
      });
      const foamTicks = findUnevenTicks(parseTickSeries(toPour(flow).series), openRate);
      return foamTicks > 0 ? { flow, found: { foamTicks } } : null;
    },
  },
  'last of a keg': {
    create(tap, random) {
      const { flowMlPerS, pour } = tap;
      const keg = {
        volumeMl: flowMlPerS * random.between(1.5, 6),
        gasRatio: random.between(2, 4),
        foamMs: random.between(200, 2_000),
        hasFob: false,
      };
      const flow = pour({
        keg,
        steps: [
          { atMs: 0, valve: 1 },
          { atMs: (keg.volumeMl / flowMlPerS) * 1_000 + keg.foamMs + random.between(1_000, 3_000), valve: 0 },
        ],
      });
      const { outcome, gasTicks } = judge({ tap, flows: [flow] });
      return outcome === 'gas' ? { flow, found: { gasTicks } } : null;
    },
  },
};
