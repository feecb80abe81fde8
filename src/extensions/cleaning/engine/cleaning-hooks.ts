import type { Moment } from '../../../core/clock/moment.ts';
import { createProblem } from '../../../core/health/problems.ts';
import type { LineCleaning } from '../../../core/taps/line-cleaning.ts';
import type { ClosedTapState } from '../../../core/taps/tap-state.ts';
import type { EngineHooks } from '../../../engine/extension.ts';
import type { SetAside, TapFlow } from '../../../engine/shared/recording-hooks.ts';
import { cleaningReason } from '../store/cleaning-store.ts';
import { bookLostBeer } from './cleaning-beer.ts';
import { detectDueCleanings, detectUnfinishedCleanings } from './cleaning-conditions.ts';
import { expireCleaning } from './cleaning-mode.ts';
import type { CleaningPlanView } from './cleaning-plans.ts';
import { findCleaning, mayHoldCleaner, runningCleaning } from './find-cleaning.ts';
import type { CleaningEngineParts } from './parts.ts';
import type { CleaningEngine } from './services.ts';

/** What the base asks: which pours are of a cleaning, and which taps are closed. */
export function createCleaningHooks(
  { store }: Pick<CleaningEngineParts, 'store'>,
  { cleanings, cleaningSuggestions }: CleaningEngine,
): EngineHooks {
  const blocked = store.cachedUntilChange(() => new Map<number, boolean>());
  const isBlocked = (tapId: number): boolean => {
    const known = blocked();
    const found = known.get(tapId) ?? mayHoldCleaner(store, tapId);
    known.set(tapId, found);
    return found;
  };

  const closedState = (tapId: number): ClosedTapState | null => {
    if (runningCleaning(store, tapId) !== null) return 'cleaning';
    return isBlocked(tapId) ? 'blocked' : null;
  };

  return {
    judgePour({ tapId, ...flow }: TapFlow): SetAside | null {
      const cleaning = findCleaning(store, tapId, flow);
      if (cleaning === null) return null;
      return {
        reason: cleaningReason,
        recorded(drinkId, now) {
          store.cleaningPours.add(drinkId, cleaning.id);
          bookLostBeer(store, cleaning.id, now);
        },
      };
    },

    closedState,

    tapRemoved(tapId: number, now: Moment): void {
      const cleaning = runningCleaning(store, tapId);
      if (cleaning !== null) expireCleaning(store, cleaning.id, now);
    },

    lineCleanings(now: Moment): ReadonlyMap<number, LineCleaning> {
      const due = findDue(now.synced ? cleanings.plans(now) : []);
      return new Map(
        store.taps.all().map(({ id }) => [
          id,
          {
            running: cleanings.findRunning(id),
            daysSince: now.synced ? cleanings.daysSinceCleaning(id, now) : null,
            due: due.get(id) ?? null,
          },
        ]),
      );
    },

    cleaningQuestions: cleaningSuggestions.count,

    alarmConditions: (now: Moment) => [
      ...detectDueCleanings(store, cleanings.plans(now), now),
      ...detectUnfinishedCleanings(cleanings.unfinished()),
    ],

    whyInUse() {
      const open = [...cleanings.running(), ...cleanings.unfinished()][0];
      const tap = open?.tapName ?? store.taps.all().find(({ id }) => closedState(id) !== null)?.name;
      return tap === undefined ? null : createProblem('line_not_clean', { tap });
    },
  };
}

/** The most urgent state of each tap's plans. */
function findDue(plans: readonly CleaningPlanView[]): ReadonlyMap<number, LineCleaning['due']> {
  const due = new Map<number, NonNullable<LineCleaning['due']>>();
  const order = ['soon', 'due', 'overdue'] as const;
  for (const { tapId, state } of plans) {
    if (state === 'done') continue;
    const known = due.get(tapId);
    if (known === undefined || order.indexOf(state) > order.indexOf(known)) due.set(tapId, state);
  }
  return due;
}
