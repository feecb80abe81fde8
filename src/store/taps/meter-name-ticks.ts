import type { Database } from '../database.ts';

/** One meter, or all meters of a controller. */
type MeterSelection = { readonly meterId: number } | { readonly controllerId: number };

/** Lifetime ticks belong to a meter name, whichever meter has it, because drinks store the name. */
export function meterNameTicks(db: Database) {
  const which = 'm.id = @meterId OR m.controller_id = @controllerId';
  const save = db.prepare<{ meterId: number | null; controllerId: number | null }>(
    `INSERT INTO unassigned_ticks SELECT c.name || '.' || m.port_name, m.ticks_total
       FROM flow_meters m JOIN controllers c ON c.id = m.controller_id WHERE ${which}
     ON CONFLICT (meter) DO UPDATE SET ticks = max(ticks, excluded.ticks)`,
  );
  const restore = db.prepare<{ meterId: number | null; controllerId: number | null }>(
    `UPDATE flow_meters AS m SET ticks_total = max(m.ticks_total, n.ticks)
     FROM unassigned_ticks n, controllers c
     WHERE c.id = m.controller_id AND n.meter = c.name || '.' || m.port_name AND (${which})`,
  );
  const noMeters = { meterId: null, controllerId: null };
  return {
    save: (named: MeterSelection): void => void save.run({ ...noMeters, ...named }),
    restore: (named: MeterSelection): void => void restore.run({ ...noMeters, ...named }),
  };
}
