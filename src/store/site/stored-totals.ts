import type { Database } from '../database.ts';
import { drinkTotalChecks } from '../drinks/drink-totals-checks.ts';
import { sessionChecks } from '../drinks/sessions/session-checks.ts';
import { kegChecks } from './keg-checks.ts';

/** A stored total and the same total computed from the rows. */
export interface TotalCheck {
  readonly what: string;
  readonly stored: number;
  readonly computed: number;
}

/** Stored totals that must equal the computed ones. */
const equalTotals = `
  SELECT 'spilled from keg ' || id AS what, spilled_volume_ml AS stored,
    (SELECT total(volume_ml) FROM keg_spills WHERE keg_id = kegs.id) AS computed FROM kegs
  UNION ALL SELECT 'on a tap: keg ' || id, state = 'on_tap',
    EXISTS (SELECT 1 FROM tap_kegs WHERE keg_id = kegs.id) FROM kegs
  UNION ALL ${sessionChecks}
  UNION ALL ${drinkTotalChecks}
  UNION ALL ${kegChecks}
  UNION ALL SELECT 'readings of sensor ' || id, readings,
    (SELECT count(*) FROM thermo_logs WHERE sensor_id = thermo_sensors.id) FROM thermo_sensors`;

/** Stored values that must reach the computed ones: drips count ticks without a drink. */
const coveringTotals = `
  SELECT 'ticks of meter ' || c.name || '.' || m.port_name AS what, m.ticks_total AS stored,
    coalesce((SELECT sum(ticks) FROM (SELECT ticks, meter FROM drinks UNION ALL SELECT ticks, meter FROM spills WHERE cause IS NULL)
      WHERE meter = c.name || '.' || m.port_name), 0) AS computed
    FROM flow_meters m JOIN controllers c ON c.id = m.controller_id`;

/** Sums of many volumes round differently in another order; a difference below this is not an error. */
const toleranceMl = 1e-3;

/** More differences than anybody reads; a bound for a database in which all totals are wrong. */
const maxDifferences = 1_000;

/**
 * The stored totals that differ from the computed ones. Reads the whole database, so it is for checks and not
 * for pages. SQLite compares: a million drinks have more totals than fit into the memory of a backup process.
 */
/** `ofExtensions`: SQL of further totals that must equal the computed ones. */
export function totalChecks(db: Database, ofExtensions: readonly string[] = []) {
  const unequal = db.prepare<[], TotalCheck>(
    `SELECT * FROM (${[equalTotals, ...ofExtensions].join(' UNION ALL ')}) WHERE abs(stored - computed) > ${toleranceMl} LIMIT ${maxDifferences}`,
  );
  const notReached = db.prepare<[], TotalCheck>(
    `SELECT * FROM (${coveringTotals}) WHERE stored < computed LIMIT ${maxDifferences}`,
  );
  return {
    unequal: (): readonly TotalCheck[] => unequal.all(),
    notReached: (): readonly TotalCheck[] => notReached.all(),
  };
}
