import { hash } from 'node:crypto';
import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import type { ValidReport } from './reported-pour.ts';

/**
 * How long a repeated report is recognized, milliseconds. Known clients repeat a post after 10 s, up to three times;
 * the rest is for a restart of this machine meanwhile.
 */
const repeatWindowMs = 15 * 60_000;

/** Characters of the hash in a pour id: 132 bits. */
const hashChars = 22;

/** A valid report and where it belongs; without a tap only its meter is known, and the other way round. */
interface PlacedReport extends ValidReport {
  readonly tapId: number | null;
  readonly meter: { readonly name: string } | null;
}

/**
 * The result of a pour recorded earlier: its drink, or its last values when it was cancelled. Throws
 * `conflict` when it was a spill.
 */
export function findRecordedPour(store: Store, pourId: string): Drink | null {
  const existing = store.drinks.byPourId(pourId) ?? store.drinks.cancelledPour(pourId);
  if (existing !== null) return existing;
  if (store.spills.byPourId(pourId) === null) return null;
  throw new AppError('conflict', 'That pour was recorded as a spill; it will not be counted again.');
}

/**
 * The pour id of a report that was not found by its own, and the drink of an equal report that arrived up to 15 minutes
 * earlier. Without an id and an end by the client's clock a report equals no other: id and drink are null.
 */
export function identifyReport(
  store: Store,
  report: PlacedReport,
  now: Moment,
): { readonly pourId: string | null; readonly recorded: Drink | null } {
  const { pourId, clientEndS } = report;
  if (pourId !== null || clientEndS === null) return { pourId, recorded: null };
  const prefix = toPourIdPrefix(report);
  const latest = store.drinks.latestPourId(prefix);
  return latest !== null && isWithinRepeatWindow(latest, now)
    ? { pourId: latest, recorded: findRecordedPour(store, latest) }
    : { pourId: toPourId(prefix, now), recorded: null };
}

/**
 * The first part of a pour id that is made of the report's values, before they are resolved or corrected. Two pours
 * through one meter cannot have equal values, because they cannot end within the same second.
 */
function toPourIdPrefix(report: PlacedReport): string {
  const { meter, tapId, ticks, volumeMl, clientEndS, durationMs, authToken, username } = report;
  const values = [meter?.name ?? tapId, ticks, volumeMl, clientEndS, durationMs, authToken, username];
  return `post.${hash('sha256', JSON.stringify(values), 'base64url').slice(0, hashChars)}.`;
}

/** Completes the prefix with the time at which the report arrived, by both clocks. */
function toPourId(prefix: string, { wallMs, monoMs, bootId }: Moment): string {
  // Nine digits, so that the ids of one prefix are ordered by time.
  const wall = toBase36(wallMs).padStart(9, '0');
  return `${prefix}${wall}.${toBase36(monoMs)}.${shortBootId(bootId)}`;
}

/**
 * Whether a report that arrives now can repeat the one that got this pour id. While the clock is not set after a restart
 * of the machine, the time between both is unknown, but at least that since the restart.
 */
function isWithinRepeatWindow(pourId: string, now: Moment): boolean {
  const [, , wall = '', mono = '', boot] = pourId.split('.');
  if (boot === shortBootId(now.bootId)) return now.monoMs - Number.parseInt(mono, 36) <= repeatWindowMs;
  if (!now.synced) return now.monoMs <= repeatWindowMs;
  return Math.abs(now.wallMs - Number.parseInt(wall, 36)) <= repeatWindowMs;
}

const toBase36 = (ms: number): string => Math.max(0, Math.round(ms)).toString(36);

const shortBootId = (bootId: string): string => bootId.replaceAll(/[^0-9a-z]/gi, '').slice(0, 8);
