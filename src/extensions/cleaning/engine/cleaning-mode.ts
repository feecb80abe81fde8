import { AppError } from '../../../core/app-error.ts';
import type { Instant } from '../../../core/clock/instant.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { type ActorContext, auditedChange } from '../../../engine/shared/actor-context.ts';
import { systemActor, writeAudit } from '../../../engine/shared/audit.ts';
import { requireFound, validateNumber, validationError } from '../../../engine/shared/bounds.ts';
import { change } from '../../../engine/shared/parts.ts';
import type { StartedStep } from '../core/cleaning-mode.ts';
import {
  type CleaningEnd,
  type CleaningKind,
  type CleaningStep,
  cleaningBounds,
  cleaningKinds,
  cleaningSteps,
} from '../core/cleaning-terms.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';
import type { Cleaning } from '../store/cleanings-table.ts';
import { bookLostBeer } from './cleaning-beer.ts';
import { addEntry, type CleaningFields, maxSpanMs, toFacts } from './cleaning-entries.ts';
import { findExpiry, isReached, runningCleaning } from './find-cleaning.ts';
import type { CleaningEngineParts } from './parts.ts';

/** How a cleaning begins. */
export interface StartCleaning {
  readonly tapId: number;
  readonly kind: CleaningKind;
  /** Default: whether a keg is on the tap. */
  readonly hasBeer?: boolean;
  /** Default: that of the tap, else that of its last cleaning; null: not known. */
  readonly lineVolumeMl?: number | null;
  readonly contactMinutes?: number;
  /** Default `push_out`, without beer in the line `cleaner`. */
  readonly step?: CleaningStep;
}

/** Standing cleaner needs 20 minutes, pumped cleaner 15. */
export const defaultContactMinutes = 20;

/**
 * Cleaning mode at a tap: while it runs, what flows there is booked as cleaning. The caller ends the running pour of the tap's
 * meter before each of these calls, so that no pour belongs to two steps.
 */
export function createCleaningMode(parts: CleaningEngineParts) {
  const { store } = parts;
  const change_ = (
    action: string,
    cleaning: Cleaning,
    context: ActorContext,
    work: () => void,
    writes: 'operation' | 'change' = 'operation',
  ): Cleaning =>
    auditedChange(
      parts,
      context,
      { action, kind: 'cleaning', id: cleaning.id, writes, snapshot: (id) => toSnapshot(store, id) },
      () => {
        work();
        return store.cleanings.byId(cleaning.id)!;
      },
    );

  return {
    /** Throws `conflict` while one runs at the tap. */
    start(request: StartCleaning, context: ActorContext): Cleaning {
      const { tapId, kind, contactMinutes = defaultContactMinutes } = request;
      return auditedChange(
        parts,
        context,
        {
          action: 'cleaning.started',
          kind: 'cleaning',
          id: (created: Cleaning) => created.id,
          writes: 'operation',
          snapshot: (id) => toSnapshot(store, id),
        },
        () => {
          const { kegId } = requireFound(store.taps.byId(tapId), `tap ${tapId}`);
          if (runningCleaning(store, tapId) !== null)
            throw new AppError('conflict', `A cleaning is running at tap ${tapId}.`, {
              reason: { name: 'cleaning_running' },
            });
          const hasBeer = request.hasBeer ?? kegId !== null;
          const lineVolumeMl =
            request.lineVolumeMl === undefined
              ? findLineVolumeMl(store, tapId)
              : validateLineVolume(request.lineVolumeMl);
          const id = store.cleanings.add({
            tapId,
            kegId,
            kind: requireKind(kind),
            origin: 'mode',
            hasBeer,
            lineVolumeMl,
            beerGivenMl: null,
            contactMinutes: validateNumber('contact_minutes', contactMinutes, cleaningBounds.contactMinutes),
            startedMs: toMs(context.now),
            bootId: context.now.bootId,
            startMonoMs: context.now.monoMs,
            endedMs: null,
            endReason: null,
          });
          store.cleaningTimes.note('cleaning_started', id, context.now);
          addStep(store, id, request.step ?? (hasBeer ? 'push_out' : 'cleaner'), context.now);
          return store.cleanings.byId(id)!;
        },
      );
    },

    /** Begins a step, again or earlier ones too; without effect on the one that runs. Throws `conflict` when it is over. */
    step(id: number, step: CleaningStep, context: ActorContext): Cleaning {
      const cleaning = requireRunning(store, id);
      if (lastStep(store, id).step === step) return cleaning;
      return change_('cleaning.step_started', cleaning, context, () => addStep(store, id, step, context.now));
    },

    /**
     * Ends the cleaning with its entry in the log. One that has ended by itself, or was cancelled, is completed. Throws `conflict`
     * when it has an entry, which is corrected instead.
     */
    finish(
      id: number,
      { beerLostMl, ...fields }: CleaningFields & { readonly beerLostMl?: number | null },
      context: ActorContext,
    ): Cleaning {
      const cleaning = requireCleaning(store, id);
      const latestMs = cleaning.startedMs + maxSpanMs;
      const endedMs = Math.min(latestMs, cleaning.endedMs ?? Math.max(toMs(context.now), cleaning.startedMs));
      return change(
        parts,
        () => {
          if (store.cleaningEntries.of(id).length > 0)
            throw new AppError('conflict', `Cleaning ${id} is in the log: correct its entry.`, {
              reason: { name: 'cleaning_logged' },
            });
          const facts = toFacts({ ...cleaning, endedMs, ...fields });
          if (cleaning.endedMs === null) endCleaning(store, id, 'finished', context.now);
          else store.cleanings.setEndReason(id, 'finished');
          if (beerLostMl !== undefined && beerLostMl !== null) {
            store.cleanings.setBeerGiven(id, validateLineVolume(beerLostMl, 'beer_lost_ml'));
            bookLostBeer(store, id, context.now);
          }
          addEntry(store, store.cleanings.byId(id)!, facts, context);
          return store.cleanings.byId(id)!;
        },
        'operation',
      );
    },

    /**
     * Ends the cleaning without an entry; what flowed stays booked as cleaning. Also settles one that has ended by itself.
     * Throws `conflict` when it is over.
     */
    cancel(id: number, context: ActorContext): Cleaning {
      const cleaning = requireCleaning(store, id);
      if (cleaning.endReason === 'expired')
        return change_('cleaning.cancelled', cleaning, context, () =>
          store.cleanings.setEndReason(id, 'cancelled'),
        );
      requireRunning(store, id);
      return change_('cleaning.cancelled', cleaning, context, () =>
        endCleaning(store, id, 'cancelled', context.now),
      );
    },

    /** Throws `conflict` when it is over. */
    requireRunning: (id: number): Cleaning => requireRunning(store, id),

    /** The running cleanings that nobody has continued for too long; the caller ends their pours, then calls `expire`. */
    due: (now: Moment): readonly Cleaning[] =>
      store.cleanings
        .recent()
        .filter((cleaning) => cleaning.endedMs === null && isReached(findExpiry(store, cleaning), now)),

    /** Ends a cleaning that was forgotten. */
    expire: (id: number, now: Moment): void =>
      change(
        parts,
        () => {
          requireRunning(store, id);
          expireCleaning(store, id, now);
        },
        'operation',
      ),
  };
}

/** Ends a cleaning without an entry, which it then waits for; call it in a transaction. */
export function expireCleaning(store: CleaningDatabase, id: number, now: Moment): void {
  const before = toSnapshot(store, id);
  endCleaning(store, id, 'expired', now);
  const subject = { kind: 'cleaning', id };
  const after = toSnapshot(store, id);
  writeAudit(store, { actor: systemActor, action: 'cleaning.expired', subject, before, after }, now);
}

export function requireCleaning(store: CleaningDatabase, id: number): Cleaning {
  return requireFound(Number.isSafeInteger(id) ? store.cleanings.byId(id) : null, `cleaning ${id}`);
}

/** The volume of a tap's line, as far as anybody stated it. */
export const findLineVolumeMl = (store: CleaningDatabase, tapId: number): number | null =>
  store.taps.byId(tapId)?.lineVolumeMl ?? store.cleanings.lastLineVolumeMl(tapId);

export function validateLineVolume(ml: number | null, field = 'line_volume_ml'): number | null {
  return ml === null ? null : validateNumber(field, ml, cleaningBounds.lineVolumeMl);
}

export function requireKind(kind: string): CleaningKind {
  const found = cleaningKinds.find((one) => one === kind);
  if (found === undefined) throw validationError('kind', `must be one of ${cleaningKinds.join(', ')}`);
  return found;
}

function requireRunning(store: CleaningDatabase, id: number): Cleaning {
  const cleaning = requireCleaning(store, id);
  if (cleaning.endedMs === null) return cleaning;
  throw new AppError('conflict', `Cleaning ${id} is over.`, { reason: { name: 'cleaning_over' } });
}

const lastStep = (store: CleaningDatabase, id: number): StartedStep => store.cleanings.steps(id).at(-1)!;

function addStep(store: CleaningDatabase, id: number, step: CleaningStep, now: Moment): void {
  if (!cleaningSteps.includes(step))
    throw validationError('step', `must be one of ${cleaningSteps.join(', ')}`);
  store.cleaningTimes.note('cleaning_step', store.cleanings.addStep(id, step, toInstant(now)), now);
}

function endCleaning(store: CleaningDatabase, id: number, reason: CleaningEnd, now: Moment): void {
  const cleaning = store.cleanings.byId(id)!;
  const at = reason === 'expired' ? expiredAt(store, cleaning, now) : toInstant(now);
  store.cleanings.end(id, { ...at, wallMs: Math.max(at.wallMs, cleaning.startedMs) }, reason);
  // The time of an earlier boot is not corrected any more.
  const synced = now.synced || at.bootId !== now.bootId;
  store.cleaningTimes.note('cleaning_ended', id, { ...now, synced, monoMs: at.monoMs });
  bookLostBeer(store, id, now);
}

/** When it ended by itself: the machine may have been off then. */
function expiredAt(store: CleaningDatabase, cleaning: Cleaning, now: Moment): Instant {
  const expiry = findExpiry(store, cleaning);
  const at = toInstant(now);
  return isReached(expiry, at) ? { ...expiry, wallMs: Math.min(expiry.wallMs, at.wallMs) } : at;
}

const toMs = ({ wallMs }: Moment): number => Math.max(0, Math.round(wallMs));

const toInstant = (now: Moment): Instant => ({ wallMs: toMs(now), bootId: now.bootId, monoMs: now.monoMs });

function toSnapshot(store: CleaningDatabase, id: number) {
  const cleaning = store.cleanings.byId(id);
  if (cleaning === null) return null;
  return {
    tap_id: cleaning.tapId,
    kind: cleaning.kind,
    step: store.cleanings.steps(id).at(-1)?.step ?? null,
    end_reason: cleaning.endReason,
  };
}
