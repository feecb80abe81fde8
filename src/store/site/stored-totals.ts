import type { KegState } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { statisticsChecks } from '../reports/statistics-checks.ts';
import { listCounterChecks, notYetCounted } from '../shared/list-counters-table.ts';
import { spanBoundChecks, spanCountChecks } from '../shared/span-blocks.ts';

/** A stored total and the same total computed from the rows. */
export interface TotalCheck {
  readonly what: string;
  readonly stored: number;
  readonly computed: number;
}

type CounterName = 'drinks' | 'held_drinks' | KegState;

/** Lengths of the long lists, maintained by triggers. */
export function countersTable(db: Database) {
  const read = db.prepare<[string], number>('SELECT value FROM counters WHERE name = ?').pluck();
  const newest = db
    .prepare<[number], number>(
      `SELECT count(*) FROM drinks WHERE ${notYetCounted('drinks')} AND +is_valid = ?`,
    )
    .pluck();
  return {
    read(name: CounterName): number {
      const added = read.get(name)!;
      if (name !== 'drinks' && name !== 'held_drinks') return added;
      return added + newest.get(Number(name === 'drinks'))!;
    },
  };
}

/** Stored totals that must equal the computed ones. */
const equalTotals = `
  SELECT 'served from keg ' || id AS what, served_volume_ml AS stored,
    (SELECT total(volume_ml) FROM drinks WHERE keg_id = kegs.id) AS computed FROM kegs
  UNION ALL SELECT 'spilled from keg ' || id, spilled_volume_ml,
    (SELECT total(volume_ml) FROM spills WHERE keg_id = kegs.id) FROM kegs
  UNION ALL SELECT 'taps of keg ' || id, state = 'on_tap',
    (SELECT count(*) FROM taps WHERE keg_id = kegs.id) FROM kegs
  UNION ALL SELECT 'poured in session ' || id, volume_ml,
    (SELECT total(volume_ml) FROM drinks WHERE session_id = sessions.id) FROM sessions
  UNION ALL SELECT 'start of session ' || id, start_time_ms,
    (SELECT coalesce(min(pour_time_ms), 0) FROM drinks WHERE session_id = sessions.id) FROM sessions
  UNION ALL SELECT 'number of ' || name, value
      + (SELECT count(*) FROM drinks WHERE ${notYetCounted('drinks')} AND +is_valid = (name = 'drinks')),
    (SELECT count(*) FROM drinks WHERE is_valid = (name = 'drinks'))
    FROM counters WHERE name IN ('drinks', 'held_drinks')
  UNION ALL SELECT 'number of kegs ' || name, value, (SELECT count(*) FROM kegs WHERE state = name)
    FROM counters WHERE name IN ('available', 'on_tap', 'finished')
  UNION ALL ${listCounterChecks}
  UNION ALL ${spanCountChecks}
  UNION ALL ${statisticsChecks}
  UNION ALL SELECT 'events of block ' || block, items,
    (SELECT count(*) FROM events WHERE id BETWEEN block * 1024 AND block * 1024 + 1023) FROM event_blocks`;

/** Stored values that must reach the computed ones: drips count ticks without a drink, sessions end later. */
const coveringTotals = `
  ${spanBoundChecks}
  UNION ALL SELECT 'end of session ' || id, end_time_ms,
    (SELECT coalesce(max(pour_time_ms), 0) FROM drinks WHERE session_id = sessions.id) FROM sessions
  UNION ALL SELECT 'ticks of meter ' || c.name || '.' || m.port_name, m.ticks_total,
    coalesce((SELECT sum(ticks) FROM (SELECT ticks, meter FROM drinks UNION ALL SELECT ticks, meter FROM spills)
      WHERE meter = c.name || '.' || m.port_name), 0)
    FROM flow_meters m JOIN controllers c ON c.id = m.controller_id`;

/**
 * Every stored total with the computed one. Reads the whole database, so it is for checks and not for pages.
 */
export function totalChecks(db: Database) {
  const equal = db.prepare<[], TotalCheck>(equalTotals);
  const covering = db.prepare<[], TotalCheck>(coveringTotals);
  return {
    mustEqual: (): readonly TotalCheck[] => equal.all(),
    mustReach: (): readonly TotalCheck[] => covering.all(),
  };
}
