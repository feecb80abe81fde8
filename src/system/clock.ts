import { AppError } from '../core/app-error.ts';
import { isWallTrusted, type WallAnchor, wallAt } from '../core/clock-rules.ts';
import type { Clock, Moment } from '../core/moment.ts';
import { type ClockReadings, machineReadings } from './clock-readings.ts';
import { releaseYear } from './product.ts';

/** A person's time later than this many years after the release is a slip of the finger. */
const maxYearsAhead = 50;

/** A time service mends seconds that a crystal lost since it was last heard; who moves the clock further says it was wrong. */
const stepThresholdMs = 60_000;

/** Who vouches for the time: nobody yet, a person at the page, or the machine's own time service. */
export type TimeSource = 'nobody' | 'person' | 'system';

/** The house's clock. A Pi has none of its own until it hears the time from somebody. */
export interface SystemClock extends Clock {
  now(): Moment;
  /**
   * Looks whether the time has become known since the last look, or a known one was moved by minutes; call it about once a
   * second.
   */
  poll(): 'synced-now' | 'unchanged' | { readonly steppedMs: number };
  /**
   * A person says what time it is, unix milliseconds; this counts until the machine's own clock is synchronised. Throws
   * `invalid_request` for a time that cannot be, `conflict` when the machine knows better.
   */
  setManually(wallMs: number): void;
  /** While nobody vouches for the time, it is never shown below this stamp. */
  setLowerBound(wallMs: number): void;
  readonly source: TimeSource;
}

export interface ClockOptions {
  /** The newest stamp ever taken from a set clock, null when there is none. */
  readonly newestSyncedMs?: number | null;
  /** Without a time service, a clock that shows this year or a later one is believed. */
  readonly buildYear?: number;
  readonly readings?: ClockReadings;
}

/** Makes the clock. It owns no timer: `poll` is how it learns. */
export function createClock(options: ClockOptions = {}): SystemClock {
  const { buildYear = releaseYear, readings = machineReadings() } = options;
  let source: TimeSource = 'nobody';
  /** The time to show while nobody vouches for it. It runs on by itself: a leap of an unset clock tears no evening. */
  let estimate: WallAnchor = { monoMs: readings.monoMs(), wallMs: readings.wallMs() };
  let lastTimes = readTimes();
  let manualAnchor: WallAnchor | null = null;
  let hasUnreportedSync = false;

  function isSystemTimeTrusted(): boolean {
    return isWallTrusted({ flagFile: readings.flagFile(), wallMs: readings.wallMs(), buildYear });
  }

  function currentWallMs(monoMs: number): number {
    if (source === 'system') return readings.wallMs();
    return Math.round(wallAt(manualAnchor ?? estimate, monoMs));
  }

  function readTimes() {
    return { wallMs: readings.wallMs(), uptimeMs: readings.uptimeMs() };
  }

  /** How far the machine's clock was moved since the last look, beside what has passed. */
  function measureStepMs(): number {
    const before = lastTimes;
    lastTimes = readTimes();
    return lastTimes.wallMs - before.wallMs - (lastTimes.uptimeMs - before.uptimeMs);
  }

  const clock: SystemClock = {
    now() {
      const monoMs = readings.monoMs();
      return { monoMs, wallMs: currentWallMs(monoMs), synced: source !== 'nobody', bootId: readings.bootId };
    },
    poll() {
      const steppedMs = measureStepMs();
      if (source === 'system' && Math.abs(steppedMs) >= stepThresholdMs) return { steppedMs };
      // Once known it stays known: a time service that is stopped later does not unset the clock.
      if (source !== 'system' && isSystemTimeTrusted()) {
        source = 'system';
        hasUnreportedSync = true;
      }
      const answer = hasUnreportedSync ? 'synced-now' : 'unchanged';
      hasUnreportedSync = false;
      return answer;
    },
    setManually(wallMs) {
      if (source === 'system' || isSystemTimeTrusted()) {
        throw new AppError('conflict', 'The Pi already keeps the right time by itself.', {
          reason: { name: 'clock_is_right' },
        });
      }
      const latest = Date.UTC(buildYear + maxYearsAhead, 0, 1);
      if (!(wallMs >= Date.UTC(buildYear, 0, 1) && wallMs < latest)) {
        const allowed = `a time from ${buildYear} to ${buildYear + maxYearsAhead - 1}`;
        throw new AppError('invalid_request', `The time must be ${allowed}.`, { fields: { time: allowed } });
      }
      manualAnchor = { monoMs: readings.monoMs(), wallMs };
      source = 'person';
      hasUnreportedSync = true;
    },
    setLowerBound(wallMs) {
      const monoMs = readings.monoMs();
      if (wallAt(estimate, monoMs) < wallMs) estimate = { monoMs, wallMs };
    },
    get source() {
      return source;
    },
  };

  if (options.newestSyncedMs != null) clock.setLowerBound(options.newestSyncedMs);
  // A clock that was right before we started is no news: there is nothing to correct yet.
  if (isSystemTimeTrusted()) source = 'system';
  return clock;
}
