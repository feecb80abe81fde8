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
const maxReadAtOnce = 20;

interface CachedEvening {
  readonly version: string;
  readonly evening: EveningFlow | null;
}

/** How many evenings may still be read; what is missing then is undefined. */
interface Budget {
  left: number;
}

/** The flow of each tap by evening, and what it shows of the lines. */
export function createLineHealth(
  { store }: Pick<EngineParts, 'store'>,
  taps: { readonly list: () => readonly TapView[] },
) {
  /** The compared days, oldest first, of the day and the day rule in `key`. */
  let compared: { readonly key: string; readonly days: readonly BusinessDay[] } = { key: '', days: [] };
  /** Evenings of the compared days by tap and day, which hardly change. */
  const evenings = new Map<string, CachedEvening>();
  // A pour changes no evening that is over, but may be recorded just after the end of the day in which it was poured.
  const unchanged = store.cachedUntilChange(() => new Map<string, EveningFlow | null>());
  const unchangedLast = store.cachedUntilWrite(() => new Map<string, EveningFlow | null>());

  const listDays = (wallMs: number): readonly BusinessDay[] => {
    const rule = readRule();
    const today = businessDayAt(wallMs, rule);
    const key = `${today.date}/${rule.timeZone}/${rule.endsMinutes}`;
    if (key === compared.key) return compared.days;
    const days = Array.from({ length: comparedDays }, (_, i) => addDays(today, i - comparedDays, rule));
    compared = { key, days };
    const spans = new Set(days.map(toSpanKey));
    for (const one of evenings.keys()) if (!spans.has(one.slice(one.indexOf('/') + 1))) evenings.delete(one);
    return days;
  };

  const readRule = (): DayRule => ({
    timeZone: store.site.read().timeZone,
    endsMinutes: store.reports.settings().dayEndsMinutes,
  });

  /** The evenings of a tap that are cached or may be read, and whether these are all. */
  const readTap = (
    { tap }: TapView,
    now: Moment,
    budget: Budget,
  ): TapFlow & { readonly isWhole: boolean } => {
    const { meter } = tap;
    if (meter === null || !now.synced) return { tapId: tap.id, evenings: [], isWhole: true };
    const days = listDays(now.wallMs);
    // The newest first: those are judged.
    const read = days.toReversed().map((day, i) => {
      const known = i === 0 ? unchangedLast() : unchanged();
      const key = `${tap.id}/${meter.name}/${toSpanKey(day)}`;
      const evening = known.get(key) ?? (known.has(key) ? null : readEvening(tap, meter, day, budget));
      if (evening !== undefined) known.set(key, evening);
      return evening;
    });
    return {
      tapId: tap.id,
      evenings: read.reverse().flatMap((evening) => evening ?? []),
      isWhole: !read.includes(undefined),
    };
  };

  const readEvening = (
    tap: Tap,
    meter: FlowMeter,
    day: BusinessDay,
    budget: Budget,
  ): EveningFlow | null | undefined => {
    const { sinceMs, untilMs } = day;
    const span = { tapId: tap.id, meter: meter.name, sinceMs, untilMs };
    const version = store.taps.flow.version(span);
    if (version === null) return null;
    const key = `${tap.id}/${toSpanKey(day)}`;
    const fullVersion = `${meter.name}/${meter.ticksPerMl}/${tap.thermoSensor?.id}/${version}`;
    const known = evenings.get(key);
    if (known?.version === fullVersion) return known.evening;
    if (budget.left <= 0) return undefined;
    budget.left--;
    const pours = store.taps.flow.pours(span);
    const evening =
      pours.length === 0
        ? null
        : toEveningFlow(
            day.date,
            pours.flatMap((pour) => toEveningPour(pour, meter.ticksPerMl) ?? []),
            { tempC: readTempC(tap, pours), kegLeft: readKegLeft(pours[Math.floor(pours.length / 2)]!) },
          );
    evenings.set(key, { version: fullVersion, evening });
    return evening;
  };

  const readTempC = ({ thermoSensor }: Tap, pours: readonly FlowPour[]): number | null => {
    if (thermoSensor === null) return null;
    const span = { sinceMs: pours.at(-1)!.pourTimeMs, untilMs: pours[0]!.pourTimeMs + 1 };
    const hours = store.temperatures.history.hours({ sensorId: thermoSensor.id, ...span, limit: maxHours });
    const readings = hours.reduce((sum, hour) => sum + hour.readings, 0);
    return readings === 0
      ? null
      : hours.reduce((sum, hour) => sum + hour.meanC * hour.readings, 0) / readings;
  };

  /** What was left in the keg after that pour; spills are left out. */
  const readKegLeft = ({ kegId, pourTimeMs }: FlowPour): number | null => {
    const keg = kegId === null ? null : store.kegs.byId(kegId);
    if (keg === null || keg.fullVolumeMl <= 0) return null;
    return Math.max(0, 1 - store.taps.flow.servedMl(keg.id, pourTimeMs) / keg.fullVolumeMl);
  };

  return {
    /** All taps of the bar; without evenings while the clock is not set, and for taps without a meter. */
    all: (now: Moment): readonly TapHealth[] =>
      judgeLines(taps.list().map((view) => readTap(view, now, { left: Number.POSITIVE_INFINITY }))),

    /**
     * One tap. Reads a few evenings that are not cached, its own first; until those of all taps are, nothing is found, and
     * older evenings may be missing. Null for an unknown tap.
     */
    ofTap(tapId: number, now: Moment): TapHealth | null {
      const budget: Budget = { left: maxReadAtOnce };
      const views = taps.list();
      const own = views.find(({ tap }) => tap.id === tapId);
      if (own === undefined) return null;
      const first = readTap(own, now, budget);
      const read = views.map((view) => (view === own ? first : readTap(view, now, budget)));
      const health = judgeLines(read).find((one) => one.tapId === tapId)!;
      return read.every(({ isWhole }) => isWhole) ? health : { ...health, findings: [] };
    },

    /**
     * Reads a few evenings that are not cached, so that a start does not block counting for a second. False while there
     * may be more, and while the clock is not set.
     */
    prepare(now: Moment): boolean {
      if (!now.synced) return false;
      const budget: Budget = { left: maxReadAtOnce };
      for (const view of taps.list()) if (!readTap(view, now, budget).isWhole) return false;
      return true;
    },
  };
}

const toSpanKey = ({ sinceMs, untilMs }: BusinessDay): string => `${sinceMs}/${untilMs}`;

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
