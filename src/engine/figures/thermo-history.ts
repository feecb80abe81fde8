import type { Moment } from '../../core/moment.ts';
import type { ThermoSpan } from '../../store/tables/thermo-hours-table.ts';
import { validationError } from '../bounds.ts';
import type { EngineParts } from '../parts.ts';

export type { ThermoSpan } from '../../store/tables/thermo-hours-table.ts';

/** A stretch of one thermometer's past. */
export interface ThermoChartQuery {
  readonly sensorId: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** `auto` takes minutes for up to two days. */
  readonly resolution: 'minute' | 'hour' | 'auto';
}

export interface ThermoChart {
  readonly resolution: 'minute' | 'hour';
  /** The oldest first. */
  readonly spans: readonly ThermoSpan[];
}

export interface ThermoHistory {
  /** Minutes as far as they are kept, hours before; `invalid_request` for more than a chart can show. */
  chart(query: ThermoChartQuery): ThermoChart;
  /** A small step of turning old minutes into hours; gives how many hours it wrote. */
  thin(now: Moment): number;
}

/** Minutes are kept for so long; decided for the bar, not for the disk: a month shows every door left open. */
export const minuteRetentionMs = 30 * 86_400_000;

/** Hours of one thermometer written in one step: some 1440 rows, some ten milliseconds on a Pi. */
const hoursPerStep = 24;

/** More points than any screen has columns, twice over; a year of hours fits. */
const maxPoints = 10_000;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const autoMinutesMs = 48 * hourMs;

/** Old hours wait for one another: those of all thermometers lie on the same pages, which a card then writes once. */
const sliceMs = 4 * hourMs;

export function createThermoHistory({ store }: EngineParts): ThermoHistory {
  return {
    chart({ sensorId, sinceMs, untilMs, resolution: requested }) {
      const resolution =
        requested === 'auto' ? (untilMs - sinceMs <= autoMinutesMs ? 'minute' : 'hour') : requested;
      const points = (untilMs - sinceMs) / (resolution === 'minute' ? minuteMs : hourMs);
      if (points > maxPoints) {
        throw validationError('since', `must be at most ${maxPoints} ${resolution}s before until`);
      }
      const { minutes, hours } = store.thermoHours;
      // An hour is shown whole.
      const fromMs = resolution === 'hour' ? sinceMs - (sinceMs % hourMs) : sinceMs;
      const cut = { sensorId, sinceMs: fromMs, untilMs, limit: maxPoints + 1 };
      return { resolution, spans: resolution === 'minute' ? minutes(cut) : hours(cut) };
    },
    thin(now) {
      // What an unset clock calls old may be of today.
      if (!now.synced) return 0;
      const cutMs = now.wallMs - minuteRetentionMs;
      const beforeMs = cutMs - (cutMs % sliceMs);
      const oldest = (sensorId: number) => store.thermoHours.oldestHour(sensorId, beforeMs);
      const due = new Map(store.thermo.all().map(({ id }) => [id, oldest(id)]));
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
          store.thermoHours.thin(sensorId, hour);
          due.set(sensorId, oldest(sensorId));
          written += 1;
        }
        return written;
      });
    },
  };
}
