import { addDays, type BusinessDay, businessDayAt, type DayRule } from '../../core/clock/business-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { type EveningFlow, type EveningPour, toEveningFlow } from '../../core/measurement/evening-flow.ts';
import { judgeLines, type TapFlow, type TapHealth } from '../../core/measurement/line-health.ts';
import { toPourFlow } from '../../core/measurement/pour-flow.ts';
import { parseTickSeries } from '../../core/pours/tick-series.ts';
import type { FlowMeter, Tap } from '../../core/records.ts';
import type { FlowPour } from '../../store/taps/tap-flow-table.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { TapView } from '../shared/views.ts';

/** Finished business days that are compared: six weeks, so that a bar which opens at weekends has twelve evenings. */
const comparedDays = 42;

/** Hours of one day with readings, at most. */
const maxHours = 25;

/** Evenings that are read at once, about 10 ms each on a Pi. */
const preparedEvenings = 20;

/** Evenings of 47 taps. */
const maxCached = 2_000;

interface CachedEvening {
  readonly version: string;
  readonly evening: EveningFlow | null;
}

/** The flow of each tap by evening, and what it shows of the lines. */
export function createLineHealth({ store }: EngineParts, taps: { readonly list: () => readonly TapView[] }) {
  const results = store.cachedUntilWrite(() => new Map<string, readonly EveningFlow[]>());
  /** Evenings of the past, which hardly change, by tap, day and version of their pours. */
  const evenings = new Map<string, CachedEvening>();

  const rule = (): DayRule => ({
    timeZone: store.site.read().timeZone,
    endsMinutes: store.reports.settings().dayEndsMinutes,
  });

  const listDays = (today: BusinessDay): readonly BusinessDay[] =>
    Array.from({ length: comparedDays }, (_, i) => addDays(today, i - comparedDays, rule()));

  const readTap = ({ tap }: TapView, now: Moment): TapFlow => {
    const { meter } = tap;
    if (meter === null || !now.synced) return { tapId: tap.id, evenings: [] };
    const today = businessDayAt(now.wallMs, rule());
    const key = `${tap.id}/${today.date}`;
    const known =
      results().get(key) ?? listDays(today).flatMap((day) => readEvening(tap, meter, day).evening ?? []);
    results().set(key, known);
    return { tapId: tap.id, evenings: known };
  };

  const readEvening = (
    tap: Tap,
    meter: FlowMeter,
    day: BusinessDay,
  ): { readonly evening: EveningFlow | null; readonly isNew: boolean } => {
    const { sinceMs, untilMs } = day;
    const span = { tapId: tap.id, meter: meter.name, sinceMs, untilMs };
    const version = store.tapFlow.version(span);
    if (version === null) return { evening: null, isNew: false };
    const key = `${tap.id}/${sinceMs}/${untilMs}`;
    const fullVersion = `${meter.name}/${meter.ticksPerMl}/${tap.thermoSensor?.id}/${version}`;
    const known = evenings.get(key);
    if (known?.version === fullVersion) return { evening: known.evening, isNew: false };
    const pours = store.tapFlow.pours(span);
    const evening =
      pours.length === 0
        ? null
        : toEveningFlow(
            day.date,
            pours.flatMap((pour) => toEveningPour(pour, meter.ticksPerMl) ?? []),
            { tempC: readTempC(tap, pours), kegLeft: readKegLeft(pours[Math.floor(pours.length / 2)]!) },
          );
    if (evenings.size >= maxCached) evenings.clear();
    evenings.set(key, { version: fullVersion, evening });
    return { evening, isNew: true };
  };

  const readTempC = ({ thermoSensor }: Tap, pours: readonly FlowPour[]): number | null => {
    if (thermoSensor === null) return null;
    const span = { sinceMs: pours.at(-1)!.pourTimeMs, untilMs: pours[0]!.pourTimeMs + 1 };
    const hours = store.thermoHours.hours({ sensorId: thermoSensor.id, ...span, limit: maxHours });
    const readings = hours.reduce((sum, hour) => sum + hour.readings, 0);
    return readings === 0
      ? null
      : hours.reduce((sum, hour) => sum + hour.meanC * hour.readings, 0) / readings;
  };

  /** What was left in the keg after that pour; spills are left out. */
  const readKegLeft = ({ kegId, pourTimeMs }: FlowPour): number | null => {
    const keg = kegId === null ? null : store.kegs.byId(kegId);
    if (keg === null || keg.fullVolumeMl <= 0) return null;
    return Math.max(0, 1 - store.tapFlow.servedMl(keg.id, pourTimeMs) / keg.fullVolumeMl);
  };

  return {
    /** All taps of the bar; without evenings while the clock is not set, and for taps without a meter. */
    all: (now: Moment): readonly TapHealth[] => judgeLines(taps.list().map((view) => readTap(view, now))),

    /**
     * Reads a few evenings that are not cached, so that a start does not block counting for a second. False while there
     * may be more, and while the clock is not set.
     */
    prepare(now: Moment): boolean {
      if (!now.synced) return false;
      const days = listDays(businessDayAt(now.wallMs, rule()));
      let read = 0;
      for (const { tap } of taps.list()) {
        const { meter } = tap;
        if (meter === null) continue;
        for (const day of days) {
          if (readEvening(tap, meter, day).isNew && ++read >= preparedEvenings) return false;
        }
      }
      return true;
    },
  };
}

/** A foamy pour is only counted: what ran faster was not beer. */
function toEveningPour(pour: FlowPour, ticksPerMl: number): EveningPour | null {
  const { isFoamy, durationMs, ticks, volumeMl } = pour;
  // The meter may have been another one then.
  const counted = volumeMl !== null && volumeMl > 0 ? ticks / volumeMl : ticksPerMl;
  if (isFoamy) return { flow: null, ticksPerMl: counted };
  const pairs = parseTickSeries(pour.series);
  const flow = pairs === null ? null : toPourFlow(pairs, durationMs);
  return flow === null ? null : { flow, ticksPerMl: counted };
}
