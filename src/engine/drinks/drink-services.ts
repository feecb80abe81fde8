import type { ClockFollower } from '../shared/clock-follower.ts';
import type { EngineParts } from '../shared/parts.ts';
import { createClockCorrection } from './clock-correction.ts';
import { createAssignments } from './corrections/assign.ts';
import { createDrinks } from './drinks.ts';
import { createEmptyKegs } from './empty-kegs.ts';
import { createEvents } from './events.ts';
import { createMeterLearning } from './meter-learning.ts';
import { createPours } from './pours.ts';
import { createSpilledLosses } from './spilled-losses.ts';
import { createTokenHistory } from './token-history.ts';
import { createUncertainties } from './uncertainties.ts';

/** Services of other subjects, and what else follows when a wrong clock is corrected. */
interface Given {
  readonly registration: Parameters<typeof createAssignments>[1]['registration'];
  readonly tokens: Parameters<typeof createAssignments>[1]['tokens'];
  readonly kegs: Parameters<typeof createEmptyKegs>[1];
  readonly clockFollowers: readonly ClockFollower[];
}

/** What was poured, its corrections, and what it tells of meters and kegs. */
export const createDrinkServices = (
  parts: EngineParts,
  { registration, tokens, kegs, clockFollowers }: Given,
) => ({
  ...createDrinks(parts),
  pours: createPours(parts),
  assignments: createAssignments(parts, { registration, tokens }),
  events: createEvents(parts),
  tokenHistory: createTokenHistory(parts),
  emptyKegs: createEmptyKegs(parts, kegs),
  spilledLosses: createSpilledLosses(parts),
  meterLearning: createMeterLearning(parts),
  uncertainties: createUncertainties(parts.store),
  clockCorrection: createClockCorrection(parts, clockFollowers),
});
