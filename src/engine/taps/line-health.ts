import { addDays, type BusinessDay, businessDayAt, type DayRule } from '../../core/clock/business-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { type EveningFlow, type EveningPour, toEveningFlow } from '../../core/measurement/evening-flow.ts';
import { judgeLines, type TapFlow, type TapHealth } from '../../core/measurement/line-health.ts';
import { toPourFlow } from '../../core/measurement/pour-flow.ts';
import { parseTickSeries } from '../../core/pours/tick-series.ts';
import type { FlowMeter, Tap } from '../../core/records.ts';
import type { FlowPour } from '../../store/taps/tap-flow-table.ts';
import { cachedResults } from '../shared/cached-results.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { TapView } from '../shared/views.ts';

/** Finished business days that are compared: six weeks, so that a bar which opens at weekends has twelve evenings. */
const comparedDays = 42;

/** Hours of one day with readings, at most. */
const maxHours = 25;

/** The flow of each tap by evening, and what it shows of the lines. */
export function createLineHealth({ store }: EngineParts, taps: { readonly list: () => readonly TapView[] }) {
  const cached = cachedResults<readonly EveningFlow[]>(store);

  const rule = (): DayRule => ({
    timeZone: store.site.read().timeZone,
    endsMinutes: store.reports.settings().dayEndsMinutes,
  });

  const readTap = (tap: Tap, now: Moment): TapFlow => {
    const { meter } = tap;
    if (meter === null || !now.synced) return { tapId: tap.id, evenings: [] };
    const today = businessDayAt(now.wallMs, rule());
    const evenings = cached(`${tap.id}/${today.date}`, () =>
      Array.from({ length: comparedDays }, (_, i) => addDays(today, i - comparedDays, rule())).flatMap(
        (day) => readEvening(tap, meter, day) ?? [],
      ),
    );
    return { tapId: tap.id, evenings };
  };

  const readEvening = (tap: Tap, meter: FlowMeter, day: BusinessDay): EveningFlow | null => {
    const { sinceMs, untilMs } = day;
    const pours = store.tapFlow.pours({ tapId: tap.id, meter: meter.name, sinceMs, untilMs });
    if (pours.length === 0) return null;
    return toEveningFlow(
      day.date,
      pours.flatMap((pour) => toEveningPour(pour, meter.ticksPerMl) ?? []),
      { tempC: readTempC(tap, pours), kegLeft: readKegLeft(pours[Math.floor(pours.length / 2)]!) },
    );
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
    all: (now: Moment): readonly TapHealth[] => judgeLines(taps.list().map(({ tap }) => readTap(tap, now))),
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
