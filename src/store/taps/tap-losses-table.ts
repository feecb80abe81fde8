import type { Database } from '../database.ts';

/** What a tap's meter counted on one day that is no drink. */
export interface TapLoss {
  /** Days since 1970 at the bar. */
  readonly localDay: number;
  readonly drips: number;
  readonly dripTicks: number;
  /** Of liquid that moved to and fro in the line and stayed there. */
  readonly backFlowTicks: number;
  readonly gasTicks: number;
}

/** Drips and back-flow of one day, or a part of them. */
export type DripLoss = Pick<TapLoss, 'localDay' | 'drips' | 'dripTicks' | 'backFlowTicks'>;

interface LossRow {
  local_day: number;
  drips: number;
  drip_ticks: number;
  back_flow_ticks: number;
  gas_ticks: number;
}

/** Drips, back-flow and gas of each tap by day. */
export function tapLossesTable(db: Database) {
  const add = db.prepare<TapLoss & { tapId: number }>(
    `INSERT INTO tap_losses (tap_id, local_day, drips, drip_ticks, back_flow_ticks, gas_ticks)
     VALUES (@tapId, @localDay, @drips, @dripTicks, @backFlowTicks, @gasTicks)
     ON CONFLICT (tap_id, local_day) DO UPDATE SET drips = drips + @drips, drip_ticks = drip_ticks + @dripTicks,
       back_flow_ticks = back_flow_ticks + @backFlowTicks, gas_ticks = gas_ticks + @gasTicks`,
  );
  const byTap = db.prepare<[tapId: number, limit: number], LossRow>(
    'SELECT * FROM tap_losses WHERE tap_id = ? ORDER BY local_day DESC LIMIT ?',
  );
  const byDay = db.prepare<[tapId: number, localDay: number], LossRow>(
    'SELECT * FROM tap_losses WHERE tap_id = ? AND local_day = ?',
  );
  const subtract = db.prepare<DripLoss & { tapId: number }>(
    `UPDATE tap_losses SET drips = drips - @drips, drip_ticks = drip_ticks - @dripTicks,
       back_flow_ticks = back_flow_ticks - @backFlowTicks WHERE tap_id = @tapId AND local_day = @localDay`,
  );
  const removeEmpty = db.prepare<{ tapId: number; localDay: number }>(
    `DELETE FROM tap_losses WHERE tap_id = @tapId AND local_day = @localDay
       AND drips = 0 AND drip_ticks = 0 AND back_flow_ticks = 0 AND gas_ticks = 0`,
  );
  const addGasPour = db.prepare<[pourId: string]>('INSERT INTO gas_pours (pour_id) VALUES (?)');
  const hasGasPour = db.prepare<[pourId: string]>('SELECT 1 FROM gas_pours WHERE pour_id = ?');
  return {
    add: (tapId: number, loss: TapLoss): void => void add.run({ tapId, ...loss }),
    /** Takes drips out of their day, since they are recorded elsewhere. */
    subtract(tapId: number, loss: DripLoss): void {
      subtract.run({ tapId, ...loss });
      removeEmpty.run({ tapId, localDay: loss.localDay });
    },
    /** Puts drips back that were taken out of their day. */
    restore: (tapId: number, loss: DripLoss): void => void add.run({ tapId, ...loss, gasTicks: 0 }),
    /** Null for a day without any. */
    byDay(tapId: number, localDay: number): TapLoss | null {
      const row = byDay.get(tapId, localDay);
      return row === undefined ? null : toTapLoss(row);
    },
    /** Remembers a pour that was gas alone. */
    addGasPour: (pourId: string): void => void addGasPour.run(pourId),
    hasGasPour: (pourId: string): boolean => hasGasPour.get(pourId) !== undefined,
    /** The newest days with any, newest first. */
    byTap: (tapId: number, limit: number): readonly TapLoss[] => byTap.all(tapId, limit).map(toTapLoss),
  };
}

const toTapLoss = (row: LossRow): TapLoss => ({
  localDay: row.local_day,
  drips: row.drips,
  dripTicks: row.drip_ticks,
  backFlowTicks: row.back_flow_ticks,
  gasTicks: row.gas_ticks,
});
