import { AppError } from '../core/app-error.ts';
import { isWallTrusted, type WallAnchor, wallAt } from '../core/clock-rules.ts';
import type { Clock, Moment } from '../core/moment.ts';
import { type ClockReadings, machineReadings } from './clock-readings.ts';
import { releaseYear } from './product.ts';

/** A person's time later than this many years after the release is a slip of the finger. */
const yearsAhead = 50;

/** A time service mends seconds that a crystal lost since it was last heard; who moves the clock further says it was wrong. */
const leapMs = 60_000;

/** Who vouches for the time: nobody yet, a person at the page, or the machine's own time service. */
export type TimeSource = 'nobody' | 'person' | 'system';

/** The house's clock. A Pi has none of its own until it hears the time from somebody. */
export interface SystemClock extends Clock {
  now(): Moment;
  /**
   * Looks whether the time has become known since the last look, or a known one was moved by minutes; call it about once a
   * second.
   */
  poll(): 'synced-now' | 'unchanged' | { readonly leaptMs: number };
  /**
   * A person says what time it is, unix milliseconds; this counts until the machine's own clock is synchronised. Throws
   * `invalid_request` for a time that cannot be, `conflict` when the machine knows better.
   */
  setByPerson(wallMs: number): void;
  /** While nobody vouches for the time, it is never shown below this stamp. */
  neverBelow(wallMs: number): void;
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
  let guess: WallAnchor = { monoMs: readings.monoMs(), wallMs: readings.wallMs() };
  let seen = look();
  let person: WallAnchor | null = null;
  let isNews = false;

  function isKnownBySystem(): boolean {
    return isWallTrusted({ flagFile: readings.flagFile(), wallMs: readings.wallMs(), buildYear });
  }

  function shownWallMs(monoMs: number): number {
    if (source === 'system') return readings.wallMs();
    return Math.round(wallAt(person ?? guess, monoMs));
  }

  function look() {
    return { wallMs: readings.wallMs(), uptimeMs: readings.uptimeMs() };
  }

  /** How far the machine's clock was moved since the last look, beside what has passed. */
  function movedMs(): number {
    const before = seen;
    seen = look();
    return seen.wallMs - before.wallMs - (seen.uptimeMs - before.uptimeMs);
  }

  const clock: SystemClock = {
    now() {
      const monoMs = readings.monoMs();
      return { monoMs, wallMs: shownWallMs(monoMs), synced: source !== 'nobody', bootId: readings.bootId };
    },
    poll() {
      const leaptMs = movedMs();
      if (source === 'system' && Math.abs(leaptMs) >= leapMs) return { leaptMs };
      // Once known it stays known: a time service that is stopped later does not unset the clock.
      if (source !== 'system' && isKnownBySystem()) {
        source = 'system';
        isNews = true;
      }
      const answer = isNews ? 'synced-now' : 'unchanged';
      isNews = false;
      return answer;
    },
    setByPerson(wallMs) {
      if (source === 'system' || isKnownBySystem()) {
        throw new AppError('conflict', 'The Pi already keeps the right time by itself.', {
          reason: { name: 'clock_is_right' },
        });
      }
      const latest = Date.UTC(buildYear + yearsAhead, 0, 1);
      if (!(wallMs >= Date.UTC(buildYear, 0, 1) && wallMs < latest)) {
        const allowed = `a time from ${buildYear} to ${buildYear + yearsAhead - 1}`;
        throw new AppError('invalid_request', `The time must be ${allowed}.`, { fields: { time: allowed } });
      }
      person = { monoMs: readings.monoMs(), wallMs };
      source = 'person';
      isNews = true;
    },
    neverBelow(wallMs) {
      const monoMs = readings.monoMs();
      if (wallAt(guess, monoMs) < wallMs) guess = { monoMs, wallMs };
    },
    get source() {
      return source;
    },
  };

  if (options.newestSyncedMs != null) clock.neverBelow(options.newestSyncedMs);
  // A clock that was right before we started is no news: there is nothing to correct yet.
  if (isKnownBySystem()) source = 'system';
  return clock;
}
