import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewEvidence } from '../../../src/store/taps/meter-evidence-table.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, openEmptyBar } from '../bar.ts';

const day = 24 * hour;

/** Evidence of a meter with a factor near 1, at different times. */
const evidence = fc.uniqueArray(
  fc.record({
    day: fc.integer({ min: 1, max: 300 }),
    kind: fc.constantFrom('pours', 'emptied_keg'),
    // Now and then a wrong one.
    offset: fc.oneof(
      { weight: 8, arbitrary: fc.double({ min: -0.02, max: 0.02, noNaN: true }) },
      { weight: 1, arbitrary: fc.constant(-0.2) },
    ),
    u: fc.double({ min: 0.002, max: 0.02, noNaN: true }),
    group: fc.constantFrom('7/1', '7/2', '8/1'),
  }),
  { minLength: 1, maxLength: 12, selector: (one) => one.day },
);

type Drawn = typeof evidence extends fc.Arbitrary<infer T> ? T : never;

/** A bar whose left meter has this evidence, stored in this order. */
function openBarWith(drawn: Drawn) {
  const bar = openEmptyBar();
  const { store } = bar;
  store.transaction(() =>
    drawn.forEach(({ day: n, kind, offset, u, group }) => {
      const isKeg = kind === 'emptied_keg';
      const one: NewEvidence = {
        meterId: 1,
        kind: isKeg ? 'emptied_keg' : 'pours',
        ticks: Math.round(50_000 * (1 + offset)),
        volumeMl: 50_000,
        u,
        fillGroup: isKeg ? group : null,
        timeMs: at(n * day).wallMs,
        kegId: null,
        // Each needs an origin; only its being unique matters.
        calibrationId: n,
        isFit: true,
      };
      store.taps.meterEvidence.add(one);
    }),
  );
  return bar;
}

/** What is known of the meter, without the ids of the evidence. */
function knowledge({ engine }: ReturnType<typeof openEmptyBar>) {
  const { learned, drift, evidence } = engine.drinks.meterLearning.get(1, at(301 * day));
  const ordered = evidence.toSorted((a, b) => a.timeMs - b.timeMs);
  return { learned, drift, evidence: ordered.map(({ id: _, ...one }) => one) };
}

test('the order in which evidence is stored does not matter, only its times', () => {
  fc.assert(
    fc.property(
      evidence.chain((drawn) =>
        fc.tuple(
          fc.constant(drawn),
          fc.shuffledSubarray(drawn, { minLength: drawn.length, maxLength: drawn.length }),
        ),
      ),
      ([drawn, shuffled]) => {
        const [one, other] = [openBarWith(drawn), openBarWith(shuffled)];
        expect(knowledge(other)).toEqual(knowledge(one));
        one.store.close();
        other.store.close();
      },
    ),
    { numRuns: propertyRuns(30) },
  );
});

test('leaving evidence out and using it again changes nothing; without it, the rest is as if it had never been', () => {
  fc.assert(
    fc.property(evidence, fc.nat(), (drawn, pick) => {
      const bar = openBarWith(drawn);
      const before = knowledge(bar);
      const { id, timeMs } = bar.store.taps.meterEvidence.newest(1, 100)[pick % drawn.length]!;
      bar.engine.drinks.meterLearning.setDiscarded(1, id, { isDiscarded: true }, at(301 * day));
      const without = openBarWith(drawn.filter((one) => at(one.day * day).wallMs !== timeMs));
      expect(knowledge(bar).learned).toEqual(knowledge(without).learned);
      bar.engine.drinks.meterLearning.setDiscarded(1, id, { isDiscarded: false }, at(301 * day));
      expect(knowledge(bar)).toEqual(before);
      bar.store.close();
      without.store.close();
    }),
    { numRuns: propertyRuns(30) },
  );
});
