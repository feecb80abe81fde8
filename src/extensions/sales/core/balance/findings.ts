import { coverage } from '../../../../core/measurement/uncertainty.ts';
import { uHand } from './balance.ts';
import { findBeverageCauses } from './beverage-causes.ts';
import { type Size, tillGapSize } from './difference-parts.ts';
import { type BalanceFacts, type BalancePour, type BalanceSale, type FindMeter, fromUl } from './facts.ts';
import type { BalanceFinding, FindingsInput, UnmappedProduct } from './finding.ts';
import { type Silence, tillSilences } from './silences.ts';

/** Ringing before or after the pour is a habit; more is the clock, or the time at which a check is closed. */
const toldOffsetMin = 5;

const order: readonly BalanceFinding['kind'][] = [
  'unmapped',
  'not_sold',
  'till_silent',
  'meter_silent',
  'not_poured_at_all',
  'missed_ticks',
  'held',
  'cleaning',
  'overpour',
  'short_pour',
  'not_rung',
  'not_poured',
  'foam',
  'till_offset',
];

/** Where a difference comes from, and what to check: by kind, the largest first. */
export function findCauses(input: FindingsInput): readonly BalanceFinding[] {
  const facts = { ...input.facts, sales: atPourTimes(input.facts.sales, input.offsetMin) };
  const lineTimesMs = input.lineTimesMs.map((timeMs) => timeMs - offsetMs(input.offsetMin));
  // Without any line nothing is known of the till.
  const tillGaps = lineTimesMs.length === 0 ? [] : tillSilences(lineTimesMs, facts.pours, input.days);
  const products = input.unmapped.map((product) => ({ ...product, size: unmappedSize(product) }));
  const ofBeverages = [...groupByBeverage(facts)].flatMap(([beverageId, own]) => {
    const guessed = products.filter((product) => product.beverageId === beverageId);
    const unmappedSizes = guessed.flatMap(({ size }) => (size === null ? [] : [size]));
    return findBeverageCauses(beverageId, own, { ...input, tillGaps, unmappedSizes });
  });
  const found: BalanceFinding[] = [
    ...products.map((product) => ({ kind: 'unmapped' as const, ...product })),
    ...tillGaps.map((gap) => tillSilent(gap, facts.pours, input.findMeter)),
    ...findHeld(facts.pours),
    ...findTillOffset(input.offsetMin),
    ...ofBeverages,
  ];
  return found.sort(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || volumeOf(other) - volumeOf(one),
  );
}

const offsetMs = (offsetMin: number | null) => (offsetMin ?? 0) * 60_000;

const atPourTimes = (sales: readonly BalanceSale[], offsetMin: number | null): readonly BalanceSale[] =>
  sales.map((sale) => ({ ...sale, timeMs: sale.timeMs - offsetMs(offsetMin) }));

const volumeOf = (finding: BalanceFinding): number =>
  'size' in finding && finding.size !== null ? finding.size.volumeMl : 0;

const tillSilent = (gap: Silence, pours: readonly BalancePour[], findMeter: FindMeter): BalanceFinding => ({
  kind: 'till_silent',
  sinceMs: gap.sinceMs,
  untilMs: gap.untilMs,
  pours: gap.events,
  size: tillGapSize(gap, pours, findMeter),
});

const findTillOffset = (offsetMin: number | null): readonly BalanceFinding[] =>
  offsetMin !== null && Math.abs(offsetMin) > toldOffsetMin
    ? [{ kind: 'till_offset', minutes: offsetMin }]
    : [];

function unmappedSize({ quantity, liquidMl }: UnmappedProduct): Size | null {
  if (liquidMl === null) return null;
  const volumeMl = quantity * liquidMl;
  return {
    volumeMl,
    uncertaintyMl:
      coverage * Math.hypot(0.05 * volumeMl, uHand * liquidMl * Math.sqrt(Math.max(0, quantity))),
  };
}

function findHeld(pours: readonly BalancePour[]): BalanceFinding[] {
  const held = pours.filter(({ isHeld }) => isHeld);
  const volumeMl = held.reduce((sum, { volumeUl }) => sum + fromUl(volumeUl), 0);
  return held.length === 0 || volumeMl === 0
    ? []
    : [{ kind: 'held', pours: held.length, size: { volumeMl, uncertaintyMl: volumeMl } }];
}

function groupByBeverage({ pours, losses, sales }: BalanceFacts): ReadonlyMap<number, BalanceFacts> {
  const groups = new Map<
    number,
    { pours: BalancePour[]; losses: BalanceFacts['losses'][number][]; sales: BalanceSale[] }
  >();
  const group = (id: number) => {
    const known = groups.get(id) ?? { pours: [], losses: [], sales: [] };
    groups.set(id, known);
    return known;
  };
  for (const pour of pours) if (pour.beverageId !== null) group(pour.beverageId).pours.push(pour);
  for (const loss of losses) if (loss.beverageId !== null) group(loss.beverageId).losses.push(loss);
  for (const sale of sales) group(sale.beverageId).sales.push(sale);
  return groups;
}
