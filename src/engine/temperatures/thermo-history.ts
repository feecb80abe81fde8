import type { Moment } from '../../core/clock/moment.ts';
import type { ThermoSpan } from '../../store/temperatures/thermo-hours-table.ts';
import { validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';

export type { ThermoSpan } from '../../store/temperatures/thermo-hours-table.ts';

/** A time range of one thermo sensor. */
interface ThermoChartQuery {
  readonly sensorId: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** `auto` uses minutes for up to two days. */
  readonly resolution: 'minute' | 'hour' | 'auto';
}

interface ThermoChart {
  readonly resolution: 'minute' | 'hour';
  /** Oldest first. */
  readonly spans: readonly ThermoSpan[];
}

/**
 * How long minutes are stored; chosen for the bar, not for disk space: a month shows every door left open.
 */
export const minuteRetentionMs = 30 * 86_400_000;

/** Hours of one sensor written per step: about 1440 rows, about 10 ms on a Pi. */
const hoursPerStep = 24;

/** Twice the columns of any screen; a year of hours fits. */
const maxPoints = 10_000;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const autoMinutesMs = 48 * hourMs;

/**
 * Old hours are converted in slices: rows of all sensors are on the same pages, so the SD card writes each
 * page once.
 */
const sliceMs = 4 * hourMs;

export function createThermoHistory({ store }: EngineParts) {
  return {
    /**
     * Minutes as far as they are stored, hours before; `invalid_request` for more points than a chart can show.
     */
    chart({ sensorId, sinceMs, untilMs, resolution: requested }: ThermoChartQuery): ThermoChart {
      const resolution =
        requested === 'auto' ? (untilMs - sinceMs <= autoMinutesMs ? 'minute' : 'hour') : requested;
      const points = (untilMs - sinceMs) / (resolution === 'minute' ? minuteMs : hourMs);
      if (points > maxPoints) {
        throw validationError('since', `must be at most ${maxPoints} ${resolution}s before until`);
      }
      const { minutes, hours } = store.temperatures.history;
      // An hour is shown whole.
      const fromMs = resolution === 'hour' ? sinceMs - (sinceMs % hourMs) : sinceMs;
      const range = { sensorId, sinceMs: fromMs, untilMs, limit: maxPoints + 1 };
      return { resolution, spans: resolution === 'minute' ? minutes(range) : hours(range) };
    },

    /** Converts some old minutes into hours; returns how many hours were written. */
    thin(now: Moment): number {
      // With an unset clock, readings that look old may be from today.
      if (!now.synced) return 0;
      const cutMs = now.wallMs - minuteRetentionMs;
      const beforeMs = cutMs - (cutMs % sliceMs);
      const oldest = (sensorId: number) => store.temperatures.history.oldestHour(sensorId, beforeMs);
      const due = new Map(store.temperatures.all().map(({ id }) => [id, oldest(id)]));
      const next = () =>
        [...due].reduce<[number, number] | null>(
          (first, [id, hour]) => (hour !== null && (first === null || hour < first[1]) ? [id, hour] : first),
          null,
        );
      if (next() === null) return 0;
      return store.transaction(() => {
        let written = 0;
        for (let one = next(); one !== null && written < hoursPerStep; one = next()) {
          const [sensorId, hour] = one;
          store.temperatures.history.thin(sensorId, hour);
          due.set(sensorId, oldest(sensorId));
          written += 1;
        }
        return written;
      });
    },
  };
}
