import type { Moment } from '../../../core/clock/moment.ts';
import { parseOpeningHours } from '../../../core/clock/opening-hours.ts';
import { openingSpanAt } from '../../../core/clock/opening-span.ts';
import { requireDrink } from '../../../engine/drinks/corrections/corrected-drink.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../engine/shared/audit.ts';
import { validateNumber } from '../../../engine/shared/bounds.ts';
import { change } from '../../../engine/shared/parts.ts';
import { groupPours, looksLikeCleaning, type PatternPour } from '../core/cleaning-pattern.ts';
import { cleaningBounds } from '../core/cleaning-terms.ts';
import { cancelAsDrinks, keepPours, type MarkedCleaning, markCleaning } from './mark-cleaning.ts';
import type { CleaningEngineParts } from './parts.ts';

/** Who remembers an older cleaning? Milliseconds. */
const suggestedMs = 14 * 86_400_000;

/** How long the number of suggestions is kept, milliseconds. */
const countLifeMs = 10 * 60_000;

/** Pours that look like one cleaning. */
export interface CleaningSuggestion {
  readonly tapId: number;
  readonly tapName: string;
  readonly drinkIds: readonly number[];
  readonly startedMs: number;
  readonly endedMs: number;
  readonly volumeMl: number;
  /** Mean rate of the fastest pour. */
  readonly mlPerS: number | null;
}

/** Asks staff whether pours were a cleaning, and books their answer. */
export function createCleaningSuggestions(parts: CleaningEngineParts) {
  const { store } = parts;
  const candidates = store.cachedUntilWrite(() => new Map<number, readonly PatternPour[]>());

  /** A pour is a candidate hardly ever: the page's state is made after each pour and must not read two weeks of them. */
  const counted = store.cachedUntilChange(() => new Map<number, number>());

  const suggestions = (now: Moment): readonly CleaningSuggestion[] => {
    const { openingHours, timeZone } = store.site.read();
    const hours = parseOpeningHours(openingHours);
    // To the hour, so that it is read once until something is written.
    const sinceMs = Math.max(0, Math.floor((now.wallMs - suggestedMs) / 3_600_000) * 3_600_000);
    const read = candidates().get(sinceMs) ?? store.cleaningPours.candidates(sinceMs);
    candidates().set(sinceMs, read);
    const found = read.filter((pour) => {
      const startMs = pour.timeMs - pour.durationMs;
      const span = openingSpanAt(startMs, hours, timeZone);
      return looksLikeCleaning(pour, span === null ? null : startMs >= span.opensMs);
    });
    return groupPours(found)
      .map((pours) => toSuggestion(store.taps.anyName(pours[0]!.tapId) ?? '', pours))
      .sort((one, other) => other.startedMs - one.startedMs);
  };

  return {
    /** Newest first. */
    suggestions,

    /** Their number, at most ten minutes old. */
    count(now: Moment): number {
      const slot = Math.floor(now.monoMs / countLifeMs);
      const known = counted().get(slot) ?? suggestions(now).length;
      counted().clear();
      counted().set(slot, known);
      return known;
    },

    /** Makes pours a cleaning; undone like any correction. */
    mark: (request: MarkedCleaning, context: ActorContext) => markCleaning(parts, request, context),

    /** Remembers that pours were no cleaning, so that nobody is asked again. */
    dismiss: (drinkIds: readonly number[], { actor, now }: ActorContext): void =>
      change(parts, () => {
        validateNumber('drink_ids', drinkIds.length, { min: 1, max: cleaningBounds.pours });
        for (const id of drinkIds) {
          requireDrink(store, id);
          store.cleaningPours.dismiss(id);
        }
        const subject = { kind: 'drink', id: drinkIds[0]! };
        const after = { drinks: drinkIds };
        writeAudit(store, { actor, action: 'drink.no_cleaning', subject, after }, now);
      }),

    /** Makes all pours of a cleaning drinks. Returns their number. */
    keepPours: (cleaningId: number, context: ActorContext): number => keepPours(parts, cleaningId, context),

    /** Ends a cleaning that was none, in one transaction. */
    cancelAsDrinks: (cleaningId: number, context: ActorContext): void =>
      cancelAsDrinks(parts, cleaningId, context),
  };
}

function toSuggestion(tapName: string, pours: readonly PatternPour[]): CleaningSuggestion {
  const rates = pours.flatMap(({ volumeMl, durationMs }) =>
    durationMs > 0 ? [volumeMl / (durationMs / 1_000)] : [],
  );
  return {
    tapId: pours[0]!.tapId,
    tapName,
    drinkIds: pours.map(({ id }) => id),
    startedMs: pours[0]!.timeMs - pours[0]!.durationMs,
    endedMs: pours.at(-1)!.timeMs,
    volumeMl: pours.reduce((sum, { volumeMl }) => sum + volumeMl, 0),
    mlPerS: rates.length === 0 ? null : Math.max(...rates),
  };
}
