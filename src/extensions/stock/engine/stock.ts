import { businessDayAt } from '../../../core/clock/business-days.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { remainingMl } from '../../../core/kegs/keg-volume.ts';
import type { Keg, KegState } from '../../../core/records.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import { newestRows } from '../../../store/shared/slice.ts';
import {
  compareForUse,
  costOfRest,
  daysBetween,
  findStockWarning,
  type KegPurchase,
  type StockWarning,
} from '../core/keg-stock.ts';
import { proposeOrder, type Reorder, useDays } from '../core/reorder.ts';
import type { StockTables } from '../store/stock-store.ts';

/** A keg in stock or on a tap, or an ended one whose deposit is out. */
export interface StockKeg {
  readonly kegId: number;
  readonly beverageId: number;
  readonly beverage: string;
  readonly size: string;
  readonly state: KegState;
  /** Names of its taps. */
  readonly tap: string | null;
  readonly fullMl: number;
  readonly leftMl: number;
  /** Half width of the 95 % interval of `leftMl`. */
  readonly leftUncertaintyMl: number;
  /** Whole days since it was put on its tap; null for others. */
  readonly daysOnTap: number | null;
  readonly costLeftMinor: number | null;
  readonly warning: StockWarning | null;
  readonly purchase: KegPurchase;
}

/** What is left of a beverage, in stock and on taps. */
export interface StockBeverage {
  readonly beverageId: number;
  readonly name: string;
  readonly kegsInStock: number;
  readonly leftMl: number;
  /** Of the kegs whose cost is known. */
  readonly costLeftMinor: number;
  /** Poured and spilled a day, mean of the last 28 days. */
  readonly dailyMl: number;
  readonly reorder: Reorder | null;
}

/** Kegs of a bar with what they cost and how long they keep. */
export interface Stock {
  readonly today: string;
  readonly currency: string;
  /** In stock, in the order in which they should be used; then on taps. */
  readonly kegs: readonly StockKeg[];
  /** Ended kegs whose deposit has not come back. */
  readonly depositsOut: readonly StockKeg[];
  readonly beverages: readonly StockBeverage[];
  readonly costLeftMinor: number;
  /** Kegs without a cost: they are not in `costLeftMinor`. */
  readonly kegsWithoutCost: number;
  /** Of kegs in stock, on taps, and ended ones. */
  readonly depositMinor: number;
}

/** More kegs than a bar has room for. */
const maxKegs = 1_000;
const dayMs = 86_400_000;

/** A keg that should not be sold any longer. */
export interface NotFreshKeg {
  readonly kegId: number;
  readonly beverage: string;
  readonly reason: 'past_best_before' | 'long_on_tap';
  /** On its tap, or since its best-before day. */
  readonly days: number;
}

/** What is in stock, on taps and to be returned. */
export function createStock(
  { store }: EngineParts,
  purchases: StockTables['purchases'],
  uncertainties: {
    /** Of what is left in a keg, millilitres. */
    keg(keg: Keg): number;
  },
) {
  const countDaysOnTap = (keg: Keg, now: Moment): number | null =>
    keg.state === 'on_tap' ? Math.max(0, Math.floor((now.wallMs - keg.startedTimeMs) / dayMs)) : null;

  const findWarning = (keg: Keg, today: string, now: Moment): StockWarning | null =>
    keg.state === 'finished'
      ? null
      : findStockWarning(purchases.byKeg(keg.id), today, {
          daysOnTap: countDaysOnTap(keg, now),
          maxDaysOnTap: store.reports.settings().maxDaysOnTap,
        });

  const today = (now: Moment): string => {
    const rule = {
      timeZone: store.site.read().timeZone,
      endsMinutes: store.reports.settings().dayEndsMinutes,
    };
    return businessDayAt(now.wallMs, rule).date;
  };

  const view = (keg: Keg, day: string, now: Moment): StockKeg => {
    const taps = store.taps.ofKeg(keg.id).map(({ tapId }) => store.taps.anyName(tapId));
    const purchase = purchases.byKeg(keg.id);
    const left = Math.max(0, remainingMl(keg));
    return {
      kegId: keg.id,
      beverageId: keg.beverageId,
      beverage: store.kegs.beverages.byId(keg.beverageId)?.name ?? '',
      size: store.kegs.sizes().find(({ id }) => id === keg.sizeId)?.name ?? '',
      state: keg.state,
      tap: taps.length === 0 ? null : taps.join(', '),
      fullMl: keg.fullVolumeMl,
      leftMl: left,
      leftUncertaintyMl: uncertainties.keg(keg),
      daysOnTap: countDaysOnTap(keg, now),
      costLeftMinor: costOfRest(purchase.costMinor, { leftMl: left, fullMl: keg.fullVolumeMl }),
      warning: findWarning(keg, day, now),
      purchase,
    };
  };

  return {
    /** What is there now. */
    view: (now: Moment): Stock =>
      store.snapshot(() => {
        const settings = store.reports.settings();
        const day = today(now);
        const read = (state: KegState) =>
          store.kegs.pageByState(state, newestRows(maxKegs)).map((keg) => view(keg, day, now));
        const inStock = read('available').sort((one, other) =>
          compareForUse({ ...one.purchase, kegId: one.kegId }, { ...other.purchase, kegId: other.kegId }),
        );
        const kegs = [...inStock, ...read('on_tap')];
        const depositsOut = purchases.depositsOut().map((id) => view(store.kegs.byId(id)!, day, now));
        return {
          today: day,
          currency: settings.currency,
          kegs,
          depositsOut,
          beverages: toBeverages(kegs, readDailyUse(now), day),
          costLeftMinor: sum(kegs.map(({ costLeftMinor }) => costLeftMinor ?? 0)),
          kegsWithoutCost: kegs.filter(({ costLeftMinor }) => costLeftMinor === null).length,
          depositMinor: sum(
            [...kegs, ...depositsOut].map(({ purchase }) =>
              purchase.depositReturnedOn === null ? (purchase.depositMinor ?? 0) : 0,
            ),
          ),
        };
      }),

    /** Kegs in stock and on taps that are past their best-before day, or on their tap for longer than the limit. */
    findNotFresh: (now: Moment): readonly NotFreshKeg[] =>
      store.snapshot(() => {
        const day = today(now);
        return (['on_tap', 'available'] as const)
          .flatMap((state) => store.kegs.pageByState(state, newestRows(maxKegs)))
          .flatMap((keg): readonly NotFreshKeg[] => {
            const reason = findWarning(keg, day, now);
            if (reason !== 'past_best_before' && reason !== 'long_on_tap') return [];
            const days =
              reason === 'long_on_tap'
                ? countDaysOnTap(keg, now)!
                : daysBetween(purchases.byKeg(keg.id).bestBefore!, day);
            const beverage = store.kegs.beverages.byId(keg.beverageId)?.name ?? '';
            return [{ kegId: keg.id, beverage, reason, days }];
          });
      }),
  };

  /** Poured and spilled a day by beverage, mL. A beverage that is new counts from its first pour on. */
  function readDailyUse(now: Moment): ReadonlyMap<number, number> {
    const span = { sinceMs: now.wallMs - useDays * dayMs, untilMs: now.wallMs + 1 };
    const use = new Map<number, { volumeMl: number; sinceMs: number }>();
    const add = (kegId: number | null, volumeMl: number) => {
      const keg = kegId === null ? null : store.kegs.byId(kegId);
      if (keg === null) return;
      const known = use.get(keg.beverageId);
      use.set(keg.beverageId, {
        volumeMl: (known?.volumeMl ?? 0) + volumeMl,
        sinceMs: Math.min(known?.sinceMs ?? span.untilMs, Math.max(span.sinceMs, keg.startedTimeMs)),
      });
    };
    for (const { kegId, volumeMl, isHeld } of store.reports.poured(span)) if (!isHeld) add(kegId, volumeMl);
    for (const { kegId, volumeMl } of store.reports.spilled(span)) add(kegId, volumeMl);
    return new Map(
      [...use].map(([id, { volumeMl, sinceMs }]) => [
        id,
        volumeMl / Math.max(7, Math.ceil((now.wallMs - sinceMs) / dayMs)),
      ]),
    );
  }

  function toBeverages(
    kegs: readonly StockKeg[],
    dailyUse: ReadonlyMap<number, number>,
    today: string,
  ): readonly StockBeverage[] {
    const ids = new Set([...kegs.map(({ beverageId }) => beverageId), ...dailyUse.keys()]);
    return [...ids]
      .flatMap((id) => {
        const name = store.kegs.beverages.byId(id)?.name;
        if (name === undefined) return [];
        const own = kegs.filter(({ beverageId }) => beverageId === id);
        const leftMl = sum(own.map((one) => one.leftMl));
        const dailyMl = dailyUse.get(id) ?? 0;
        const kegMl = own.at(0)?.fullMl ?? store.kegs.newestOf(id)?.fullVolumeMl ?? 0;
        return [
          {
            beverageId: id,
            name,
            kegsInStock: own.filter(({ state }) => state === 'available').length,
            leftMl,
            costLeftMinor: sum(own.map(({ costLeftMinor }) => costLeftMinor ?? 0)),
            dailyMl,
            reorder: proposeOrder({ dailyMl, leftMl, kegMl }, today),
          },
        ];
      })
      .sort((one, other) => one.name.localeCompare(other.name) || one.beverageId - other.beverageId);
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
