import { AppError } from '../../../core/app-error.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../engine/shared/audit.ts';
import { addCorrection } from '../../../engine/shared/corrections/add-correction.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { CleaningPlan } from '../store/cleaning-plans-table.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';
import type { CleaningEngineParts } from './parts.ts';

/** A plan before and after a change; null where there was none. */
interface ChangedPlan {
  readonly before: CleaningPlan | null;
  readonly after: CleaningPlan | null;
}

/**
 * Runs a change of plans and writes it to the audit log as one entry. Returns the id of the entry, by which it is undone; null when
 * nothing was changed. Call it in a transaction.
 */
export function correctablePlanChange(
  parts: CleaningEngineParts,
  entry: { readonly action: string; readonly tapId: number | null },
  { actor, now }: ActorContext,
  work: () => void,
): number | null {
  const { store } = parts;
  const before = store.cleaningPlans.all();
  work();
  const changed = comparePlans(before, store.cleaningPlans.all());
  if (changed.length === 0) return null;
  const subject =
    entry.tapId === null ? { kind: 'site' as const, id: 1 } : { kind: 'tap' as const, id: entry.tapId };
  const id = writeAudit(
    store,
    {
      actor,
      action: entry.action,
      subject,
      before: toSnapshot(
        store,
        changed.flatMap((one) => one.before ?? []),
      ),
      after: toSnapshot(
        store,
        changed.flatMap((one) => one.after ?? []),
      ),
    },
    now,
  );
  addCorrection(parts, {
    id,
    kind: 'cleaning_plans',
    before: JSON.stringify(changed.map((one) => one.before)),
    after: JSON.stringify(changed.map((one) => one.after)),
  });
  return id;
}

/** Gives taps the plans before a change. Throws `conflict` when one was changed again since; call it in a transaction. */
export function undoPlanChange(store: CleaningDatabase, correction: CorrectionRow): void {
  const changed = toChangedPlans(correction);
  for (const { before, after } of changed) {
    const { tapId, kind } = (before ?? after)!;
    if (isSamePlan(store.cleaningPlans.find(tapId, kind), after)) continue;
    throw new AppError(
      'conflict',
      'This cannot be undone: the plan was changed again since. Undo the later change first.',
      { reason: { name: 'record_changed_since' } },
    );
  }
  for (const { before, after } of changed) {
    if (before !== null) store.cleaningPlans.set(before);
    else removePlan(store, after!);
  }
}

/** The plans of a change as they are now, for the audit log. */
export const readChangedPlans = (store: CleaningDatabase, correction: CorrectionRow) =>
  toSnapshot(
    store,
    toChangedPlans(correction).flatMap(({ before, after }) => {
      const { tapId, kind } = (before ?? after)!;
      return store.cleaningPlans.find(tapId, kind) ?? [];
    }),
  );

/** Removes a plan with the mark of its time. */
export function removePlan(
  store: CleaningDatabase,
  { tapId, kind }: Pick<CleaningPlan, 'tapId' | 'kind'>,
): void {
  const id = store.cleaningPlans.remove(tapId, kind);
  if (id !== null) store.cleaningTimes.clear('cleaning_plan', id);
}

const keyOf = ({ tapId, kind }: CleaningPlan): string => `${tapId} ${kind}`;

const isSamePlan = (one: CleaningPlan | null, other: CleaningPlan | null): boolean =>
  one?.intervalDays === other?.intervalDays && one?.preset === other?.preset;

function comparePlans(
  before: readonly CleaningPlan[],
  after: readonly CleaningPlan[],
): readonly ChangedPlan[] {
  const [old, current] = [before, after].map((plans) => new Map(plans.map((plan) => [keyOf(plan), plan])));
  return [...new Set([...old!.keys(), ...current!.keys()])]
    .map((key) => ({ before: old!.get(key) ?? null, after: current!.get(key) ?? null }))
    .filter((one) => !isSamePlan(one.before, one.after));
}

function toChangedPlans({ before, after }: CorrectionRow): readonly ChangedPlan[] {
  const later = JSON.parse(after) as readonly (CleaningPlan | null)[];
  return (JSON.parse(before) as readonly (CleaningPlan | null)[]).map((plan, i) => ({
    before: plan,
    after: later[i] ?? null,
  }));
}

const toSnapshot = (store: CleaningDatabase, plans: readonly CleaningPlan[]) => ({
  cleaning_plans: plans
    .map(
      ({ tapId, kind, intervalDays, preset }) =>
        `${store.taps.anyName(tapId) ?? tapId}: ${kind} ${intervalDays} d${preset === null ? '' : ` (${preset})`}`,
    )
    .join('; '),
});
