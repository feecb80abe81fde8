import type { Moment } from '../../../core/clock/moment.ts';
import { change } from '../../../engine/shared/parts.ts';
import type { ScaleReading } from '../store/scale-readings-table.ts';
import type { ScaleEngineParts } from './parts.ts';

export type { ScaleReading } from '../store/scale-readings-table.ts';

/** From a time, up to but without another, Unix milliseconds. */
export interface ReadingSpan {
  readonly sinceMs: number;
  readonly untilMs: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Readings are stored this long. */
export const readingRetentionMs = 30 * dayMs;
/** Findings that are over are kept this long. */
const findingRetentionMs = 365 * dayMs;
/** Rows removed per step, about 10 ms on a Pi. */
const rowsPerStep = 1_000;
/** Bound of the readings that wait to be stored, 20 scales for ten hours. */
const maxWaiting = 12_000;
const maxPoints = 50_000;

/** The stored weights of all scales. They wait in memory and are stored in batches, since each commit wears the card. */
export function createScaleReadings(parts: ScaleEngineParts) {
  const { store } = parts;
  const waiting = new Map<string, ScaleReading>();

  function keep(reading: ScaleReading): void {
    const key = `${reading.scaleId} ${reading.minuteMs}`;
    // A scale that was offline sends all it has. Throws when the disk is gone: the sender keeps the reading.
    if (waiting.size >= maxWaiting && !waiting.has(key)) flush();
    waiting.set(key, reading);
  }

  function flush(): void {
    if (waiting.size === 0) return;
    change(
      parts,
      () => {
        for (const reading of waiting.values()) store.scaleReadings.write(reading);
      },
      'temperature',
    );
    waiting.clear();
  }

  return {
    keep,
    /** Stores those that wait. */
    flush,

    /** Removes some readings and findings that are too old, by whole hours: each commit wears the card. Returns how many readings. */
    purge(now: Moment): number {
      // With an unset clock, readings that look old may be from today.
      if (!now.synced) return 0;
      const toHour = (timeMs: number) => Math.floor(timeMs / hourMs) * hourMs;
      const beforeMs = toHour(now.wallMs - readingRetentionMs);
      const endedMs = toHour(now.wallMs - findingRetentionMs);
      const due = store.scaleReadings
        .scaleIds()
        .filter((id) => (store.scaleReadings.oldestMs(id) ?? beforeMs) < beforeMs);
      if (due.length === 0 && !store.scaleFindings.hasEnded(endedMs)) return 0;
      return store.transaction(() => {
        store.scaleFindings.removeEnded(endedMs);
        return due.reduce((sum, id) => sum + store.scaleReadings.removeBefore(id, beforeMs, rowsPerStep), 0);
      });
    },

    /** Readings of a time span, those that wait included, oldest first. */
    between(id: number, { sinceMs, untilMs }: ReadingSpan): readonly ScaleReading[] {
      const stored = store.scaleReadings.between({ scaleId: id, sinceMs, untilMs, limit: maxPoints });
      const fresh = [...waiting.values()].filter(
        ({ scaleId, minuteMs: time }) => scaleId === id && time >= sinceMs && time < untilMs,
      );
      const byMinute = new Map([...stored, ...fresh].map((reading) => [reading.minuteMs, reading]));
      return [...byMinute.values()].sort((a, b) => a.minuteMs - b.minuteMs);
    },
  };
}
