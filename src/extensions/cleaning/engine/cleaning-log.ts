import { AppError } from '../../../core/app-error.ts';
import type { Picture } from '../../../core/records.ts';
import { findKegAt, wallInstant } from '../../../engine/kegs/placement/keg-spans.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../engine/shared/audit.ts';
import { requireFound } from '../../../engine/shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../../../engine/shared/paging.ts';
import { change } from '../../../engine/shared/parts.ts';
import type { PreparedPicture } from '../../../engine/shared/pictures.ts';
import { cleaningExpiresMs, contactEndsMs, type StartedStep } from '../core/cleaning-mode.ts';
import type { CleaningParts } from '../core/cleaning-parts.ts';
import type { CleaningEntry, CleaningFacts } from '../store/cleaning-entries-table.ts';
import type { CleaningPour } from '../store/cleaning-pours-table.ts';
import type { Cleaning } from '../store/cleanings-table.ts';
import { bookLostBeer, readParts } from './cleaning-beer.ts';
import { addEntry, type CleaningFields, requireNewest, toFacts } from './cleaning-entries.ts';
import { defaultContactMinutes, requireCleaning, validateLineVolume } from './cleaning-mode.ts';
import { runningCleaning } from './find-cleaning.ts';
import type { CleaningEngineParts } from './parts.ts';

/** A cleaning with all that is known of it. */
export interface CleaningView extends Cleaning {
  readonly tapName: string;
  readonly steps: readonly StartedStep[];
  readonly pours: readonly CleaningPour[];
  readonly parts: CleaningParts;
  /** The newest first: it holds. Empty until the cleaning is logged. */
  readonly entries: readonly CleaningEntry[];
  readonly picture: Picture | null;
  /** While it runs: when it ends by itself, and the contact time if that is the step; Unix milliseconds. */
  readonly expiresMs: number | null;
  readonly contactEndsMs: number | null;
}

/** A cleaning that was not run at the tap here. */
export interface ManualCleaning extends CleaningFields {
  readonly tapId: number;
  readonly kind: CleaningFacts['kind'];
  readonly startedMs: number;
  readonly endedMs: number;
  /** Lost beer that no drink and no spill contains; default none. */
  readonly beerLostMl?: number;
}

export interface CleaningLogQuery extends PageRequest {
  readonly tapId?: number;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** The log of cleanings, for staff and inspectors. */
export function createCleaningLog(parts: CleaningEngineParts) {
  const { store } = parts;

  const findPicture = (cleaningId: number): Picture | null => {
    const id = store.cleaningPours.pictureId(cleaningId);
    return id === null ? null : store.pictures.byId(id);
  };
  const view = (cleaning: Cleaning): CleaningView => {
    const pours = store.cleaningPours.of(cleaning.id);
    const steps = store.cleanings.steps(cleaning.id);
    const step = cleaning.endedMs === null ? steps.at(-1) : undefined;
    return {
      ...cleaning,
      tapName: store.taps.anyName(cleaning.tapId) ?? '',
      steps,
      pours,
      parts: readParts(store, cleaning, pours),
      entries: store.cleaningEntries.of(cleaning.id),
      picture: findPicture(cleaning.id),
      expiresMs: step === undefined ? null : cleaningExpiresMs(step, cleaning.contactMinutes),
      contactEndsMs: step === undefined ? null : contactEndsMs(step, cleaning.contactMinutes),
    };
  };
  const get = (id: number): CleaningView => view(requireCleaning(store, id));
  const toFilter = ({
    tapId = null,
    sinceMs = 0,
    untilMs = Number.MAX_SAFE_INTEGER,
  }: {
    readonly tapId?: number | null;
    readonly sinceMs?: number;
    readonly untilMs?: number;
  }) => ({
    tapId,
    sinceMs,
    untilMs,
  });

  return {
    /** Throws `not_found`. */
    get,

    /** The step of the cleaning that runs at the tap; null without one. Reads memory only unless one runs. */
    findRunning(tapId: number) {
      const cleaning = runningCleaning(store, tapId);
      if (cleaning === null) return null;
      const last = store.cleanings.steps(cleaning.id).at(-1)!;
      return {
        id: cleaning.id,
        step: last.step,
        contactEndsMs: contactEndsMs(last, cleaning.contactMinutes),
      };
    },

    /** Ids of the cleanings that run now. In memory. */
    runningIds: (): readonly number[] =>
      store.cleanings.recent().flatMap(({ id, endedMs }) => (endedMs === null ? [id] : [])),

    /** The cleanings that run now. */
    running: (): readonly CleaningView[] =>
      store.cleanings
        .recent()
        .filter(({ endedMs }) => endedMs === null)
        .map(view),

    /** Those that ended by themselves and wait for their entry, newest first. */
    unfinished: (): readonly CleaningView[] => store.cleanings.unfinished().map(view),

    /** The logged cleanings, newest first. */
    log(query: CleaningLogQuery): Page<CleaningView> {
      const filter = toFilter(query);
      return readPage(query, store.cleaningEntries.count(filter), (slice) =>
        store.cleaningEntries.cleaningIds(filter, slice).map((id) => view(store.cleanings.byId(id)!)),
      );
    },

    /** Enters a cleaning afterwards. */
    addManual: (
      { tapId, kind, startedMs, endedMs, beerLostMl = 0, ...fields }: ManualCleaning,
      context: ActorContext,
    ): CleaningView =>
      change(parts, () => {
        requireFound(store.taps.byId(tapId), `tap ${tapId}`);
        const facts = toFacts({ kind, startedMs, endedMs, ...fields });
        const id = store.cleanings.add({
          tapId,
          kegId: findKegAt(store, tapId, wallInstant(facts.startedMs)),
          kind: facts.kind,
          origin: 'manual',
          hasBeer: false,
          lineVolumeMl: null,
          beerGivenMl: validateLineVolume(beerLostMl, 'beer_lost_ml'),
          contactMinutes: facts.contactMinutes ?? defaultContactMinutes,
          startedMs: facts.startedMs,
          bootId: '',
          startMonoMs: 0,
          endedMs: facts.endedMs,
          endReason: 'finished',
        });
        bookLostBeer(store, id, context.now);
        addEntry(store, store.cleanings.byId(id)!, facts, context);
        return get(id);
      }),

    /**
     * Adds an entry that corrects the newest one, which stays. A withdrawn one stays withdrawn unless `isWithdrawn` is false. Throws
     * `conflict` when another one was added meanwhile.
     */
    correctEntry: (
      id: number,
      {
        entryId,
        isWithdrawn,
        ...fields
      }: Partial<Pick<CleaningFacts, 'kind' | 'startedMs' | 'endedMs'>> &
        CleaningFields & { readonly entryId: number; readonly isWithdrawn?: boolean },
      context: ActorContext,
    ): CleaningView =>
      change(parts, () => {
        const cleaning = requireCleaning(store, id);
        const last = requireNewest(store, cleaning, entryId);
        const facts = toFacts({ ...last, ...fields });
        // A person has said whether there was a cleaning: what becomes of its pours changes it no more.
        const state = isWithdrawn === undefined ? last : { isWithdrawn, followsPours: false };
        const { isWithdrawn: isGone, followsPours } = state;
        addEntry(store, cleaning, { ...facts, isWithdrawn: isGone, followsPours }, context);
        if (isGone !== last.isWithdrawn) bookLostBeer(store, id, context.now);
        return get(id);
      }),

    /** Adds an entry which says that there was no such cleaning. What flowed stays booked; of one that was entered afterwards nothing did. */
    withdrawEntry: (
      id: number,
      { entryId, note }: { readonly entryId: number; readonly note: string | null },
      context: ActorContext,
    ): CleaningView =>
      change(parts, () => {
        const cleaning = requireCleaning(store, id);
        const last = requireNewest(store, cleaning, entryId);
        addEntry(store, cleaning, { ...toFacts({ ...last, note }), isWithdrawn: true }, context);
        bookLostBeer(store, id, context.now);
        return get(id);
      }),

    /** Sets the cleaning's one picture. Throws `conflict` when it is in the log with one, which is evidence then. */
    setPicture: (id: number, picture: PreparedPicture, { actor, now }: ActorContext): CleaningView =>
      change(parts, () => {
        const cleaning = requireCleaning(store, id);
        const isLogged = store.cleaningEntries.of(id).length > 0;
        const current = findPicture(id);
        if (isLogged && current !== null)
          throw new AppError('conflict', `Cleaning ${id} is in the log with its picture.`, {
            reason: { name: 'cleaning_has_picture' },
          });
        if (current !== null) store.pictures.removeById(current.id);
        store.cleaningPours.addPicture(cleaning.id, store.pictures.add(picture.name));
        const subject = { kind: 'cleaning', id };
        const after = { picture: picture.name };
        writeAudit(store, { actor, action: 'cleaning.picture_set', subject, after }, now);
        return get(id);
      }),
  };
}
