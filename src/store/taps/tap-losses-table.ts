import type { Database } from '../database.ts';

/** What a tap's meter counted on one day that is no drink. */
export interface TapLoss {
  /** Days since 1970 at the bar. */
  readonly localDay: number;
  readonly drips: number;
  readonly dripTicks: number;
  /** Of liquid that moved to and fro in the line and stayed there. */
  readonly backFlowTicks: number;
}

interface LossRow {
  local_day: number;
  drips: number;
  drip_ticks: number;
  back_flow_ticks: number;
}

/** Drips and back-flow of each tap by day. */
export function tapLossesTable(db: Database) {
  const add = db.prepare<TapLoss & { tapId: number }>(
    `INSERT INTO tap_losses (tap_id, local_day, drips, drip_ticks, back_flow_ticks)
     VALUES (@tapId, @localDay, @drips, @dripTicks, @backFlowTicks)
     ON CONFLICT (tap_id, local_day) DO UPDATE SET drips = drips + @drips, drip_ticks = drip_ticks + @dripTicks,
       back_flow_ticks = back_flow_ticks + @backFlowTicks`,
  );
  const byTap = db.prepare<[tapId: number, limit: number], LossRow>(
    'SELECT * FROM tap_losses WHERE tap_id = ? ORDER BY local_day DESC LIMIT ?',
  );
  const byDay = db.prepare<[tapId: number, localDay: number], LossRow>(
    'SELECT * FROM tap_losses WHERE tap_id = ? AND local_day = ?',
  );
  const subtract = db.prepare<TapLoss & { tapId: number }>(
    `UPDATE tap_losses SET drips = drips - @drips, drip_ticks = drip_ticks - @dripTicks,
       back_flow_ticks = back_flow_ticks - @backFlowTicks WHERE tap_id = @tapId AND local_day = @localDay`,
  );
  const removeEmpty = db.prepare<{ tapId: number; localDay: number }>(
    `DELETE FROM tap_losses WHERE tap_id = @tapId AND local_day = @localDay
       AND drips = 0 AND drip_ticks = 0 AND back_flow_ticks = 0`,
  );
  return {
    add: (tapId: number, loss: TapLoss): void => void add.run({ tapId, ...loss }),
    /** Takes drips out of their day, since they are recorded elsewhere. */
    subtract(tapId: number, loss: TapLoss): void {
      subtract.run({ tapId, ...loss });
      removeEmpty.run({ tapId, localDay: loss.localDay });
    },
    /** Puts drips back that were taken out of their day. */
    restore: (tapId: number, loss: TapLoss): void => void add.run({ tapId, ...loss }),
    /** Null for a day without any. */
    byDay(tapId: number, localDay: number): TapLoss | null {
      const row = byDay.get(tapId, localDay);
      return row === undefined ? null : toTapLoss(row);
    },
    /** The newest days with any, newest first. */
    byTap: (tapId: number, limit: number): readonly TapLoss[] => byTap.all(tapId, limit).map(toTapLoss),
  };
}

const toTapLoss = (row: LossRow): TapLoss => ({
  localDay: row.local_day,
  drips: row.drips,
  dripTicks: row.drip_ticks,
  backFlowTicks: row.back_flow_ticks,
});
