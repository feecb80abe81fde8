import { type PourStarts, pourStarts } from '../../core/measurement/pour-starts.ts';
import type { PourSource } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { toClaimKey } from './drink-row.ts';
import type { DrinkTotalsTable } from './drink-totals-table.ts';

/** The measured values of a drink. */
export interface DrinkMeasure {
  readonly ticks: number;
  readonly volumeMl: number;
  readonly volumeGiven: boolean;
  readonly series: string | null;
  readonly gasTicks: number;
  readonly foamTicks: number;
  readonly gasOnsetMs: number | null;
  readonly ticksLost: number | null;
  readonly rejectedEdges: number;
  readonly flowWhileShut: boolean;
  readonly pourTimeMs: number;
  readonly durationMs: number;
}

/** Owner of a new part of a drink. */
interface PartUser {
  readonly userId: number | null;
  readonly claimedUsername: string | null;
  readonly authToken: string | null;
}

/** Statements used by corrections of drinks only. */
export function drinkCorrections(db: Database, totals: DrinkTotalsTable) {
  const setMeasure = db.prepare<Bound<DrinkMeasure> & { id: number }>(
    `UPDATE drinks SET ticks = @ticks, volume_ml = @volumeMl, volume_given = @volumeGiven, series = @series, rise_hz = @riseHz, flow_ms = @flowMs, ticks_lost = @ticksLost,
       gas_ticks = @gasTicks, foam_ticks = @foamTicks, gas_onset_ms = @gasOnsetMs,
       rejected_edges = @rejectedEdges, flow_while_shut = @flowWhileShut, pour_time_ms = @pourTimeMs, duration_ms = @durationMs WHERE id = @id`,
  );
  const addPart = db
    .prepare<Bound<DrinkMeasure> & PartUser & { claimKey: string | null; ofId: number }, number>(
      `INSERT INTO drinks (tap_id, keg_id, keg_assigned, session_id, user_id, claimed_username, claimed_username_key, auth_token,
         ticks, volume_ml, volume_given, pour_time_ms, time_certain, boot_id, end_mono_ms, duration_ms, is_valid, held_reason, pour_id,
         meter, ticks_lost, rejected_edges, series, rise_hz, flow_ms, gas_ticks, foam_ticks, gas_onset_ms, rate_default, shout, recovered, flow_while_shut, source)
       SELECT tap_id, keg_id, keg_assigned, session_id, @userId, @claimedUsername, @claimKey, @authToken,
         @ticks, @volumeMl, @volumeGiven, @pourTimeMs, time_certain, boot_id, end_mono_ms, @durationMs, is_valid, held_reason, NULL,
         meter, @ticksLost, @rejectedEdges, @series, @riseHz, @flowMs, @gasTicks, @foamTicks, @gasOnsetMs, rate_default, NULL, recovered, @flowWhileShut, source
       FROM drinks WHERE id = @ofId RETURNING id`,
    )
    .pluck();
  const setShout = db.prepare<{ id: number; shout: string | null }>(
    'UPDATE drinks SET shout = @shout WHERE id = @id',
  );
  const setTap = db.prepare<{ id: number; tapId: number }>(
    'UPDATE drinks SET tap_id = @tapId WHERE id = @id',
  );
  const setComputedVolume = db.prepare<{ id: number; ml: number }>(
    'UPDATE drinks SET volume_ml = @ml WHERE id = @id AND volume_given = 0',
  );
  const computedVolumes = db.prepare<
    { kegId: number; meter: string },
    {
      id: number;
      ticks: number;
      gasTicks: number;
      foamTicks: number;
      series: string | null;
      pourId: string | null;
      source: PourSource;
      volumeMl: number;
      pourTimeMs: number;
    }
  >(
    `SELECT id, ticks, gas_ticks AS gasTicks, foam_ticks AS foamTicks, series, pour_id AS pourId, source, volume_ml AS volumeMl,
       pour_time_ms AS pourTimeMs FROM drinks
     WHERE keg_id = @kegId AND meter = @meter AND volume_given = 0 ORDER BY id DESC`,
  );
  const withGas = db
    .prepare<[kegId: number, firstId: number], number>(
      'SELECT id FROM drinks WHERE keg_id = ? AND id >= ? AND gas_ticks > 0 ORDER BY id',
    )
    .pluck();
  const heldAsGas = db
    .prepare<[tapId: number, firstId: number], number>(
      `SELECT id FROM drinks INDEXED BY drinks_held
       WHERE is_valid <> 1 AND is_valid = 0 AND is_set_aside = 0 AND held_reason = 'gas' AND tap_id = ? AND id >= ?`,
    )
    .pluck();
  const unattributed = (column: 'claimed_username_key' | 'auth_token') => ({
    ids: db
      .prepare<[string, number], number>(
        `SELECT id FROM drinks WHERE ${column} = ? AND user_id IS NULL ORDER BY is_valid DESC, id DESC LIMIT ?`,
      )
      .pluck(),
    count: db
      .prepare<[string], number>(`SELECT count(*) FROM drinks WHERE ${column} = ? AND user_id IS NULL`)
      .pluck(),
  });
  const unattributedBy = { claim: unattributed('claimed_username_key'), token: unattributed('auth_token') };
  return {
    /** Drinks without a user, held ones too, by the form of the claimed name for comparison or by the token; newest first. */
    unattributedIds: (by: 'claim' | 'token', value: string, limit: number): readonly number[] =>
      unattributedBy[by].ids.all(value, limit),
    unattributedCount: (by: 'claim' | 'token', value: string): number => unattributedBy[by].count.get(value)!,
    setMeasure: (id: number, measure: DrinkMeasure): void =>
      void totals.writing(id, () => setMeasure.run({ ...toBound(measure), id })),
    /** Adds a further drink of the same pour, without pour_id, which the first one keeps. Returns its id. */
    addPart(ofId: number, part: DrinkMeasure & PartUser): number {
      const id = addPart.get({ ...toBound(part), claimKey: toClaimKey(part.claimedUsername), ofId })!;
      totals.addStored(id);
      return id;
    },
    setShout: (id: number, shout: string | null): void => void setShout.run({ id, shout }),
    setTap: (id: number, tapId: number): void => void totals.writing(id, () => setTap.run({ id, tapId })),
    /** Does not change a volume that was given instead of computed. */
    setComputedVolume: (id: number, ml: number): void =>
      void totals.writing(id, () => setComputedVolume.run({ id, ml })),
    /** Drinks of a keg with gas, from that one on. */
    withGas: (kegId: number, firstId: number): readonly number[] => withGas.all(kegId, firstId),
    /** Held pours of a tap that were taken for gas alone, from that one on. */
    heldAsGas: (tapId: number, firstId: number): readonly number[] =>
      heldAsGas.all(tapId, firstId).sort((a, b) => a - b),
    /** Drinks of a keg whose volume is computed from that meter's ticks of beer, newest first. */
    computedVolumes: (kegId: number, meter: string) => computedVolumes.all({ kegId, meter }),
  };
}

/** A measure as SQLite stores it: without booleans. */
type Bound<T extends DrinkMeasure> = Omit<T, 'volumeGiven' | 'flowWhileShut'> &
  PourStarts & {
    readonly volumeGiven: number;
    readonly flowWhileShut: number;
  };

const toBound = <T extends DrinkMeasure>(measure: T): Bound<T> => ({
  ...measure,
  ...pourStarts(measure),
  volumeGiven: Number(measure.volumeGiven),
  flowWhileShut: Number(measure.flowWhileShut),
});
