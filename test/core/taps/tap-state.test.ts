import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isTapClosed,
  restingTapState,
  type TapFacts,
  tapState,
  tapStateForGuests,
  tapStates,
} from '../../../src/core/taps/tap-state.ts';

const facts = fc.record<TapFacts>({
  closed: fc.constantFrom(null, 'cleaning' as const, 'blocked' as const),
  hasKeg: fc.boolean(),
  hasMeter: fc.boolean(),
  hasHeldPour: fc.boolean(),
});

test('property: the state is the first of the list that applies', () => {
  fc.assert(
    fc.property(facts, fc.boolean(), (given, isPouring) => {
      const applies = {
        cleaning: given.closed === 'cleaning',
        blocked: given.closed === 'blocked',
        pouring: isPouring,
        empty: !given.hasKeg,
        no_meter: !given.hasMeter,
        held: given.hasHeldPour,
        serving: true,
      };
      const state = tapState(restingTapState(given), isPouring);
      expect(state).toBe(tapStates.find((one) => applies[one]));
      expect(isTapClosed(state)).toBe(given.closed !== null);
      expect(tapStateForGuests(state)).toBe(state === 'held' ? 'serving' : state);
    }),
  );
});
