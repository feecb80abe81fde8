import { judgeTapUsage } from '../../../core/alarms/tap-usage.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { parseOpeningHours } from '../../../core/clock/opening-hours.ts';
import { type OpeningSpan, openingSpanAt } from '../../../core/clock/opening-span.ts';
import { toDryTonightCondition } from '../../../core/kegs/dry-tonight.ts';
import { remainingMl } from '../../../core/kegs/keg-volume.ts';
import type { Engine } from '../../../engine/engine.ts';
import { type Condition, type Detector, hourMs, minuteMs } from './condition.ts';

/** One large round may move the prediction across the closing time for a moment, milliseconds. */
const dryDelayMs = 10 * minuteMs;
/** The prediction is shown to the half hour: it is not more exact. */
const predictionStepMs = 30 * minuteMs;

/**
 * Kegs on tap that will be empty before the bar closes; several on one tap are one until the last of them, and one on several taps is one. A
 * new keg is another subject, so it ends the alarm.
 */
export const detectDryKegs: Detector = (engine, now) => {
  const span = findOpening(engine, now);
  const found = new Set<number>();
  return engine.taps.list().flatMap((view): readonly Condition[] => {
    const { tap, keg, kegsBehind, beverage } = view;
    if (keg === null || tap.meter === null) return [];
    const last = kegsBehind.at(-1) ?? keg;
    if (found.has(last.id)) return [];
    found.add(last.id);
    const remainMl = [keg, ...kegsBehind].reduce((sum, one) => sum + remainingMl(one), 0);
    const endMs = engine.taps.facts.predictRunOut(view, now)?.timeMs ?? null;
    return [
      {
        kind: 'keg_runs_dry',
        subject: `keg-${last.id}`,
        state: now.synced ? toDryTonightCondition({ remainMl, endMs }, now.wallMs, span) : 'unknown',
        lastsMs: dryDelayMs,
        values: {
          tap: tap.name,
          beer: beverage?.name ?? '',
          remainMl: Math.max(0, remainMl),
          emptyMs: Math.round((endMs ?? now.wallMs) / predictionStepMs) * predictionStepMs,
        },
      },
    ];
  });
};

/** Taps that always pour at this time of the week and do not now. The pours are read once an hour. */
export function detectUnusedTaps(): Detector {
  let checkedMonoMs: number | null = null;
  let conditions: readonly Condition[] = [];
  return (engine, now) => {
    if (checkedMonoMs === null || now.monoMs - checkedMonoMs >= hourMs) {
      conditions = judgeTaps(engine, now);
      checkedMonoMs = now.monoMs;
    }
    return conditions;
  };
}

function judgeTaps(engine: Engine, now: Moment): readonly Condition[] {
  const span = findOpening(engine, now);
  const isOpen = span === null || now.wallMs >= span.opensMs;
  const counts = now.synced && isOpen ? engine.taps.facts.comparePours(now) : null;
  return engine.taps.list().flatMap(({ tap, keg }): readonly Condition[] => {
    if (keg === null || tap.meter === null) return [];
    const readySinceMs = Math.max(span?.opensMs ?? 0, keg.startedTimeMs);
    const { state, silentHours } =
      counts === null
        ? // An alarm stays until the tap pours again.
          ({ state: 'between', silentHours: 0 } as const)
        : judgeTapUsage(counts, {
            tapId: tap.id,
            beverageId: keg.beverageId,
            hoursReady: (now.wallMs - readySinceMs) / hourMs,
          });
    return [
      {
        kind: 'tap_unused',
        subject: `tap-${tap.id}`,
        state,
        lastsMs: 0,
        clearsAfterMs: 0,
        values: { tap: tap.name, hours: silentHours },
      },
    ];
  });
}

function findOpening(engine: Engine, now: Moment): OpeningSpan | null {
  const { openingHours, timeZone } = engine.users.site();
  return openingSpanAt(now.wallMs, parseOpeningHours(openingHours), timeZone);
}
