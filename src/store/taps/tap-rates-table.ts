import { bestRate, ratePours } from '../../core/measurement/tap-rate.ts';
import { parseTickSeries } from '../../core/pours/tick-series.ts';
import type { Drink } from '../../core/records.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';

/** Drinks that are searched for clean pours. */
const maxRows = 120;

interface RateRow {
  series: string;
  duration_ms: number;
}

/** The best rates of the last clean pours of each tap, computed from the drinks; kept until something else changes. */
export function tapRatesTable(db: Database, caches: Caches) {
  const select = db.prepare<{ tapId: number; meter: string }, RateRow>(
    `SELECT series, duration_ms FROM
       (SELECT * FROM drinks WHERE tap_id = @tapId AND is_valid = 1 ORDER BY id DESC LIMIT ${maxRows}) d
     WHERE meter = @meter AND gas_onset_ms IS NULL AND foam_ticks = 0 AND recovered = 0 AND source IN ('pin', 'serial') AND series IS NOT NULL
       AND pour_time_ms > (SELECT rates_since_ms FROM taps WHERE id = @tapId)
     ORDER BY d.id DESC`,
  );
  const forget = db.prepare<{ tapId: number; ms: number }>(
    'UPDATE taps SET rates_since_ms = @ms WHERE id = @tapId',
  );
  const cached = caches.untilChange(() => new Map<string, number[]>());

  function read(tapId: number, meter: string): number[] {
    const rates: number[] = [];
    for (const { series, duration_ms } of select.iterate({ tapId, meter })) {
      const rate = bestRate(parseTickSeries(series) ?? [], duration_ms);
      if (rate !== null && rates.push(rate) >= ratePours) break;
    }
    return rates.reverse();
  }

  return {
    /** Ticks per second, oldest first. */
    best(tapId: number, meter: string): readonly number[] {
      const rates = cached();
      const key = `${tapId}/${meter}`;
      const known = rates.get(key) ?? read(tapId, meter);
      rates.set(key, known);
      return known;
    },
    /** Adds the rate of a drink that was just recorded. */
    add(drink: Drink): void {
      const { tapId, meter, isValid, gasOnsetMs, foamTicks, recovered, source, series, durationMs } = drink;
      const hasOther = gasOnsetMs !== null || foamTicks > 0;
      const isClean = isValid && !hasOther && !recovered && (source === 'pin' || source === 'serial');
      const known = isClean ? cached().get(`${tapId}/${meter}`) : undefined;
      if (known === undefined || series === null) return;
      const rate = bestRate(parseTickSeries(series) ?? [], durationMs);
      if (rate === null) return;
      known.push(rate);
      if (known.length > ratePours) known.shift();
    },
    /** Leaves out the pours until now: the tap runs faster since. */
    forget: (tapId: number, nowMs: number): void => void forget.run({ tapId, ms: nowMs }),
  };
}
