import { msBetween } from '../../../core/clock/instant.ts';
import { type Moment, momentAt } from '../../../core/clock/moment.ts';
import type { Store } from '../../../store/store.ts';
import { validationError } from '../../shared/bounds.ts';
import type { KegChangeTime } from '../tap-kegs.ts';
import { toInstant } from './keg-spans.ts';

/** A client's clock may be ahead by this much, milliseconds. */
const aheadMs = 60_000;

const secondMs = 1_000;

/**
 * When a keg was put on a tap or taken off: now, or the time that staff state, Unix milliseconds. Throws `invalid_request` for one in
 * the future, before what is on the tap was put there, or before the last keg was taken off.
 */
export function toChangeTime(
  store: Store,
  tapId: number,
  changedAtMs: number | undefined,
  now: Moment,
): KegChangeTime {
  if (changedAtMs === undefined) return { at: now, isPast: false };
  if (changedAtMs > now.wallMs + aheadMs)
    throw validationError('changed_at', 'must not be in the future', { name: 'keg_time', what: 'future' });
  const at = momentAt(now, now.monoMs - Math.max(0, now.wallMs - changedAtMs));
  const [last] = store.taps.kegSpans.recent(tapId);
  const known = last && (last.ended ?? last.started);
  const sinceMs = known === undefined ? 0 : msBetween(known, toInstant(at));
  // The time of the last change, in whole seconds.
  if (known !== undefined && sinceMs < 0 && sinceMs > -secondMs)
    return { at: momentAt(now, at.monoMs - sinceMs), isPast: true };
  if (known !== undefined && sinceMs < 0) {
    const what = last!.ended === null ? 'was put on the tap' : 'was taken off the tap';
    throw validationError(
      'changed_at',
      `must not be before keg ${last!.kegId} ${what}: ${new Date(known.wallMs).toISOString()}`,
      { name: 'keg_time', what: 'last_change' },
    );
  }
  return { at, isPast: true };
}
