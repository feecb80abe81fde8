import { coverage } from '../../measurement/uncertainty.ts';
import {
  computeBalance,
  differenceUl,
  differenceUncertaintyMl,
  meanServingMl,
  pouredUl,
  uHand,
} from './balance.ts';
import { type Size, takeApart, tillGapSize } from './difference-parts.ts';
import { type BalanceFacts, type BalancePour, type BalanceSale, type FindMeter, fromUl } from './facts.ts';
import type { Fill } from './fills.ts';
import { type Silence, tillSilences } from './silences.ts';
import { balanceByHour, findHotTime, type HotTime, type WeekHour } from './times.ts';

/** A product of the till that nobody has mapped. */
export interface UnmappedProduct {
  readonly itemId: number;
  readonly lines: number;
  readonly quantity: number;
  readonly netMinor: number;
  /** What its name says; null where it does not. */
  readonly beverageId: number | null;
  readonly liquidMl: number | null;
}

/** What to check, and how much of the difference it is. */
export type BalanceFinding =
  | ({ readonly kind: 'unmapped'; readonly size: Size | null } & UnmappedProduct)
  | { readonly kind: 'not_sold' | 'not_poured_at_all'; readonly beverageId: number; readonly size: Size }
  | {
      readonly kind: 'till_silent';
      readonly sinceMs: number;
      readonly untilMs: number;
      readonly pours: number;
      readonly size: Size;
    }
  | {
      readonly kind: 'meter_silent';
      readonly beverageId: number;
      readonly sinceMs: number;
      readonly untilMs: number;
      readonly size: Size;
    }
  | { readonly kind: 'missed_ticks'; readonly beverageId: number; readonly size: Size }
  | { readonly kind: 'held'; readonly pours: number; readonly size: Size }
  | {
      readonly kind: 'cleaning';
      readonly beverageId: number;
      readonly tapId: number | null;
      readonly timeMs: number;
      readonly size: Size;
    }
  | {
      readonly kind: 'overpour' | 'short_pour';
      readonly beverageId: number;
      readonly fill: Fill;
      readonly size: Size;
    }
  | {
      readonly kind: 'not_rung' | 'not_poured';
      readonly beverageId: number;
      readonly when: HotTime | null;
      readonly size: Size;
    }
  | { readonly kind: 'foam'; readonly beverageId: number; readonly share: number }
  | { readonly kind: 'till_offset'; readonly minutes: number };

export interface FindingsInput {
  readonly facts: BalanceFacts;
  readonly findMeter: FindMeter;
  /** The business days of the span, oldest first. */
  readonly days: readonly { readonly sinceMs: number; readonly untilMs: number }[];
  /** Times of all lines of all tills, as the tills stamp them: also of food. */
  readonly lineTimesMs: readonly number[];
  readonly unmapped: readonly UnmappedProduct[];
  /** How much later the lines are than the pours, see `findTillOffset`; null where it is not known. */
  readonly offsetMin: number | null;
  readonly findWeekHour: (timeMs: number) => WeekHour;
  /** Hour at which the business day begins. */
  readonly dayStartHour: number;
}

/** Smaller findings are not worth a line, as a share of what was poured of the beverage, or in servings. */
const leastShare = 0.006;
const leastServings = 2;
/** Of clean lines a few per cent of the pours are foamy. */
const foamyShare = 0.2;
const leastFoamy = 10;
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
  const { facts, days, unmapped, offsetMin } = input;
  const offsetMs = (offsetMin ?? 0) * 60_000;
  const sales = facts.sales.map((sale) => ({ ...sale, timeMs: sale.timeMs - offsetMs }));
  const lineTimesMs = input.lineTimesMs.map((time) => time - offsetMs);
  // Without any line nothing is known of the till.
  const tillGaps = lineTimesMs.length === 0 ? [] : tillSilences(lineTimesMs, facts.pours, days);
  const products = unmapped.map((product) => ({ ...product, size: unmappedSize(product) }));
  const found: BalanceFinding[] = [
    ...products.map((product) => ({ kind: 'unmapped' as const, ...product })),
    ...tillGaps.map((gap) => ({
      kind: 'till_silent' as const,
      sinceMs: gap.sinceMs,
      untilMs: gap.untilMs,
      pours: gap.events,
      size: tillGapSize(gap, facts.pours, input.findMeter),
    })),
    ...heldFinding(facts.pours),
    ...(offsetMin !== null && Math.abs(offsetMin) > toldOffsetMin
      ? [{ kind: 'till_offset' as const, minutes: offsetMin }]
      : []),
  ];
  const byBeverage = groupByBeverage({ ...facts, sales });
  for (const [beverageId, own] of byBeverage) {
    const guessed = products.filter((product) => product.beverageId === beverageId && product.size !== null);
    found.push(
      ...beverageCauses(beverageId, own, {
        ...input,
        tillGaps,
        unmappedSizes: guessed.map(({ size }) => size!),
      }),
    );
  }
  const sizeOf = (finding: BalanceFinding) =>
    'size' in finding && finding.size !== null ? finding.size.volumeMl : 0;
  return found.sort(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || sizeOf(other) - sizeOf(one),
  );
}

interface BeverageInput extends FindingsInput {
  readonly tillGaps: readonly Silence[];
  readonly unmappedSizes: readonly Size[];
}

function beverageCauses(beverageId: number, facts: BalanceFacts, input: BeverageInput): BalanceFinding[] {
  const { findMeter, days, tillGaps, unmappedSizes } = input;
  const { pours, sales } = facts;
  const balance = computeBalance(facts, findMeter);
  const poured = fromUl(pouredUl(balance));
  const whole = {
    volumeMl: fromUl(Math.abs(differenceUl(balance))),
    uncertaintyMl: differenceUncertaintyMl(balance),
  };
  const counted = pours.filter(({ isHeld }) => !isHeld);
  if (sales.length === 0)
    return counted.length > leastServings && unmappedSizes.length === 0
      ? [{ kind: 'not_sold', beverageId, size: whole }]
      : [];
  if (pours.length === 0) return [{ kind: 'not_poured_at_all', beverageId, size: whole }];
  const servingMl = meanServingMl(balance) ?? 0;
  const leastMl = Math.max(leastShare * poured, leastServings * servingMl);
  const isTold = ({ volumeMl, uncertaintyMl }: Size) =>
    Math.abs(volumeMl) > uncertaintyMl && Math.abs(volumeMl) >= leastMl;

  const parts = takeApart(facts, balance, { findMeter, days, tillGaps, unmappedSizes });
  const { cleaning, glasses, fills, overpours, meterGaps, missed, rest } = parts;
  const when = findHotTime(
    balanceByHour(
      glasses.filter(({ timeMs }) => !tillGaps.some((gap) => timeMs >= gap.sinceMs && timeMs <= gap.untilMs)),
      sales.filter(({ timeMs }) => !meterGaps.some((gap) => timeMs >= gap.sinceMs && timeMs <= gap.untilMs)),
      input.findWeekHour,
    ),
    { volumeMl: rest.volumeMl, fillShare: fills.fillShare, dayStartHour: input.dayStartHour },
  );
  const absolute = ({ volumeMl, uncertaintyMl }: Size): Size => ({
    volumeMl: Math.abs(volumeMl),
    uncertaintyMl,
  });
  const foamy = counted.filter(({ isFoamy }) => isFoamy).length;
  return [
    ...meterGaps.map((gap) => ({
      kind: 'meter_silent' as const,
      beverageId,
      sinceMs: gap.sinceMs,
      untilMs: gap.untilMs,
      size: toSize(gap),
    })),
    ...(missed.volumeMl >= leastMl ? [{ kind: 'missed_ticks' as const, beverageId, size: missed }] : []),
    ...cleaning.map(({ pour, size }) => ({
      kind: 'cleaning' as const,
      beverageId,
      tapId: pour.tapId,
      timeMs: pour.timeMs,
      size,
    })),
    ...overpours
      .filter((one) => isTold(one) && Math.abs(one.volumeMl) > one.chanceMl)
      .map(({ fill, volumeMl, uncertaintyMl }) => ({
        kind: volumeMl > 0 ? ('overpour' as const) : ('short_pour' as const),
        beverageId,
        fill,
        size: absolute({ volumeMl, uncertaintyMl }),
      })),
    ...(isTold(rest)
      ? [
          {
            kind: rest.volumeMl > 0 ? ('not_rung' as const) : ('not_poured' as const),
            beverageId,
            when,
            size: absolute(rest),
          },
        ]
      : []),
    ...(foamy >= leastFoamy && foamy > foamyShare * counted.length
      ? [{ kind: 'foam' as const, beverageId, share: foamy / counted.length }]
      : []),
  ];
}

function unmappedSize({ quantity, liquidMl }: UnmappedProduct): Size | null {
  if (liquidMl === null) return null;
  const volumeMl = quantity * liquidMl;
  return {
    volumeMl,
    uncertaintyMl:
      coverage * Math.hypot(0.05 * volumeMl, uHand * liquidMl * Math.sqrt(Math.max(0, quantity))),
  };
}

function heldFinding(pours: readonly BalancePour[]): BalanceFinding[] {
  const held = pours.filter(({ isHeld }) => isHeld);
  const volumeMl = held.reduce((sum, { volumeUl }) => sum + fromUl(volumeUl), 0);
  return held.length === 0 || volumeMl === 0
    ? []
    : [{ kind: 'held', pours: held.length, size: { volumeMl, uncertaintyMl: volumeMl } }];
}

const toSize = ({ volumeMl, uncertaintyMl }: Size): Size => ({ volumeMl, uncertaintyMl });

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
