import { createRandom, type Random } from '../../../src/devices/simulated/flow-model/random.ts';
import type {
  BalanceFacts,
  BalanceLoss,
  BalancePour,
  BalanceSale,
  FindMeter,
} from '../../../src/extensions/sales/core/balance/facts.ts';
import { toUl } from '../../../src/extensions/sales/core/balance/facts.ts';
import type { BalanceFinding, UnmappedProduct } from '../../../src/extensions/sales/core/balance/finding.ts';

/** What is planted in a month, each with a size of at least a hundredth of what its beverage poured. */
export const plantableCauses = [
  'overpour', // 0.54 L for 0.5 L of Helles
  'unrung_fridays', // a third of the Helles on Fridays from 22 to 24 h
  'unrung_spread', // every thirtieth Pils, at any time
  'untagged_cleaning', // 12 L of cleaner through the line of the Pils, counted as beer
  'dead_meter', // that of the IPA stands still on a Saturday evening
  'missed_ticks', // the meter of the Pils loses 2 % of its ticks, and the driver knows
  'till_offline', // on a Wednesday evening
  'unmapped', // the button of the large IPA
  'till_fast', // the till's clock is 10 minutes ahead
  'till_slow', // … and behind
] as const;
export type PlantableCause = (typeof plantableCauses)[number];

/** Where the volumes of a month come from, with what is known of them. */
export const volumeSources = {
  pins: { uFactor: 0.003, error: 0.003 }, // meters after ten weighed litres
  uncalibrated: { uFactor: 0.06, error: 0.06 }, // network boards that nobody calibrated
  boards: { uFactor: 0.06, error: 0.03 }, // boards that are wrong by 3 %, of which nothing is known here
  imported: { uFactor: 0.06, error: 0.03 }, // pours of another system, whose meters are not known
  by_hand: { uFactor: 0.06, error: 0 }, // each glass entered with the size that was sold
  mixed: { uFactor: 0.06, error: 0.03 }, // half from boards, some imported, some by hand
} as const;
export type VolumeSource = keyof typeof volumeSources;

/** A cause with its true size. */
export interface PlantedCause {
  readonly cause: PlantableCause;
  readonly kind: BalanceFinding['kind'];
  readonly beverageId: number | null;
  readonly volumeMl: number;
}

/** A month of a bar with three beers, as balances see it. */
export interface SimulatedMonth {
  readonly facts: BalanceFacts;
  readonly days: readonly { readonly sinceMs: number; readonly untilMs: number }[];
  readonly lineTimesMs: readonly number[];
  readonly unmapped: readonly UnmappedProduct[];
  readonly planted: readonly PlantedCause[];
  readonly findMeter: FindMeter;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** A Monday, 6 h: the business day begins. Clocks of the simulated bar are in UTC. */
export const monthStartMs = Date.UTC(2026, 5, 1, 6);
export const monthDays = 30;
const flowMlPerMs = 0.06;

/** Half of the orders are of the first, three in ten of the second. */
const beers = [
  { id: 1, sizes: [300, 500], large: 0.65 },
  { id: 2, sizes: [300, 500], large: 0.4 },
  { id: 3, sizes: [200, 400], large: 0.5 },
] as const;
type Beer = (typeof beers)[number];

/** Simulates a month; the same seed gives the same. */
export function simulateMonth(
  causes: readonly PlantableCause[],
  seed: number,
  source: VolumeSource = 'pins',
): SimulatedMonth {
  const { uFactor, error } = volumeSources[source];
  const random = createRandom(seed);
  const has = (cause: PlantableCause) => causes.includes(cause);
  const meterErrors = new Map(beers.map(({ id }) => [id, 1 + error * random.normal()]));
  // Draws of its own, so that the pours of a seed are the same for all sources.
  const drawnSource = createRandom(seed + 1_000_000);
  const sourceOf = () => {
    if (source !== 'mixed') return source;
    const drawn = drawnSource.next();
    return drawn < 0.5 ? 'boards' : drawn < 0.75 ? 'imported' : 'by_hand';
  };
  const skewMs = (has('till_fast') ? 10 : has('till_slow') ? -10 : 0) * minuteMs;
  const pours: BalancePour[] = [];
  const losses: BalanceLoss[] = [];
  const sales: BalanceSale[] = [];
  const lineTimesMs: number[] = [];
  const sizes = new Map<PlantableCause, number>();
  const plant = (cause: PlantableCause, ml: number) => sizes.set(cause, (sizes.get(cause) ?? 0) + ml);
  let unmappedCount = 0;

  const isTillOff = (ms: number) => has('till_offline') && isBetween(ms, 16, 18, 23);
  const isDead = (beer: Beer, ms: number) => has('dead_meter') && beer.id === 3 && isBetween(ms, 12, 19, 23);

  const count = (
    beer: Beer,
    endMs: number,
    trueMl: number,
    durationMs: number,
    from: Exclude<VolumeSource, 'mixed'> = source === 'mixed' ? 'boards' : source,
  ) => {
    const isOfTap = from !== 'imported' && from !== 'by_hand';
    const missing = has('missed_ticks') && beer.id === 2 ? 0.02 : 0;
    const countedMl = from === 'by_hand' ? trueMl : trueMl * meterErrors.get(beer.id)!;
    pours.push({
      timeMs: Math.round(endMs),
      durationMs: Math.round(durationMs),
      beverageId: beer.id,
      tapId: from === 'imported' ? null : beer.id,
      meter: isOfTap ? `pi.flow${beer.id}` : null,
      volumeUl: toUl(countedMl * (1 - missing)),
      missedUl: toUl(countedMl * missing),
      gasUl: 0,
      isHeld: false,
      isFoamy: random.next() < 0.03,
    });
    if (missing > 0) plant('missed_ticks', trueMl * missing);
    return countedMl;
  };

  /** When each tap is free: one glass at a time. */
  const freeMs = new Map<number, number>();

  /** Pours a glass; some are topped up. */
  const pourGlass = (beer: Beer, orderedMs: number, liquidMl: number): number => {
    const from = sourceOf();
    const isOver = has('overpour') && beer.id === 1 && liquidMl === 500;
    const hand = 1 + 0.05 * random.normal();
    const trueMl = liquidMl * hand * (isOver ? 1.08 : 1);
    if (isOver) plant('overpour', liquidMl * hand * 0.08);
    const startMs = Math.max(orderedMs, (freeMs.get(beer.id) ?? 0) + 4_000);
    const endMs = startMs + trueMl / flowMlPerMs;
    freeMs.set(beer.id, endMs);
    if (isDead(beer, orderedMs)) return trueMl;
    if (random.next() >= 0.1 || from === 'by_hand') {
      count(beer, endMs, from === 'by_hand' ? liquidMl : trueMl, endMs - startMs, from);
      return trueMl;
    }
    const top = random.between(0.04, 0.12) * trueMl;
    const firstMs = (trueMl - top) / flowMlPerMs;
    const settledMs = startMs + firstMs + 10_000;
    freeMs.set(beer.id, settledMs + top / flowMlPerMs);
    count(beer, startMs + firstMs, trueMl - top, firstMs, from);
    count(beer, settledMs + top / flowMlPerMs, top, top / flowMlPerMs, from);
    return trueMl;
  };

  const ring = (beer: Beer, pouredMs: number, liquidMl: number, kind: BalanceSale['kind'], servings = 1) => {
    const timeMs = Math.round(pouredMs + skewMs + 45_000 * random.normal());
    lineTimesMs.push(timeMs);
    if (has('unmapped') && beer.id === 3 && liquidMl === 400 && kind === 'sold') {
      unmappedCount += servings;
      return;
    }
    const price = kind === 'sold' ? Math.round(liquidMl * 0.9) : 0;
    sales.push({
      timeMs,
      beverageId: beer.id,
      kind,
      liquidUl: toUl(liquidMl),
      servings,
      netMinor: price * servings,
    });
  };

  const order = (beer: Beer, ms: number) => {
    const liquidMl = random.next() < beer.large ? beer.sizes[1] : beer.sizes[0];
    const drawn = random.next();
    const glasses = random.next() < 0.1 ? 2 : 1;
    const trueMl = Array.from({ length: glasses }, (_, _i) => pourGlass(beer, ms, liquidMl)).reduce(
      (sum, one) => sum + one,
      0,
    );
    if (isTillOff(ms)) {
      plant('till_offline', trueMl);
      return;
    }
    if (has('unrung_fridays') && beer.id === 1 && isFridayNight(ms) && random.next() < 0.35) {
      plant('unrung_fridays', trueMl);
      return;
    }
    if (has('unrung_spread') && beer.id === 2 && random.next() < 1 / 30) {
      plant('unrung_spread', trueMl);
      return;
    }
    const isUnmapped = has('unmapped') && beer.id === 3 && liquidMl === 400 && drawn >= 0.03;
    if (isUnmapped) plant('unmapped', liquidMl * glasses);
    else if (isDead(beer, ms)) plant('dead_meter', liquidMl * glasses);
    ring(beer, ms, liquidMl, drawn < 0.015 ? 'comp' : drawn < 0.03 ? 'staff' : 'sold', glasses);
  };

  const days = Array.from({ length: monthDays }, (_, day) => ({
    sinceMs: monthStartMs + day * dayMs,
    untilMs: monthStartMs + (day + 1) * dayMs,
  }));
  days.forEach(({ sinceMs }, day) => {
    const isWeekend = day % 7 === 4 || day % 7 === 5;
    const orders = isWeekend ? 330 : 170;
    const times = Array.from({ length: orders }, () => sinceMs + (10 + openHour(random)) * hourMs);
    for (const ms of times.sort((one, other) => one - other)) order(pickBeer(random), ms);
    quietLines(random, sinceMs, (ms) => !isTillOff(ms) && lineTimesMs.push(ms + skewMs));
    for (const beer of beers) {
      const ms = sinceMs + 15 * hourMs;
      losses.push({
        kind: 'spilled',
        timeMs: ms,
        beverageId: beer.id,
        tapId: beer.id,
        volumeUl: toUl(random.between(50, 300)),
      });
      // A taste, rung up as such, and a void: rung up, taken back, never poured.
      if (isDead(beer, ms)) plant('dead_meter', 100);
      else count(beer, ms, 100 * (1 + 0.1 * random.normal()), 2_000);
      sales.push({
        timeMs: ms + skewMs,
        beverageId: beer.id,
        kind: 'sample',
        liquidUl: toUl(100),
        servings: 1,
        netMinor: 0,
      });
      for (const servings of [1, -1])
        sales.push({
          timeMs: ms + skewMs,
          beverageId: beer.id,
          kind: 'sold',
          liquidUl: toUl(beer.sizes[1]),
          servings,
          netMinor: 400 * servings,
        });
      if (day % 14 === 3)
        losses.push({
          kind: 'cleaning',
          timeMs: sinceMs + 5 * hourMs,
          beverageId: beer.id,
          tapId: beer.id,
          volumeUl: toUl(1_500),
        });
    }
  });
  if (has('untagged_cleaning')) {
    const ms = monthStartMs + 10 * dayMs + 5 * hourMs;
    plant('untagged_cleaning', count(beers[1], ms, 12_000, 12_000 / 0.127));
  }

  return {
    facts: { pours, losses, sales },
    days,
    lineTimesMs,
    unmapped:
      unmappedCount === 0
        ? []
        : [
            {
              itemId: 1,
              lines: unmappedCount,
              quantity: unmappedCount,
              netMinor: 360 * unmappedCount,
              beverageId: 3,
              liquidMl: 400,
            },
          ],
    planted: causes.map((cause) => ({ cause, ...found[cause], volumeMl: sizes.get(cause) ?? 0 })),
    findMeter: () => ({ ticksPerMl: 5, uFactor }),
  };

  function isBetween(ms: number, day: number, sinceHour: number, untilHour: number): boolean {
    const start = monthStartMs + day * dayMs - 6 * hourMs;
    return ms >= start + sinceHour * hourMs && ms < start + untilHour * hourMs;
  }
}

/** How each cause is found. */
const found: Readonly<Record<PlantableCause, Pick<PlantedCause, 'kind' | 'beverageId'>>> = {
  overpour: { kind: 'overpour', beverageId: 1 },
  unrung_fridays: { kind: 'not_rung', beverageId: 1 },
  unrung_spread: { kind: 'not_rung', beverageId: 2 },
  untagged_cleaning: { kind: 'cleaning', beverageId: 2 },
  dead_meter: { kind: 'meter_silent', beverageId: 3 },
  missed_ticks: { kind: 'missed_ticks', beverageId: 2 },
  till_offline: { kind: 'till_silent', beverageId: null },
  unmapped: { kind: 'unmapped', beverageId: 3 },
  till_fast: { kind: 'till_offset', beverageId: null },
  till_slow: { kind: 'till_offset', beverageId: null },
};

/** Hours after 16 h, most of them in the evening; closed at 1 h. */
const openHour = (random: Random): number => 9 * ((random.next() + random.next() + random.next()) / 3);

function pickBeer(random: Random): Beer {
  const drawn = random.next();
  return drawn < 0.5 ? beers[0] : drawn < 0.8 ? beers[1] : beers[2];
}

/** Lines of food and coffee, from noon on. */
function quietLines(random: Random, sinceMs: number, add: (ms: number) => void): void {
  for (let ms = sinceMs + 6 * hourMs; ms < sinceMs + 19 * hourMs; ms += random.exponential(8 * minuteMs))
    add(Math.round(ms));
}

/** Friday from 22 to 24 h. */
function isFridayNight(ms: number): boolean {
  const { weekday, hour } = weekHourUtc(ms);
  return weekday === 4 && hour >= 22;
}

/** The weekday of the business day and the hour, for a bar in UTC. */
export function weekHourUtc(ms: number): { readonly weekday: number; readonly hour: number } {
  const day = Math.floor((ms - monthStartMs) / dayMs);
  return { weekday: ((day % 7) + 7) % 7, hour: Math.floor(ms / hourMs) % 24 };
}
