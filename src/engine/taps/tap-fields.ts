import { AppError } from '../../core/app-error.ts';
import { maxServingSizes } from '../../core/kegs/serving-sizes.ts';
import type { Tap } from '../../core/records.ts';
import {
  chooseTapNumber,
  maxLineMl,
  maxTapNameLength,
  maxTapNumber,
  maxTaps,
} from '../../core/rules/tap-bounds.ts';
import type { Store } from '../../store/store.ts';
import { maxTicks, validateNumber, validateText, validationError } from '../shared/bounds.ts';

/** Editable fields of a tap. */
export interface TapRequest {
  readonly name: string;
  /** Staff only. */
  readonly notes?: string;
  /** Ascending order; a new tap without it comes last. */
  readonly sortOrder?: number;
  /** Unique; a new tap without it gets the one in its name, else the lowest free one. */
  readonly number?: number;
  /** The serving sizes that it offers; empty for all sizes of the site. */
  readonly servingSizeIds?: readonly number[];
  /** Volume of the beer line from keg to tap, mL; null when it is not known. */
  readonly lineVolumeMl?: number | null;
  /** Volume of the part of the line before the meter, mL. */
  readonly lineToMeterMl?: number | null;
  readonly hasFob?: boolean;
}

/** Stores a new tap in the caller's transaction; throws `conflict` when there are too many. Returns its id. */
export function addTap(store: Store, request: TapRequest): number {
  const taps = store.taps.all();
  if (taps.length >= maxTaps) throw tooManyTapsError();
  const name = validateName(request.name);
  const number = request.number ?? chooseTapNumber(name, new Set(taps.map((tap) => tap.number)));
  if (number === null) throw tooManyTapsError();
  const last = taps.at(-1)?.sortOrder ?? -1;
  const id = store.taps.add({
    name,
    notes: validateNotes(request.notes ?? ''),
    sortOrder: validateSortOrder(request.sortOrder ?? Math.min(last + 1, maxTicks)),
    number: validateTapNumber(store, number, null),
  });
  if (request.servingSizeIds !== undefined)
    store.tapServingSizes.set(id, validateSizeIds(store, request.servingSizeIds));
  setLine(store, id, request);
  return id;
}

/** Changes fields of a tap in the caller's transaction. */
export function changeTap(store: Store, tap: Tap, fields: Partial<TapRequest>): void {
  const { name, notes, sortOrder, number } = { ...tap, ...fields };
  store.taps.change(tap.id, {
    name: validateName(name),
    notes: validateNotes(notes),
    sortOrder: validateSortOrder(sortOrder),
    number: validateTapNumber(store, number, tap.id),
  });
  if (fields.servingSizeIds !== undefined)
    store.tapServingSizes.set(tap.id, validateSizeIds(store, fields.servingSizeIds));
  setLine(store, tap.id, { ...tap, ...fields });
}

type Line = Pick<TapRequest, 'lineVolumeMl' | 'lineToMeterMl' | 'hasFob'>;

function setLine(store: Store, id: number, line: Line): void {
  const { lineVolumeMl = null, lineToMeterMl = null, hasFob = false } = line;
  if (lineVolumeMl !== null) validateNumber('line_volume_ml', lineVolumeMl, { min: 1, max: maxLineMl });
  if (lineToMeterMl !== null)
    validateNumber('line_to_meter_ml', lineToMeterMl, { min: 0, max: lineVolumeMl ?? maxLineMl });
  store.taps.setLine(id, { lineVolumeMl, lineToMeterMl, hasFob });
}

const validateName = (name: string): string => validateText('name', name, { max: maxTapNameLength });
const validateNotes = (notes: string): string =>
  validateText('notes', notes, { min: 0, max: 10_000, kind: 'lines' });
const validateSortOrder = (sortOrder: number): number =>
  validateNumber('sort_order', sortOrder, { min: 0, max: maxTicks, whole: true });

/** The number when no other tap has it. */
function validateTapNumber(store: Store, number: number, tapId: number | null): number {
  validateNumber('number', number, { min: 1, max: maxTapNumber, whole: true });
  if (!store.taps.all().some((tap) => tap.id !== tapId && tap.number === number)) return number;
  throw validationError('number', 'is taken by another tap', { name: 'taken' });
}

function validateSizeIds(store: Store, ids: readonly number[]): readonly number[] {
  validateNumber('serving_size_ids', ids.length, { min: 0, max: maxServingSizes });
  const unused = new Set(store.servingSizes.all().map(({ id }) => id));
  const count = unused.size;
  for (const id of ids) {
    if (!unused.delete(id))
      throw validationError('serving_size_ids', 'must be ids of serving sizes, each once', {
        name: 'exists',
        what: 'serving_size',
      });
  }
  // All sizes are no choice: a size that is added later is offered, too.
  return ids.length === count ? [] : ids;
}

const tooManyTapsError = (): AppError =>
  new AppError('conflict', `There are ${maxTaps} taps already: delete one first.`, {
    reason: { name: 'too_many_taps', most: maxTaps },
  });
