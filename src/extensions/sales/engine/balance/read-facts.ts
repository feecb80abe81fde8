import type { BusinessDay, DayRule } from '../../../../core/clock/business-days.ts';
import { localInstant } from '../../../../core/clock/local-days.ts';
import { unknownMeter } from '../../../../engine/kegs/keg-remainder.ts';
import { toMeterUncertainty } from '../../../../engine/kegs/meter-uncertainty.ts';
import { toBalanceKind } from '../../core/balance/balance.ts';
import {
  type BalanceFacts,
  type BalanceLoss,
  type BalancePour,
  type FindMeter,
  toUl,
} from '../../core/balance/facts.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** What is stored of the days, at least one, as a balance needs it; oldest first. */
export function readFacts(store: SalesDatabase, days: readonly BusinessDay[], rule: DayRule): BalanceFacts {
  const span = { sinceMs: days[0]!.sinceMs, untilMs: days.at(-1)!.untilMs };
  const ticksPerMl = new Map(store.taps.meters.all().map((meter) => [meter.name, meter.ticksPerMl]));
  const ofTap = new Map(
    store.taps.meters
      .all()
      .flatMap((meter) => (meter.tapId === null ? [] : [[meter.tapId, meter.ticksPerMl] as const])),
  );
  const toVolume = (ticks: number, perMl: number | undefined) =>
    perMl === undefined || ticks === 0 ? 0 : toUl(ticks / perMl);
  const poured = store.balanceFacts.poured(span);
  const beverageAt = beverageOfTap(poured);
  const pours = poured.map((pour): BalancePour => {
    const perMl = pour.meter === null || pour.isByBoard ? undefined : ticksPerMl.get(pour.meter);
    return {
      timeMs: pour.timeMs,
      durationMs: pour.durationMs,
      // A held pour belongs to no keg yet.
      beverageId: pour.isHeld ? beverageAt(pour.tapId, pour.timeMs) : pour.beverageId,
      tapId: pour.tapId,
      // What a board computes has one error, which is not that of the factor here.
      meter: pour.isByBoard ? `board ${pour.meter}` : pour.meter,
      volumeUl: toUl(pour.volumeMl),
      missedUl: toVolume(pour.ticksLost, perMl),
      gasUl: toVolume(pour.gasTicks, perMl),
      isHeld: pour.isHeld,
      isFoamy: pour.isFoamy,
    };
  });
  const spills = store.balanceFacts.spilled(span).map(
    (spill): BalanceLoss => ({
      kind: spill.kind,
      timeMs: spill.timeMs,
      beverageId: spill.beverageId ?? beverageAt(spill.tapId, spill.timeMs),
      tapId: spill.tapId,
      volumeUl: toUl(spill.volumeMl),
    }),
  );
  const tapLosses = store.balanceFacts
    .losses(dayNumber(days[0]!), dayNumber(days.at(-1)!))
    .flatMap(({ tapId, localDay, dripTicks }): BalanceLoss[] => {
      if (dripTicks === 0) return [];
      // Counted by calendar day: they belong to the business day of that date.
      const timeMs = localInstant(localDay * dayMs + rule.endsMinutes * 60_000, rule.timeZone) + 12 * hourMs;
      const beverageId = beverageAt(tapId, timeMs);
      return [{ kind: 'drips', timeMs, beverageId, tapId, volumeUl: toVolume(dripTicks, ofTap.get(tapId)) }];
    });
  const sales = store.sold
    .lines(span)
    .filter(({ servings, netMinor }) => servings !== 0 || netMinor !== 0)
    .map(({ timeMs, beverageId, kind, liquidMl, servings, netMinor }) => ({
      timeMs,
      beverageId,
      kind: toBalanceKind(kind),
      liquidUl: toUl(liquidMl),
      servings,
      netMinor,
    }));
  return { pours, losses: [...spills, ...tapLosses], sales };
}

/** What is known of meters at a time; volumes that were given, by boards or others, count as those of unknown ones. */
export function findMeters(store: SalesDatabase, atMs: number): FindMeter {
  const known = new Map<string | null, ReturnType<FindMeter>>();
  return (meter) => {
    const cached = known.get(meter);
    if (cached !== undefined) return cached;
    const record = meter === null ? null : store.taps.meters.byName(meter);
    const found = record === null ? unknownMeter : toMeterUncertainty(store, record, atMs);
    known.set(meter, found);
    return found;
  };
}

const dayNumber = ({ date }: BusinessDay): number => Date.parse(date) / dayMs;

/** Returns a function that finds what a tap poured at a time: the beverage of its drink before, else after. */
function beverageOfTap(
  pours: readonly {
    readonly timeMs: number;
    readonly tapId: number | null;
    readonly beverageId: number | null;
  }[],
): (tapId: number | null, timeMs: number) => number | null {
  const byTap = new Map<number, { readonly timeMs: number; readonly beverageId: number }[]>();
  for (const { timeMs, tapId, beverageId } of pours) {
    if (tapId === null || beverageId === null) continue;
    const known = byTap.get(tapId);
    if (known === undefined) byTap.set(tapId, [{ timeMs, beverageId }]);
    else if (known.at(-1)!.beverageId !== beverageId) known.push({ timeMs, beverageId });
  }
  return (tapId, timeMs) => {
    const changes = tapId === null ? undefined : byTap.get(tapId);
    if (changes === undefined) return null;
    return (changes.findLast((change) => change.timeMs <= timeMs) ?? changes[0]!).beverageId;
  };
}
