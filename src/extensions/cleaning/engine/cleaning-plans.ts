import type { Moment } from '../../../core/clock/moment.ts';
import { maxTaps } from '../../../core/taps/tap-bounds.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { requireFound, validateNumber, validationError } from '../../../engine/shared/bounds.ts';
import { change } from '../../../engine/shared/parts.ts';
import { type CleaningDue, daysSince, findCleaningDue } from '../core/cleaning-plan.ts';
import { findPreset } from '../core/cleaning-presets.ts';
import { type CleaningKind, cleaningBounds } from '../core/cleaning-terms.ts';
import type { CleaningPlan } from '../store/cleaning-plans-table.ts';
import { requireKind } from './cleaning-mode.ts';
import { correctablePlanChange, removePlan } from './cleaning-plan-corrections.ts';
import type { CleaningEngineParts } from './parts.ts';

/** A plan with the day on which it is due. */
export interface CleaningPlanView extends CleaningPlan, CleaningDue {
  /** End of the last cleaning of this kind; null before the first. */
  readonly lastMs: number | null;
}

/** How often each line is cleaned, and what is due. */
export function createCleaningPlans(parts: CleaningEngineParts) {
  const { store } = parts;
  const lastDone = store.cachedUntilChange(() => store.cleaningEntries.lastDone());
  const allPlans = store.cachedUntilChange(() => store.cleaningPlans.all());
  const findLast = (tapId: number, kind?: CleaningKind): number | null => {
    const times = lastDone()
      .filter((one) => one.tapId === tapId && (kind === undefined || one.kind === kind))
      .map(({ ms }) => ms);
    return times.length === 0 ? null : Math.max(...times);
  };

  const set = (plan: CleaningPlan, { now }: ActorContext): void => {
    const before = store.cleaningPlans.find(plan.tapId, plan.kind);
    const id = store.cleaningPlans.set({ ...plan, sinceMs: before?.sinceMs ?? plan.sinceMs });
    if (before === null) store.cleaningTimes.note('cleaning_plan', id, now);
  };

  return {
    /** All plans in the order of the taps; in memory. Before the clock is set, days may be wrong. */
    plans(now: Moment): readonly CleaningPlanView[] {
      const { timeZone } = store.site.read();
      return allPlans().map((plan) => {
        const lastMs = findLast(plan.tapId, plan.kind);
        return {
          ...plan,
          lastMs,
          ...findCleaningDue({ ...plan, lastMs }, { wallMs: now.wallMs, timeZone }),
        };
      });
    },

    /**
     * Returns the id by which it is undone; null when nothing was changed. Throws `invalid_request`, `not_found`; so do the other
     * changes.
     */
    setPlan: (
      request: { readonly tapId: number; readonly kind: string; readonly intervalDays: number },
      context: ActorContext,
    ): number | null =>
      change(parts, () => {
        const { tapId } = request;
        requireFound(store.taps.byId(tapId), `tap ${tapId}`);
        const kind = requireKind(request.kind);
        const intervalDays = validateNumber(
          'interval_days',
          request.intervalDays,
          cleaningBounds.intervalDays,
        );
        return correctablePlanChange(parts, { action: 'cleaning_plan.set', tapId }, context, () =>
          set({ tapId, kind, intervalDays, preset: null, sinceMs: toMs(context.now) }, context),
        );
      }),

    /** Gives taps the intervals of a preset, in place of their plans. */
    applyPreset: (
      { preset, tapIds }: { readonly preset: string; readonly tapIds: readonly number[] },
      context: ActorContext,
    ): number | null =>
      change(parts, () => {
        const found = findPreset(preset);
        if (found === undefined) throw validationError('preset', 'must be the name of a preset');
        validateNumber('tap_ids', tapIds.length, { min: 1, max: maxTaps });
        for (const tapId of tapIds) requireFound(store.taps.byId(tapId), `tap ${tapId}`);
        const entry = { action: 'cleaning_plan.preset_applied', tapId: null };
        return correctablePlanChange(parts, entry, context, () => {
          for (const tapId of new Set(tapIds)) {
            for (const plan of found.plans) {
              set({ ...plan, tapId, preset, sinceMs: toMs(context.now) }, context);
            }
            for (const { kind } of store.cleaningPlans.all().filter((plan) => plan.tapId === tapId)) {
              if (!found.plans.some((plan) => plan.kind === kind)) removePlan(store, { tapId, kind });
            }
          }
        });
      }),

    removePlan: (tapId: number, kind: string, context: ActorContext): number | null =>
      change(
        parts,
        () => {
          const plan = { tapId, kind: requireKind(kind) };
          requireFound(store.cleaningPlans.find(tapId, plan.kind), `plan "${kind}" of tap ${tapId}`);
          return correctablePlanChange(parts, { action: 'cleaning_plan.deleted', tapId }, context, () =>
            removePlan(store, plan),
          );
        },
        'removal',
      ),

    /** Days since the last cleaning of the tap, of any kind; null before the first. In memory. */
    daysSinceCleaning(tapId: number, now: Moment): number | null {
      const lastMs = findLast(tapId);
      return lastMs === null
        ? null
        : daysSince(lastMs, { wallMs: now.wallMs, timeZone: store.site.read().timeZone });
    },

    /** End of the last cleaning of the tap; null before the first. */
    lastCleanedMs: (tapId: number): number | null => findLast(tapId),
  };
}

const toMs = ({ wallMs }: Moment): number => Math.max(0, Math.round(wallMs));
