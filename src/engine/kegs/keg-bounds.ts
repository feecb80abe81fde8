import type { Moment } from '../../core/clock/moment.ts';
import { type Keg, kegInputs } from '../../core/kegs/records/keg-record.ts';
import type { Rules } from '../../core/reasons.ts';
import type { KegChange } from '../../store/kegs/kegs-table.ts';
import type { Store } from '../../store/store.ts';
import { validateFields, validationError } from '../shared/bounds.ts';
import { findOrCreateBeverage, findRequestedSize, type NewKeg, requireFullVolume } from './new-keg.ts';

/** The fields of a keg that staff can change; those that are absent stay. */
export interface KegFields extends Omit<NewKeg, 'beverage'> {
  /** Id of the beverage in it. */
  readonly beverageId?: number;
  /** Unix milliseconds, not in the future and not after its first drink. */
  readonly startedTimeMs?: number;
  /** Unix milliseconds, of a finished keg only. */
  readonly finishedTimeMs?: number;
}

/** Validates the values of a keg after a change; throws `invalid_request`. */
export function validateKegChange(store: Store, keg: Keg, fields: KegFields, now: Moment): KegChange {
  const { startedTimeMs = keg.startedTimeMs, finishedTimeMs = keg.finishedTimeMs } = fields;
  const change = {
    beverageId:
      fields.beverageId === undefined
        ? keg.beverageId
        : findOrCreateBeverage(store, { id: fields.beverageId }).id,
    sizeId: findRequestedSize(store, fields)?.id ?? keg.sizeId,
    ...validateFields(kegInputs, requireFullVolume({ ...keg, ...fields })),
    startedTimeMs,
    finishedTimeMs,
  };
  if (fields.startedTimeMs !== undefined) requireStart(store, change, keg.id, now);
  if (fields.finishedTimeMs !== undefined) requireEnd(store, change, keg, now);
  return change;
}

/** A keg starts in the past, before its first drink and its end. */
function requireStart(
  store: Store,
  { startedTimeMs, finishedTimeMs }: KegChange,
  kegId: number,
  now: Moment,
): void {
  const { first } = store.kegs.drinkSpan(kegId);
  if (startedTimeMs > now.wallMs) throw timeError('started_time', 'must not be in the future', 'future');
  if (first !== null && startedTimeMs > first)
    throw timeError('started_time', 'must not be after the first drink of the keg', 'first_drink');
  if (finishedTimeMs !== null && startedTimeMs > finishedTimeMs)
    throw timeError('started_time', 'must not be after the end of the keg', 'end');
}

/** A keg ends in the past, after its start and its last drink. */
function requireEnd(
  store: Store,
  { startedTimeMs, finishedTimeMs }: KegChange,
  { id, state }: Keg,
  now: Moment,
): void {
  const { last } = store.kegs.drinkSpan(id);
  if (state !== 'finished' || finishedTimeMs === null)
    throw timeError('finished_time', 'can be set for a finished keg only', 'not_finished');
  if (finishedTimeMs > now.wallMs) throw timeError('finished_time', 'must not be in the future', 'future');
  if (finishedTimeMs < startedTimeMs)
    throw timeError('finished_time', 'must not be before the start of the keg', 'start');
  if (last !== null && finishedTimeMs < last)
    throw timeError('finished_time', 'must not be before the last drink of the keg', 'last_drink');
}

const timeError = (field: string, text: string, what: Rules['keg_time']['what']) =>
  validationError(field, text, { name: 'keg_time', what });
