import type { Moment } from '../../../core/clock/moment.ts';
import type { StockAlarmCondition } from '../core/alarm-kinds.ts';
import type { NotFreshKeg } from './stock.ts';

/** Kegs past their best-before day, or too long on their tap. The end of the keg or another day or limit ends the alarm. */
export const detectOldKegs = (kegs: readonly NotFreshKeg[], now: Moment): readonly StockAlarmCondition[] =>
  kegs.map(({ kegId, beverage, reason, days }) => ({
    kind: 'keg_not_fresh',
    subject: `keg-${kegId}-${reason}`,
    state: now.synced ? 'bad' : 'unknown',
    lastsMs: 0,
    clearsAfterMs: 0,
    values: { keg: String(kegId), beer: beverage, reason, days },
  }));
