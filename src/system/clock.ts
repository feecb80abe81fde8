import { AppError } from '../core/app-error.ts';
import { isWallTrusted, type WallAnchor, wallAt } from '../core/clock/clock-rules.ts';
import type { Clock, Moment } from '../core/clock/moment.ts';
import { type ClockReadings, machineReadings } from './clock-readings.ts';
import { releaseYear } from './product.ts';

/** A manually set time must be less than this many years after the release; a later one is a typing error. */
const maxYearsAhead = 50;

/** A time service corrects seconds of crystal drift; a larger step means that the clock was wrong. */
const stepThresholdMs = 60_000;

/** Who set the time: nobody yet, a person on the page, or the machine's time service. */
type TimeSource = 'none' | 'manual' | 'system';

/** The daemon's clock. A Pi has no battery clock, so its time is unknown until it is set. */
export interface SystemClock extends Clock {
  now(): Moment;
  /**
   * Returns whether the time has become known since the last call, or a known time was stepped by a minute or
   * more. Call it about once a second.
   */
  poll(): 'synced-now' | 'unchanged' | { readonly steppedMs: number };
  /**
   * Sets the time manually, Unix milliseconds; it applies until the machine's clock is synchronized. Throws
   * `invalid_request` for an impossible time, `conflict` when the machine's clock is synchronized already.
   */
  setManually(wallMs: number): void;
  /** Sets the lowest time to return while the time is not set. */
  setLowerBound(wallMs: number): void;
  readonly source: TimeSource;
}

interface ClockOptions {
  /** The newest stored time of a set clock, null when there is none. */
  readonly newestSyncedMs?: number | null;
  /** Without a time service, a clock that shows this year or a later one is trusted. */
  readonly buildYear?: number;
  readonly readings?: ClockReadings;
}

/** Creates the clock. It owns no timer: `poll` updates it. */
export function createClock(options: ClockOptions = {}): SystemClock {
  const { buildYear = releaseYear, readings = machineReadings() } = options;
  let source: TimeSource = 'none';
  /**
   * The time while it is not set. It advances with the monotonic clock, so a step of an unset clock splits no
   * session.
   */
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

  /** Returns the step of the machine's clock since the last call, in addition to the time that has passed. */
  function measureStepMs(): number {
    const before = lastTimes;
    lastTimes = readTimes();
    return lastTimes.wallMs - before.wallMs - (lastTimes.uptimeMs - before.uptimeMs);
  }

  const clock: SystemClock = {
    now() {
      const monoMs = readings.monoMs();
      return { monoMs, wallMs: currentWallMs(monoMs), synced: source !== 'none', bootId: readings.bootId };
    },
    poll() {
      const steppedMs = measureStepMs();
      if (source === 'system' && Math.abs(steppedMs) >= stepThresholdMs) return { steppedMs };
      // Once set it stays set, also when the time service is stopped later.
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
        throw new AppError('conflict', 'The Pi’s clock is synchronized already.', {
          reason: { name: 'clock_synchronized' },
        });
      }
      const latest = Date.UTC(buildYear + maxYearsAhead, 0, 1);
      if (!(wallMs >= Date.UTC(buildYear, 0, 1) && wallMs < latest)) {
        const allowed = `a time from ${buildYear} to ${buildYear + maxYearsAhead - 1}`;
        throw new AppError('invalid_request', `The time must be ${allowed}.`, { fields: { time: allowed } });
      }
      manualAnchor = { monoMs: readings.monoMs(), wallMs };
      source = 'manual';
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
  // A clock that was set before the start is not reported as newly set: nothing needs correction.
  if (isSystemTimeTrusted()) source = 'system';
  return clock;
}
