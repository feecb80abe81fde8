import { AppError } from '../../../core/app-error.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../engine/shared/audit.ts';
import { validateNumber, validateText, validationError } from '../../../engine/shared/bounds.ts';
import { cleaningBounds, cleaningKinds, cleaningMethods, cleaningResults } from '../core/cleaning-terms.ts';
import type { CleaningEntry, CleaningFacts } from '../store/cleaning-entries-table.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';
import type { Cleaning } from '../store/cleanings-table.ts';

/** What staff enter; absent values are not known. */
export type CleaningFields = Partial<Omit<CleaningFacts, 'kind' | 'startedMs' | 'endedMs'>>;

/** Longest cleaning of an entry, milliseconds. */
export const maxSpanMs = 24 * 3_600_000;

const unknownFacts = {
  cleanedBy: null,
  checkedBy: null,
  agent: null,
  concentrationPercent: null,
  tempC: null,
  contactMinutes: null,
  method: null,
  rinsePh: null,
  result: 'not_checked',
  note: null,
} as const satisfies Required<CleaningFields>;

/** All facts of an entry, checked. Throws `invalid_request` naming the field. */
export function toFacts(
  base: Pick<CleaningFacts, 'kind' | 'startedMs' | 'endedMs'> & CleaningFields,
): CleaningFacts {
  const facts = { ...unknownFacts, ...base };
  const { kind, startedMs, endedMs, method, result } = facts;
  const time = { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true };
  validateNumber('started_time', startedMs, time);
  validateNumber('ended_time', endedMs, time);
  if (endedMs < startedMs || endedMs - startedMs > maxSpanMs)
    throw validationError('ended_time', 'must be within a day after the start', {
      name: 'cleaning_time',
      what: 'span',
    });
  return {
    kind: oneOf('kind', kind, cleaningKinds),
    startedMs,
    endedMs,
    cleanedBy: optionalText('cleaned_by', facts.cleanedBy),
    checkedBy: optionalText('checked_by', facts.checkedBy),
    agent: optionalText('agent', facts.agent),
    concentrationPercent: optionalNumber(
      'concentration_percent',
      facts.concentrationPercent,
      cleaningBounds.concentrationPercent,
    ),
    tempC: optionalNumber('temp_c', facts.tempC, cleaningBounds.tempC),
    contactMinutes: optionalNumber('contact_minutes', facts.contactMinutes, cleaningBounds.contactMinutes),
    method: method === null ? null : oneOf('method', method, cleaningMethods),
    rinsePh: optionalNumber('rinse_ph', facts.rinsePh, cleaningBounds.rinsePh),
    result: oneOf('result', result, cleaningResults),
    note:
      facts.note === null || facts.note.trim() === ''
        ? null
        : validateText('note', facts.note, { max: 2_000, kind: 'lines' }),
  };
}

/** Adds an entry to the log, the first of the cleaning or a correction of the newest; call it in a transaction. */
export function addEntry(
  store: CleaningDatabase,
  cleaning: Cleaning,
  facts: CleaningFacts & Partial<Pick<CleaningEntry, 'isWithdrawn' | 'followsPours'>>,
  { actor, now }: ActorContext,
): CleaningEntry {
  const [last] = store.cleaningEntries.of(cleaning.id);
  const beverageId = cleaning.kegId === null ? null : (store.kegs.byId(cleaning.kegId)?.beverageId ?? null);
  const beverage = beverageId === null ? null : (store.kegs.beverages.byId(beverageId)?.name ?? null);
  const id = store.cleaningEntries.add({
    ...facts,
    cleaningId: cleaning.id,
    correctsId: last?.id ?? null,
    timeMs: Math.max(0, Math.round(now.wallMs)),
    userId: actor.userId,
    tapName: last?.tapName ?? store.taps.anyName(cleaning.tapId) ?? String(cleaning.tapId),
    beverage: last === undefined ? beverage : last.beverage,
    isWithdrawn: facts.isWithdrawn ?? false,
    followsPours: facts.followsPours ?? false,
  });
  store.cleaningTimes.note('cleaning_entry', id, now);
  const entry = store.cleaningEntries.of(cleaning.id)[0]!;
  const action =
    last === undefined
      ? 'cleaning.logged'
      : entry.isWithdrawn && !last.isWithdrawn
        ? 'cleaning.withdrawn'
        : 'cleaning.entry_corrected';
  const subject = { kind: 'cleaning', id: cleaning.id };
  writeAudit(store, { actor, action, subject, before: toAuditEntry(last), after: toAuditEntry(entry) }, now);
  return entry;
}

/**
 * Withdraws the entry of a cleaning whose pours are all drinks again, and enters it anew when they come back, unless a person
 * withdrew it; call it in a transaction.
 */
export function followPours(store: CleaningDatabase, cleaningId: number, context: ActorContext): void {
  const cleaning = store.cleanings.byId(cleaningId)!;
  const [last] = store.cleaningEntries.of(cleaningId);
  if (cleaning.origin !== 'pours' || last === undefined) return;
  const isEmpty = store.cleaningPours.of(cleaningId).length === 0;
  if (isEmpty ? !last.isWithdrawn : last.followsPours)
    addEntry(store, cleaning, { ...last, isWithdrawn: isEmpty, followsPours: isEmpty }, context);
}

/** The newest entry; throws `conflict` when another one was added since the person saw it. */
export function requireNewest(store: CleaningDatabase, cleaning: Cleaning, entryId: number): CleaningEntry {
  const [last] = store.cleaningEntries.of(cleaning.id);
  if (last?.id === entryId) return last;
  throw new AppError('conflict', `Entry ${entryId} is not the newest of cleaning ${cleaning.id}.`, {
    reason: { name: 'entry_corrected_since' },
  });
}

/** Without the time, which the audit entry has. */
const toAuditEntry = (entry: CleaningEntry | undefined) =>
  entry === undefined
    ? null
    : {
        id: entry.id,
        tap: entry.tapName,
        kind: entry.kind,
        agent: entry.agent,
        concentration_percent: entry.concentrationPercent,
        temp_c: entry.tempC,
        contact_minutes: entry.contactMinutes,
        method: entry.method,
        rinse_ph: entry.rinsePh,
        result: entry.result,
        note: entry.note,
        is_withdrawn: entry.isWithdrawn,
      };

const optionalText = (field: string, text: string | null): string | null =>
  text === null || text.trim() === '' ? null : validateText(field, text, { max: 128 });

const optionalNumber = (
  field: string,
  value: number | null,
  bounds: { readonly min: number; readonly max: number },
): number | null => (value === null ? null : validateNumber(field, value, bounds));

function oneOf<T extends string>(field: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw validationError(field, `must be one of ${allowed.join(', ')}`);
  return found;
}
