import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { cleaningPresets } from '../../../../src/extensions/cleaning/core/cleaning-presets.ts';
import { cleaningKinds } from '../../../../src/extensions/cleaning/core/cleaning-terms.ts';
import { at, hour } from '../../../engine/bar.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

const by = (afterMs: number) => ({ actor: systemActor, now: at(afterMs) });

const tapId = fc.constantFrom(1, 2);
const kind = fc.constantFrom(...cleaningKinds);
const change = fc.oneof(
  fc.record({
    what: fc.constant('set' as const),
    tapId,
    kind,
    intervalDays: fc.integer({ min: 1, max: 30 }),
  }),
  fc.record({
    what: fc.constant('preset' as const),
    preset: fc.constantFrom(...cleaningPresets.map(({ name }) => name)),
    tapIds: fc.constantFrom([1], [2], [1, 2]),
  }),
  fc.record({ what: fc.constant('remove' as const), tapId, kind }),
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply({ engine }: ReturnType<typeof openCleaningBar>, one: Change, n: number): number | null {
  const { cleanings } = engine;
  switch (one.what) {
    case 'set':
      return cleanings.setPlan(one, by(n * hour));
    case 'preset':
      return cleanings.applyPreset(one, by(n * hour));
    case 'remove':
      try {
        return cleanings.removePlan(one.tapId, one.kind, by(n * hour));
      } catch (fault) {
        expect(fault).toBeInstanceOf(AppError);
        return null;
      }
  }
}

test('changes of plans that are undone in reverse leave the plans as they were, and each is one entry of the audit log', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const bar = openCleaningBar();
      const plans = () => bar.engine.cleanings.plans(at(100 * hour));
      const states = [plans()];
      const ids: number[] = [];
      for (const [n, one] of changes.entries()) {
        const id = apply(bar, one, n);
        if (id === null) expect(plans()).toEqual(states.at(-1));
        else {
          ids.push(id);
          states.push(plans());
        }
      }
      const logged = bar.engine.audit.list({ limit: 100 }).items;
      expect(logged.filter(({ action }) => action.startsWith('cleaning_plan.'))).toHaveLength(ids.length);
      for (const id of ids.toReversed()) {
        states.pop();
        bar.engine.corrections.undo(id, { actor: systemActor }, at(50 * hour));
        expect(plans()).toEqual(states.at(-1));
      }
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('a plan that was changed again is not undone', () => {
  const { engine } = openCleaningBar();
  const set = (intervalDays: number) =>
    engine.cleanings.setPlan({ tapId: 1, kind: 'caustic', intervalDays }, by(0))!;
  const first = set(7);
  const second = set(14);
  const undo = (id: number) => engine.corrections.undo(id, { actor: systemActor }, at(hour));
  expect(() => undo(first)).toThrow(expect.objectContaining({ code: 'conflict' }));
  undo(second);
  undo(first);
  expect(engine.cleanings.plans(at(hour))).toEqual([]);
});
