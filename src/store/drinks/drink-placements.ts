import type { Instant } from '../../core/clock/instant.ts';
import type { Drink } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { formatParts } from './drink-row.ts';
import type { DrinkTotalsTable } from './drink-totals-table.ts';

/** Which keg a drink came from. */
export type Placement = Pick<Drink, 'kegId' | 'parts' | 'isKegAssigned'>;

/** A placement as SQLite stores it. */
export const toBoundPlacement = ({ kegId, parts, isKegAssigned }: Placement) => ({
  kegId,
  parts: formatParts(parts),
  assigned: Number(isKegAssigned),
});

/** Statements about the kegs that drinks came from. */
export function drinkPlacements(db: Database, totals: DrinkTotalsTable) {
  const setPlacement = db.prepare<{
    id: number;
    kegId: number | null;
    parts: string | null;
    assigned: number;
  }>('UPDATE drinks SET keg_id = @kegId, parts = @parts, keg_assigned = @assigned WHERE id = @id');
  const flowEnd = db.prepare<[number], { wallMs: number; bootId: string; monoMs: number }>(
    'SELECT pour_time_ms AS wallMs, boot_id AS bootId, end_mono_ms AS monoMs FROM drinks WHERE id = ?',
  );
  const ofKeg = db.prepare<[number], { id: number; volumeMl: number; pourTimeMs: number }>(
    'SELECT id, volume_ml AS volumeMl, pour_time_ms AS pourTimeMs FROM keg_drinks WHERE keg_id = ?',
  );
  const idsAtTap = db
    .prepare<{ tapId: number; sinceMs: number; untilMs: number }, number>(
      `SELECT id FROM drinks WHERE tap_id = @tapId AND is_valid = 1 AND pour_time_ms BETWEEN @sinceMs AND @untilMs
       ORDER BY pour_time_ms, id`,
    )
    .pluck();
  return {
    setPlacement: (id: number, placement: Placement): void =>
      void totals.writing(id, () => setPlacement.run({ id, ...toBoundPlacement(placement) })),
    /** What drinks took from kegs, in the order they were poured. */
    inOrder: (kegIds: readonly number[]) =>
      kegIds.flatMap((kegId) => ofKeg.all(kegId)).sort((a, b) => a.pourTimeMs - b.pourTimeMs || a.id - b.id),
    /** When the last of it flowed. */
    flowEnd: (id: number): Instant => flowEnd.get(id)!,
    /** The valid drinks of a tap between two times, Unix milliseconds, in the order they were poured. */
    idsAtTap: (tapId: number, span: { readonly sinceMs: number; readonly untilMs: number }) =>
      idsAtTap.all({ tapId, ...span }),
  };
}
