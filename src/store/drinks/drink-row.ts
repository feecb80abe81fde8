import type { DrinkPart } from '../../core/kegs/keg-spans.ts';
import type { RateDefault } from '../../core/measurement/tap-rate.ts';
import type { Drink, PourSource } from '../../core/records.ts';
import { toUsernameKey } from '../../core/users/username-rules.ts';

/** A row of `drinks` with the name of its user. */
export interface DrinkRow {
  id: number;
  tap_id: number | null;
  keg_id: number | null;
  parts: string | null;
  keg_assigned: number;
  session_id: number | null;
  username: string | null;
  claimed_username: string | null;
  auth_token: string | null;
  ticks: number;
  volume_ml: number;
  volume_given: number;
  pour_time_ms: number;
  time_certain: number;
  duration_ms: number;
  is_valid: number;
  held_reason: string | null;
  pour_id: string | null;
  meter: string | null;
  ticks_lost: number | null;
  rejected_edges: number;
  series: string | null;
  gas_ticks: number;
  foam_ticks: number;
  gas_onset_ms: number | null;
  rate_default: RateDefault | null;
  shout: string | null;
  recovered: number;
  flow_while_shut: number;
  source: PourSource;
  is_set_aside: number;
}

/** Reads such rows. */
export const selectDrinks = 'SELECT d.*, u.username FROM drinks d LEFT JOIN users u ON u.id = d.user_id';

/** An element of `drinks.parts`. */
interface StoredPart {
  readonly keg_id: number | null;
  readonly ticks: number;
  readonly gas_ticks: number;
  readonly foam_ticks: number;
  readonly volume_ml: number;
}

/** The parts of a drink that came from several kegs; null for all others. */
export const parseParts = (text: string | null): readonly DrinkPart[] | null =>
  text === null
    ? null
    : (JSON.parse(text) as StoredPart[]).map((part) => ({
        kegId: part.keg_id,
        ticks: part.ticks,
        gasTicks: part.gas_ticks,
        foamTicks: part.foam_ticks,
        volumeMl: part.volume_ml,
      }));

export const formatParts = (parts: readonly DrinkPart[] | null): string | null =>
  parts === null
    ? null
    : JSON.stringify(
        parts.map(
          ({ kegId, ticks, gasTicks, foamTicks, volumeMl }): StoredPart => ({
            keg_id: kegId,
            ticks,
            gas_ticks: gasTicks,
            foam_ticks: foamTicks,
            volume_ml: volumeMl,
          }),
        ),
      );

/** `claimed_username_key` of a drink: the form by which its claimed username is compared. */
export const toClaimKey = (claimedUsername: string | null): string | null =>
  claimedUsername === null ? null : toUsernameKey(claimedUsername);

/** The drink of a row; null without one. */
export function toDrink(row: DrinkRow | undefined): Drink | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    tapId: row.tap_id,
    kegId: row.keg_id,
    parts: parseParts(row.parts),
    isKegAssigned: row.keg_assigned === 1,
    sessionId: row.session_id,
    username: row.username,
    claimedUsername: row.claimed_username,
    authToken: row.auth_token,
    ticks: row.ticks,
    gasTicks: row.gas_ticks,
    foamTicks: row.foam_ticks,
    gasOnsetMs: row.gas_onset_ms,
    rateDefault: row.rate_default,
    volumeMl: row.volume_ml,
    volumeGiven: row.volume_given === 1,
    pourTimeMs: row.pour_time_ms,
    timeCertain: row.time_certain === 1,
    durationMs: row.duration_ms,
    isValid: row.is_valid === 1,
    heldReason: row.held_reason,
    pourId: row.pour_id,
    meter: row.meter,
    ticksLost: row.ticks_lost,
    rejectedEdges: row.rejected_edges,
    series: row.series,
    shout: row.shout,
    recovered: row.recovered === 1,
    flowWhileShut: row.flow_while_shut === 1,
    source: row.source,
    isSetAside: row.is_set_aside === 1,
  };
}
