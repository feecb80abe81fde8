import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemActor } from '../../src/engine/engine.ts';
import { at, hour, minute, openEmptyBar, openingMs, pour } from '../engine/bar.ts';
import { allExtensions } from '../kit/extensions.ts';
import { propertyRuns } from '../kit/slow.ts';
import { openTwinBars, type TwinBar } from '../kit/twin-bars.ts';

type Moment = ReturnType<typeof at>;

const row = fc.integer({ min: 1, max: 6 });

/** What works on kept data whatever is on. */
const act = fc.oneof(
  fc.record({ do: fc.constant('undo' as const), id: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ do: fc.constant('undo drink' as const), row }),
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('set clock' as const) }),
  fc.record({ do: fc.constant('end keg' as const) }),
  fc.record({ do: fc.constant('spill' as const), ml: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ do: fc.constant('erase' as const) }),
  fc.record({ do: fc.constant('remove tap' as const) }),
);

const names = allExtensions.all.map(({ name }) => name);
const step = fc.record({ act, off: fc.subarray(names) });

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const actor = systemActor;

function doIt({ engine, left, right, keg }: TwinBar, one: Act, now: Moment): unknown {
  switch (one.do) {
    case 'undo':
      return engine.corrections.undo(one.id, { actor }, now);
    case 'undo drink':
      return engine.drinks.undo(one.row, { actor }, now)?.drink.isValid;
    case 'cancel':
      return void engine.drinks.cancel(one.row, { spilled: one.spilled, actor }, now);
    case 'set clock':
      return engine.drinks.clockCorrection.correct(now);
    case 'end keg':
      return engine.kegs.endOnTap(left.id, now, actor).state;
    case 'spill':
      return engine.kegs.spill(keg.id, one.ml, now, actor).spilledVolumeMl;
    case 'erase':
      engine.users.personalData.erase('anna', actor, now);
      return engine.users.personalData.continueErasure();
    case 'remove tap':
      return void engine.taps.remove(right.id, { actor, now });
  }
}

test('property: what works on kept data leaves the same rows whatever features are off meanwhile', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const twins = openTwinBars(allExtensions);
      try {
        // Ten days late until the clock is set.
        let isSet = false;
        const moment = (ms: number): Moment =>
          isSet ? at(ms) : at(ms, { synced: false, wallMs: openingMs + ms - 240 * hour });
        twins.both(({ engine }) => {
          engine.users.addUser({ username: 'root', isSuperuser: true, isStaff: true }, moment(0));
          engine.users.addUser({ username: 'anna' }, moment(0));
        });
        for (let i = 1; i <= 5; i++) {
          const doubts = i === 3 ? (['electrical_noise'] as const) : [];
          const flow = pour(moment(i * minute), { pourId: `twin-${i}`, ticks: 100 * i, doubts: [...doubts] });
          twins.both(({ engine }) => engine.drinks.pours.record(flow, 'pin', moment(i * minute)).volumeMl);
        }
        for (const [i, one] of steps.entries()) {
          isSet ||= one.act.do === 'set clock';
          const now = moment((10 + i) * minute);
          twins.both((bar) => doIt(bar, one.act, now), one.off);
        }
        twins.expectSame();
      } finally {
        twins.close();
      }
    }),
    { numRuns: propertyRuns(60) },
  );
}, 120_000);

test('what extensions declare of kept data agrees: reasons to set pours aside, and names of kinds that can be stored', async () => {
  const { store } = openEmptyBar(':memory:', {}, allExtensions);
  for (const extension of allExtensions.all) {
    const { setAsidePours, undoKinds } = await extension.loadKeptData();
    expect(setAsidePours.map((create) => create(store).reason)).toEqual(extension.heldReasons ?? []);
    expect(undoKinds.filter(({ name }) => name.length > 32)).toEqual([]);
  }
});
