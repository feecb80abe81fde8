import type { Moment } from '../../../core/clock/moment.ts';
import { remainingMl } from '../../../core/kegs/keg-volume.ts';
import type { createReports } from '../../../engine/reports/reports.ts';
import {
  addMoney,
  type BeverageMoney,
  computeMoney,
  type Money,
  priceTax,
  type ServingMoney,
  servingMoney,
  type TillMoney,
} from '../core/money.ts';
import type { SoldKind } from '../store/sold-table.ts';
import type { SalesParts } from './parts.ts';

/** What tills recorded of one kind in a span. */
export interface TillKind {
  readonly kind: SoldKind;
  readonly lines: number;
  readonly servings: number;
  readonly netMinor: number;
}

/** A keg that ended with beer in it. */
export interface LeftInKeg {
  readonly kegId: number;
  readonly beverage: string;
  readonly leftMl: number;
  /** Null: its cost is not known. */
  readonly costMinor: number | null;
}

/** Income and cost of business days. Nothing of it is a fiscal record. */
export interface MoneyView {
  readonly first: string;
  readonly last: string;
  /** False while the last day has not ended. */
  readonly isOver: boolean;
  readonly currency: string;
  readonly total: Money;
  readonly beverages: readonly (BeverageMoney & { readonly name: string })[];
  readonly till: readonly TillKind[];
  /** Tills of which nobody said whether their amounts contain tax: while they sold any of it, there is no margin. */
  readonly taxUnknownTills: readonly { readonly id: number; readonly name: string }[];
  readonly leftInKegs: readonly LeftInKeg[];
  /** Servings at their present prices and the cost of the last keg. */
  readonly servings: readonly (ServingMoney & {
    readonly beverageId: number;
    readonly beverage: string;
    readonly sizeId: number;
    readonly liquidMl: number;
  })[];
}

/** Less than this is what cannot be poured: residue and foam. */
const residueMl = 500;

/** Income, cost and margin of business days. */
export function createMoney(
  { store, kegCosts }: SalesParts,
  reports: Pick<ReturnType<typeof createReports>, 'span'>,
) {
  const beverageName = (id: number): string => store.kegs.beverages.byId(id)?.name ?? '';

  return {
    /** Of the business days from `first` (default `last`) to `last` (default today), at most 92. Throws `invalid_request`. */
    span: (request: { readonly first?: string; readonly last?: string }, now: Moment): MoneyView =>
      store.snapshot(() => {
        const report = reports.span(request, now);
        const span = { sinceMs: report.sinceMs, untilMs: report.untilMs };
        const sold = store.sold.totals(span);
        const beverages = computeMoney(
          report.kegs.flatMap(({ kegId, pouredMl, spilledMl, revenueMinor }) => {
            const keg = kegId === null ? null : store.kegs.byId(kegId);
            if (keg === null) return [];
            const costMinor = kegCosts.kegCost(keg.id);
            const costPerMl = costMinor === null ? null : costMinor / keg.fullVolumeMl;
            return [{ beverageId: keg.beverageId, costPerMl, pouredMl, spilledMl, revenueMinor }];
          }),
          sumByBeverage(sold),
        ).map((beverage) => ({ ...beverage, name: beverageName(beverage.beverageId) }));
        return {
          first: report.days[0]!.day.date,
          last: report.days.at(-1)!.day.date,
          isOver: report.isOver,
          currency: report.currency,
          total: addMoney(beverages),
          beverages,
          till: sumByKind(sold),
          taxUnknownTills: sold.every(({ isTaxKnown }) => isTaxKnown)
            ? []
            : store.tills.all().filter(({ includedTaxBasisPoints }) => includedTaxBasisPoints === null),
          leftInKegs: readLeftInKegs(span),
          servings: readServings(beverages.map(({ beverageId }) => beverageId)),
        };
      }),
  };

  function readLeftInKegs(span: { readonly sinceMs: number; readonly untilMs: number }): LeftInKeg[] {
    return store.kegs.endedIn(span).flatMap((keg) => {
      const leftMl = remainingMl(keg);
      if (leftMl < residueMl) return [];
      const costMinor = kegCosts.kegCost(keg.id);
      return [
        {
          kegId: keg.id,
          beverage: beverageName(keg.beverageId),
          leftMl,
          costMinor: costMinor === null ? null : Math.round((costMinor * leftMl) / keg.fullVolumeMl),
        },
      ];
    });
  }

  function readServings(beverageIds: readonly number[]): MoneyView['servings'] {
    const tillTax = store.tills.priceTax();
    return beverageIds.flatMap((beverageId) => {
      const costPerMl = kegCosts.costPerMl(beverageId);
      const known = new Map(store.servings.byBeverage(beverageId).map((one) => [one.sizeId, one]));
      return store.kegs.priceLists.current(beverageId).map(({ sizeId, volumeMl, priceMinor }) => {
        const serving = known.get(sizeId);
        const liquidMl = serving?.liquidMl ?? volumeMl;
        const taxBasisPoints = priceTax(serving?.taxBasisPoints ?? null, tillTax);
        return {
          beverageId,
          beverage: beverageName(beverageId),
          sizeId,
          liquidMl,
          ...servingMoney({ priceMinor, taxBasisPoints, liquidMl, costPerMl }),
        };
      });
    });
  }
}

function sumByBeverage(sold: readonly TillMoney[]): readonly TillMoney[] {
  const sums = new Map<number, TillMoney>();
  for (const { beverageId, netMinor, isTaxKnown } of sold) {
    const known = sums.get(beverageId);
    sums.set(beverageId, {
      beverageId,
      netMinor: (known?.netMinor ?? 0) + netMinor,
      isTaxKnown: isTaxKnown && known?.isTaxKnown !== false,
    });
  }
  return [...sums.values()];
}

function sumByKind(sold: readonly TillKind[]): readonly TillKind[] {
  const sums = new Map<SoldKind, TillKind>();
  for (const { kind, lines, servings, netMinor } of sold) {
    const known = sums.get(kind);
    sums.set(kind, {
      kind,
      lines: (known?.lines ?? 0) + lines,
      servings: (known?.servings ?? 0) + servings,
      netMinor: (known?.netMinor ?? 0) + netMinor,
    });
  }
  return [...sums.values()].map((one) => ({ ...one, netMinor: Math.round(one.netMinor) }));
}
