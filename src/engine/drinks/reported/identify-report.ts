import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { PourSource } from '../../../core/records.ts';
import type {
  Recorded,
  RecordedReport,
  Report,
  ReportedEnd,
} from '../../../store/drinks/reported-pours-table.ts';
import type { Store } from '../../../store/store.ts';
import type { ValidReport } from './reported-pour.ts';

/** Ends of one pour differ by at most this, since clients send whole seconds, milliseconds. */
const sameEndMs = 2_000;

/**
 * How much later than the sender's clock says a repetition may arrive, since it was delayed on its way, milliseconds. Within this
 * time of the first report it is a repetition also by a clock that is wrong or stands still.
 */
const delayMs = 60_000;

/** A sender's clock is right when it is this close to ours, milliseconds. */
const rightClockMs = 86_400_000;

/** A valid report and where it belongs; without a tap only its meter is known, and the other way round. */
interface PlacedReport extends ValidReport {
  readonly tapId: number | null;
  readonly meter: { readonly name: string } | null;
  readonly source: PourSource;
  readonly isSpill: boolean;
}

/** Which pour a report is. */
export interface Identity {
  /** The report that recorded it; null for a new one. */
  readonly first: RecordedReport | null;
  /** True when nobody can tell whether it was recorded. */
  readonly isPossibleRepeat: boolean;
  /** To be stored with what is recorded; null without an id and an end, which equals no other. */
  readonly report: Report | null;
}

/**
 * Finds the pour of a report, by one rule for every path. Reports of one sender through one meter with equal ticks, volume and
 * duration are one pour
 * - with an equal id, unless their ends differ by our clock and by the sender's; nobody can tell while our clock is not set;
 * - without an id, when their ends are equal by our clock, however late, or by the sender's clock and nearly by ours. With an
 *   equal end by the sender's clock alone, that clock was set, is wrong or stands still, and nobody can tell.
 *
 * Throws `conflict` for an id that a person's client has used for something else; a controller cannot choose another one, so
 * that its pour is new.
 */
export function identifyReport(store: Store, placed: PlacedReport, now: Moment): Identity {
  const report = toReport(placed, now);
  const { pourId, end } = report;
  const isByHand = placed.source === 'manual';
  if (pourId !== null) {
    const equal = store.drinks.reportedPours.byId(pourId, report);
    const here = equal.filter(({ meter }) => meter === report.meter);
    const first = placed.isSentAgain ? equal[0] : here.find((row) => hasSameEnd(row, end, now, { isByHand }));
    if (first === undefined && isByHand && store.drinks.reportedPours.hasId(pourId, report.sender))
      throw reusedError();
    const isUnknown =
      end !== null && here.some((row) => distanceMs(row, end, now) === Number.POSITIVE_INFINITY);
    return { first: first ?? null, isPossibleRepeat: first === undefined && isUnknown, report };
  }
  if (end === null) return { first: null, isPossibleRepeat: false, report: null };
  const equal = end.clientEndS === null ? [] : store.drinks.reportedPours.byClientEnd(end.clientEndS, report);
  const first =
    findByOurClock(store, report, end, now) ??
    equal.find((row) => isSameByClientClock(row, end, now)) ??
    null;
  return { first, isPossibleRepeat: first === null && equal.length > 0, report };
}

/** Remembers what was recorded of a new report, in the transaction that records it. */
export function rememberReport(store: Store, { report }: Identity, recorded: Recorded, now: Moment): void {
  if (report === null) return;
  const id = store.drinks.reportedPours.add(report, recorded);
  const { end } = report;
  if (end !== null) store.provisionalTimes.note('reported_pour', id, { ...now, monoMs: end.endMonoMs });
}

function toReport(placed: PlacedReport, now: Moment): Report {
  const { sender, tapId, meter, pourId, ticks, volumeMl, durationMs, isSpill } = placed;
  return {
    sender,
    pourId,
    ticks,
    volumeMl,
    durationMs,
    isSpill,
    meter: meter?.name ?? `tap ${tapId}`,
    end: toEnd(placed, now),
  };
}

function toEnd({ endAgoMs, clientClock, source }: PlacedReport, now: Moment): ReportedEnd | null {
  if (endAgoMs === null) return null;
  const endMs = Math.round(now.wallMs - endAgoMs);
  const ends = { endMs, endMonoMs: now.monoMs - endAgoMs, bootId: now.bootId };
  if (clientClock !== null) {
    const isClockRight = now.synced && Math.abs(clientClock.nowS * 1_000 - now.wallMs) <= rightClockMs;
    return { ...ends, clientEndS: clientClock.endS, clientNowS: clientClock.nowS, isClockRight };
  }
  // What a person enters is a time; a board sends an age, which no clock can make wrong.
  const clientEndS = source === 'manual' ? Math.floor(endMs / 1_000) : null;
  return { ...ends, clientEndS, clientNowS: null, isClockRight: true };
}

/** For a report with an equal id. */
function hasSameEnd(
  row: RecordedReport,
  end: ReportedEnd | null,
  now: Moment,
  { isByHand }: { readonly isByHand: boolean },
): boolean {
  if (row.end === null || end === null) return !isByHand || row.end === end;
  const isEqual = end.clientEndS !== null && row.end.clientEndS === end.clientEndS;
  return isEqual || distanceMs(row, end, now) <= sameEndMs;
}

/** While the sender's clock is wrong, only its own times tell its pours apart: they may be sent in quick succession. */
function findByOurClock(
  store: Store,
  report: Report,
  end: ReportedEnd,
  now: Moment,
): RecordedReport | undefined {
  const span = { fromMs: end.endMs - sameEndMs, untilMs: end.endMs + sameEndMs };
  return (end.isClockRight ? [true, false] : [true])
    .flatMap((isClockRight) => store.drinks.reportedPours.byEnd({ ...span, isClockRight }, report))
    .find((row) => distanceMs(row, end, now) <= sameEndMs);
}

/**
 * For a report with an equal end by the sender's clock. A wrong clock may show one time twice, after each start of the sender, so
 * that only a report that follows the first one is a repetition.
 */
function isSameByClientClock(row: RecordedReport, end: ReportedEnd, now: Moment): boolean {
  if (distanceMs(row, end, now) > delayMs) return false;
  if (row.end!.isClockRight && end.isClockRight) return true;
  return distanceMs({ ...row, end: toArrival(row.end!) }, toArrival(end), now) <= delayMs;
}

/** When the report arrived. */
function toArrival(end: ReportedEnd): ReportedEnd {
  const ageMs = ((end.clientNowS ?? 0) - (end.clientEndS ?? 0)) * 1_000;
  return { ...end, endMs: end.endMs + ageMs, endMonoMs: end.endMonoMs + ageMs };
}

/** Time between both ends by our clock; infinite while it is unknown because the clock was not set. */
function distanceMs({ end, isTimeCertain }: RecordedReport, other: ReportedEnd, now: Moment): number {
  if (end === null) return Number.POSITIVE_INFINITY;
  if (end.bootId === other.bootId) return Math.abs(end.endMonoMs - other.endMonoMs);
  if (!isTimeCertain || !now.synced) return Number.POSITIVE_INFINITY;
  return Math.abs(end.endMs - other.endMs);
}

const reusedError = () =>
  new AppError('conflict', 'This Idempotency-Key was used for a different request: choose a new one.', {
    reason: { name: 'idempotency_key_reused' },
  });
