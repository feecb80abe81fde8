import { AppError } from '../../../../core/app-error.ts';
import { addDays, businessDay, type DayRule } from '../../../../core/clock/business-days.ts';
import type { ActorContext } from '../../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../../engine/shared/audit.ts';
import { validationError } from '../../../../engine/shared/bounds.ts';
import { change } from '../../../../engine/shared/parts.ts';
import { type BalanceParts, differenceUl, partNames, pouredUl, rungUl } from '../../core/balance/balance.ts';
import { toVerdict, type Verdict } from '../../core/balance/verdict.ts';
import type { SalesParts } from '../parts.ts';
import type { SpanBalance } from './span-balance.ts';

/** What is frozen of a beverage, or of the total. */
export interface FrozenBalance {
  readonly parts: BalanceParts;
  readonly verdict: Verdict;
}

export interface FrozenBeverage extends FrozenBalance {
  readonly beverageId: number;
  /** As it was named then. */
  readonly name: string;
  readonly isCompared: boolean;
}

/** A beverage whose figures are other ones now than when the month was closed. */
export interface MonthCorrection {
  readonly beverageId: number;
  readonly name: string;
  /** Now less then, whole microlitres. */
  readonly changes: { readonly pouredUl: number; readonly rungUl: number; readonly differenceUl: number };
}

/** A month whose balance is frozen. */
export interface ClosedMonthView extends Content {
  readonly closedMs: number;
  readonly corrections: readonly MonthCorrection[];
}

/** What is frozen of a month. */
interface Content extends Pick<SpanBalance, 'mostBeverageId' | 'when'> {
  readonly currency: string;
  readonly total: FrozenBalance;
  readonly beverages: readonly FrozenBeverage[];
}

type PricedBalance = SpanBalance & { readonly currency: string };

/** First and last business day of `YYYY-MM`. Throws `invalid_request`. */
export function monthDays(month: string, rule: DayRule): { readonly first: string; readonly last: string } {
  const first = /^\d{4}-\d\d$/.test(month) ? businessDay(`${month}-01`, rule) : null;
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next =
    number === 12 ? `${year + 1}-01` : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
  const after = businessDay(`${next}-01`, rule);
  if (first === null || after === null) throw validationError('month', 'must be an existing month, YYYY-MM');
  const last = addDays(after, -1, rule);
  return { first: first.date, last: last.date };
}

/** Freezes the balance of a month: what is corrected afterwards is shown as a correction. */
export function createClosedMonths(parts: SalesParts) {
  const { store } = parts;

  const toContent = ({ currency, mostBeverageId, when, total, beverages }: PricedBalance): Content => ({
    currency,
    mostBeverageId,
    when,
    total: freeze(total),
    beverages: beverages.map(({ beverageId, name, isCompared, balance }) => ({
      beverageId,
      name,
      isCompared,
      ...freeze(balance),
    })),
  });

  return {
    /** What was frozen, and what changed since; null while the month is open. */
    view(month: string, now: PricedBalance): ClosedMonthView | null {
      const closed = store.closedMonths.get(month);
      if (closed === null) return null;
      const content = JSON.parse(closed.content) as Content;
      return { closedMs: closed.closedMs, ...content, corrections: findCorrections(content, toContent(now)) };
    },

    /** Freezes the balance of a month that is over. Throws `conflict` when it is closed already. */
    close(month: string, balance: PricedBalance, { actor, now }: ActorContext): void {
      change(parts, () => {
        if (store.closedMonths.get(month) !== null)
          throw new AppError('conflict', `The month ${month} is closed already.`, {
            reason: { name: 'month_closed' },
          });
        const content = toContent(balance);
        store.closedMonths.add({ month, closedMs: Math.round(now.wallMs), content: JSON.stringify(content) });
        const after = {
          difference_ml: Math.round(content.total.verdict.volumeMl),
          kind: content.total.verdict.kind,
        };
        writeAudit(
          store,
          { actor, action: 'month.closed', subject: { kind: 'month', id: month }, after },
          now,
        );
      });
    },

    /** Opens a closed month again; the frozen figures stay in the audit log. Throws `not_found` for an open one. */
    reopen(month: string, { actor, now }: ActorContext): void {
      change(parts, () => {
        const closed = store.closedMonths.get(month);
        if (closed === null) throw new AppError('not_found', `The month ${month} is not closed.`);
        const { verdict } = (JSON.parse(closed.content) as Content).total;
        store.closedMonths.remove(month);
        const before = { difference_ml: Math.round(verdict.volumeMl), kind: verdict.kind };
        writeAudit(
          store,
          { actor, action: 'month.reopened', subject: { kind: 'month', id: month }, before },
          now,
        );
      });
    },
  };
}

function freeze(balance: SpanBalance['total']): FrozenBalance {
  const parts = Object.fromEntries(partNames.map((name) => [name, balance[name]])) as unknown as BalanceParts;
  return { parts, verdict: toVerdict(balance) };
}

function findCorrections(then: Content, now: Content): readonly MonthCorrection[] {
  const ids = [...new Set([...then.beverages, ...now.beverages].map(({ beverageId }) => beverageId))];
  return ids.flatMap((beverageId) => {
    const before = then.beverages.find((one) => one.beverageId === beverageId);
    const after = now.beverages.find((one) => one.beverageId === beverageId);
    const change = (read: (parts: BalanceParts) => number) =>
      (after === undefined ? 0 : read(after.parts)) - (before === undefined ? 0 : read(before.parts));
    return partNames.every((part) => change((parts) => parts[part]) === 0)
      ? []
      : [
          {
            beverageId,
            name: after?.name ?? before?.name ?? '',
            changes: {
              pouredUl: change(pouredUl),
              rungUl: change(rungUl),
              differenceUl: change(differenceUl),
            },
          },
        ];
  });
}
