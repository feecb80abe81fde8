import { computeBalance, differenceUl, differenceUncertaintyMl, meanServingMl, pouredUl } from './balance.ts';
import { type DifferenceParts, type Size, takeApart } from './difference-parts.ts';
import { type BalanceFacts, type BalancePour, fromUl } from './facts.ts';
import type { BalanceFinding, FindingsInput } from './finding.ts';
import type { Silence } from './silences.ts';
import { balanceByHour, findHotTime } from './times.ts';

/** Smaller findings are not worth a line, as a share of what was poured of the beverage, or in servings. */
const leastShare = 0.006;
const leastServings = 2;
/** Of clean lines a few per cent of the pours are foamy. */
const foamyShare = 0.2;
const leastFoamy = 10;

export interface BeverageInput extends FindingsInput {
  /** While the till was silent. */
  readonly tillGaps: readonly Silence[];
  /** What was sold of products that nobody has mapped, but whose names are those of this beverage. */
  readonly unmappedSizes: readonly Size[];
}

/** Where the difference of one beverage comes from; `facts` are those of this beverage alone. */
export function findBeverageCauses(
  beverageId: number,
  facts: BalanceFacts,
  input: BeverageInput,
): readonly BalanceFinding[] {
  const { pours, sales } = facts;
  const balance = computeBalance(facts, input.findMeter);
  const whole = {
    volumeMl: fromUl(Math.abs(differenceUl(balance))),
    uncertaintyMl: differenceUncertaintyMl(balance),
  };
  const counted = pours.filter(({ isHeld }) => !isHeld);
  if (sales.length === 0) {
    const isNeverRung = counted.length > leastServings && input.unmappedSizes.length === 0;
    return isNeverRung ? [{ kind: 'not_sold', beverageId, size: whole }] : [];
  }
  if (pours.length === 0) return [{ kind: 'not_poured_at_all', beverageId, size: whole }];
  const parts = takeApart(facts, balance, input);
  const leastMl = Math.max(
    leastShare * fromUl(pouredUl(balance)),
    leastServings * (meanServingMl(balance) ?? 0),
  );
  return [
    ...findMeterGaps(beverageId, parts),
    ...findMissedTicks(beverageId, parts, leastMl),
    ...findCleanings(beverageId, parts),
    ...findFills(beverageId, parts, leastMl),
    ...findRest(beverageId, facts, { parts, leastMl, input }),
    ...findFoam(beverageId, counted),
  ];
}

const findMeterGaps = (beverageId: number, { meterGaps }: DifferenceParts): BalanceFinding[] =>
  meterGaps.map(({ sinceMs, untilMs, volumeMl, uncertaintyMl }) => ({
    kind: 'meter_silent',
    beverageId,
    sinceMs,
    untilMs,
    size: { volumeMl, uncertaintyMl },
  }));

const findMissedTicks = (
  beverageId: number,
  { missed }: DifferenceParts,
  leastMl: number,
): BalanceFinding[] =>
  missed.volumeMl >= leastMl ? [{ kind: 'missed_ticks', beverageId, size: missed }] : [];

const findCleanings = (beverageId: number, { cleaning }: DifferenceParts): BalanceFinding[] =>
  cleaning.map(({ pour: { tapId, timeMs }, size }) => ({
    kind: 'cleaning',
    beverageId,
    tapId,
    timeMs,
    size,
  }));

/** Glasses that are filled above or below what their serving holds. */
const findFills = (beverageId: number, { overpours }: DifferenceParts, leastMl: number): BalanceFinding[] =>
  overpours
    .filter((one) => isTold(one, leastMl) && Math.abs(one.volumeMl) > one.chanceMl)
    .map((one) => ({
      kind: one.volumeMl > 0 ? 'overpour' : 'short_pour',
      beverageId,
      fill: one.fill,
      size: withoutSign(one),
    }));

/** What is left once everything else is taken off, and the hours of the week in which most of it arises. */
function findRest(
  beverageId: number,
  { sales }: BalanceFacts,
  {
    parts: { rest, glasses, meterGaps, fills },
    leastMl,
    input,
  }: { readonly parts: DifferenceParts; readonly leastMl: number; readonly input: BeverageInput },
): BalanceFinding[] {
  if (!isTold(rest, leastMl)) return [];
  const hours = balanceByHour(
    glasses.filter(({ timeMs }) => !isWithin(input.tillGaps, timeMs)),
    sales.filter(({ timeMs }) => !isWithin(meterGaps, timeMs)),
    input.findWeekHour,
  );
  const when = findHotTime(hours, {
    volumeMl: rest.volumeMl,
    fillShare: fills.fillShare,
    dayStartHour: input.dayStartHour,
  });
  return [{ kind: rest.volumeMl > 0 ? 'not_rung' : 'not_poured', beverageId, when, size: withoutSign(rest) }];
}

function findFoam(beverageId: number, counted: readonly BalancePour[]): BalanceFinding[] {
  const foamy = counted.filter(({ isFoamy }) => isFoamy).length;
  if (foamy < leastFoamy || foamy <= foamyShare * counted.length) return [];
  return [{ kind: 'foam', beverageId, share: foamy / counted.length }];
}

/** Whether a difference is larger than its uncertainty, and than what is worth a line. */
const isTold = ({ volumeMl, uncertaintyMl }: Size, leastMl: number) =>
  Math.abs(volumeMl) > uncertaintyMl && Math.abs(volumeMl) >= leastMl;

const withoutSign = ({ volumeMl, uncertaintyMl }: Size): Size => ({
  volumeMl: Math.abs(volumeMl),
  uncertaintyMl,
});

const isWithin = (gaps: readonly Pick<Silence, 'sinceMs' | 'untilMs'>[], timeMs: number) =>
  gaps.some(({ sinceMs, untilMs }) => timeMs >= sinceMs && timeMs <= untilMs);
