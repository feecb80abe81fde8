import { AppError } from '../../core/app-error.ts';
import { maxServingSizes } from '../../core/kegs/serving-sizes.ts';
import { fieldDefaults } from '../../core/records/fields.ts';
import type { Tap } from '../../core/records.ts';
import { chooseTapNumber, maxLineMl, maxTaps } from '../../core/taps/tap-bounds.ts';
import { type TapFields, tapFields } from '../../core/taps/tap-record.ts';
import type { Store } from '../../store/store.ts';
import { maxTicks, validateFields, validateNumber, validationError } from '../shared/bounds.ts';

/** What a request writes of a tap. */
export interface TapRequest extends Partial<TapFields> {
  readonly name: string;
  /** The serving sizes that it offers; empty for all sizes of the site. */
  readonly servingSizeIds?: readonly number[];
}

/** Stores a new tap in the caller's transaction; throws `conflict` when there are too many. Returns its id. */
export function addTap(store: Store, request: TapRequest): number {
  const taps = store.taps.all();
  if (taps.length >= maxTaps) throw tooManyTapsError();
  const number = request.number ?? chooseTapNumber(request.name, new Set(taps.map((tap) => tap.number)));
  if (number === null) throw tooManyTapsError();
  const last = taps.at(-1)?.sortOrder ?? -1;
  const sortOrder = Math.min(last + 1, maxTicks);
  const fields = { ...fieldDefaults(tapFields), sortOrder, ...request, number };
  const id = store.taps.add(validateTap(store, fields, null));
  if (request.servingSizeIds !== undefined)
    store.taps.servingSizes.set(id, validateSizeIds(store, request.servingSizeIds));
  return id;
}

/** Changes fields of a tap in the caller's transaction. */
export function changeTap(store: Store, tap: Tap, fields: Partial<TapRequest>): void {
  store.taps.change(tap.id, validateTap(store, { ...tap, ...fields }, tap.id));
  if (fields.servingSizeIds !== undefined)
    store.taps.servingSizes.set(tap.id, validateSizeIds(store, fields.servingSizeIds));
}

/** The fields, when no other tap has the number and the part of the line is no longer than the line. */
function validateTap(store: Store, values: TapFields, tapId: number | null): TapFields {
  const fields = validateFields(tapFields, values);
  const { number, lineToMeterMl, lineVolumeMl } = fields;
  if (store.taps.all().some((tap) => tap.id !== tapId && tap.number === number))
    throw validationError('number', 'is taken by another tap', { name: 'taken' });
  if (lineToMeterMl !== null)
    validateNumber('line_to_meter_ml', lineToMeterMl, { min: 0, max: lineVolumeMl ?? maxLineMl });
  return fields;
}

function validateSizeIds(store: Store, ids: readonly number[]): readonly number[] {
  validateNumber('serving_size_ids', ids.length, { min: 0, max: maxServingSizes });
  const unused = new Set(store.kegs.servingSizes.all().map(({ id }) => id));
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
