import { AppError } from '../../../../core/app-error.ts';
import type { BusinessDay } from '../../../../core/clock/business-days.ts';
import { toUsernameKey } from '../../../../core/users/username-rules.ts';
import { daysOfSpan } from '../../../../engine/reports/day-span.ts';
import { type ActorContext, auditedChange } from '../../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../../engine/shared/audit.ts';
import { validateNumber, validateText } from '../../../../engine/shared/bounds.ts';
import { change } from '../../../../engine/shared/parts.ts';
import { addBalances, type Balance, computeBalance, toBalanceKind } from '../../core/balance/balance.ts';
import { type BalancePour, type BalanceSale, type FindMeter, toUl } from '../../core/balance/facts.ts';
import { type ByPersonSettings, personReason, sellerDays } from '../../core/sellers.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import type { SalesParts } from '../parts.ts';
import { findMeters } from './read-facts.ts';

/** A page that is loaded again within this time is one view. */
const noteAgainMs = 3_600_000;
const maxNoted = 1_000;

/** What one person rang up and poured. */
export interface PersonBalance {
  /** As the till writes it, else the username. */
  readonly name: string;
  /** Null: nobody has an account of that name. */
  readonly username: string | null;
  readonly balance: Balance;
  /** Lines that were taken back before they were poured, and after. */
  readonly voidLines: number;
  readonly refundLines: number;
}

/** Poured against sold by person of some business days. */
export interface PersonBalances {
  readonly first: string;
  readonly last: string;
  readonly currency: string;
  readonly reason: string;
  readonly persons: readonly PersonBalance[];
  /** What was rung up by nobody who is named. */
  readonly unnamed: Balance;
}

/**
 * Poured against sold by person, only where the site turned it on, for a reason that everyone sees who sees the figures. While it is
 * off no names are kept.
 */
export function createPersonBalances(parts: SalesParts) {
  const { store } = parts;
  const subject = (action: string) => ({
    action,
    kind: 'site',
    id: 1,
    snapshot: () => {
      const { reason, days } = store.sellers.settings();
      return { by_person_reason: reason, seller_days: days };
    },
  });
  const rule = () => ({
    timeZone: store.site.read().timeZone,
    endsMinutes: store.reports.settings().dayEndsMinutes,
  });
  const requireOn = (): ByPersonSettings & { readonly reason: string } => {
    const settings = store.sellers.settings();
    if (settings.reason !== null) return { ...settings, reason: settings.reason };
    throw new AppError('conflict', 'Figures by person are off. A superuser turns them on, with the reason.', {
      reason: { name: 'by_person_off' },
    });
  };

  /** When somebody last looked at a span, monotonic milliseconds. */
  const noted = new Map<string, number>();
  /** Writes a view to the audit log; throws where it cannot be written, and nothing is shown then. */
  const note = (
    span: { readonly first: string; readonly last: string },
    { actor, now }: ActorContext,
  ): void => {
    const key = `${actor.userId} ${actor.via} ${span.first}/${span.last}`;
    const notedMs = noted.get(key);
    if (notedMs !== undefined && now.monoMs - notedMs < noteAgainMs) return;
    const entry = { actor, action: 'sales.by_person_viewed', subject: { kind: 'site', id: 1 }, after: span };
    change(parts, () => writeAudit(store, entry, now), 'operation');
    if (noted.size >= maxNoted) noted.clear();
    noted.set(key, now.monoMs);
  };

  return {
    settings: (): ByPersonSettings => store.sellers.settings(),

    /** Turns figures by person on, or changes the reason and for how many days names are kept. */
    turnOn(
      { reason, days = sellerDays.default }: { readonly reason: string; readonly days?: number | undefined },
      context: ActorContext,
    ): ByPersonSettings {
      const text = validateText('reason', reason, { ...personReason, kind: 'lines' });
      const kept = validateNumber('days', days, { min: sellerDays.min, max: sellerDays.max, whole: true });
      return auditedChange(parts, context, subject('sales.by_person_on'), () => {
        const { sinceMs } = store.sellers.settings();
        store.sellers.setSettings({
          reason: text,
          sinceMs: sinceMs ?? Math.max(0, Math.round(context.now.wallMs)),
          days: kept,
        });
        return store.sellers.settings();
      });
    },

    /** Turns them off, and removes all names at lines of tills. */
    turnOff: (context: ActorContext): ByPersonSettings =>
      auditedChange(parts, context, { ...subject('sales.by_person_off'), writes: 'removal' }, () => {
        store.sellers.setSettings({ ...store.sellers.settings(), reason: null, sinceMs: null });
        store.sellers.removeBefore(Number.MAX_SAFE_INTEGER);
        return store.sellers.settings();
      }),

    /**
     * Of the business days from `first` (default `last`) to `last` (default today), at most 92. Whoever looks is noted in the audit log.
     * Throws `conflict` while it is off.
     */
    view(
      request: { readonly first?: string; readonly last?: string },
      context: ActorContext,
    ): PersonBalances {
      const { reason } = requireOn();
      const days = daysOfSpan(request, rule(), context.now);
      const [first, last] = [days[0]!.date, days.at(-1)!.date];
      note({ first, last }, context);
      return store.snapshot(() => ({
        first,
        last,
        reason,
        currency: store.reports.settings().currency,
        ...computePersons(store, days),
      }));
    },
  };
}

/** What one person did, by beverage. */
interface PersonFacts {
  name: string;
  username: string | null;
  isSeller: boolean;
  isStaff: boolean;
  readonly pours: BalancePour[];
  readonly sales: BalanceSale[];
  voidLines: number;
  refundLines: number;
}

function computePersons(
  store: SalesDatabase,
  days: readonly BusinessDay[],
): Pick<PersonBalances, 'persons' | 'unnamed'> {
  const span = { sinceMs: days[0]!.sinceMs, untilMs: days.at(-1)!.untilMs };
  const findMeter = findMeters(store, span.untilMs);
  const people = new Map<string, PersonFacts>();
  const factsOf = (name: string): PersonFacts => {
    const key = toUsernameKey(name);
    const known = people.get(key) ?? {
      name,
      username: null,
      isSeller: false,
      isStaff: false,
      pours: [],
      sales: [],
      voidLines: 0,
      refundLines: 0,
    };
    people.set(key, known);
    return known;
  };
  const unnamed: BalanceSale[] = [];
  for (const line of store.sold.lines(span)) {
    if (line.servings === 0 && line.netMinor === 0) continue;
    const sale = {
      timeMs: line.timeMs,
      beverageId: line.beverageId,
      kind: toBalanceKind(line.kind),
      liquidUl: toUl(line.liquidMl),
      servings: line.servings,
      netMinor: line.netMinor,
    };
    if (line.seller === null) {
      unnamed.push(sale);
      continue;
    }
    const facts = factsOf(line.seller);
    facts.isSeller = true;
    facts.sales.push(sale);
  }
  for (const { seller, kind, lines } of store.sellers.takenBack(span)) {
    const facts = factsOf(seller);
    facts.isSeller = true;
    if (kind === 'void') facts.voidLines += lines;
    else facts.refundLines += lines;
  }
  const ticksPerMl = new Map(store.taps.meters.all().map((meter) => [meter.name, meter.ticksPerMl]));
  for (const pour of store.sellers.pours(span)) {
    const facts = factsOf(pour.username);
    facts.username = pour.username;
    facts.isStaff = pour.isStaff;
    const perMl = pour.meter === null ? undefined : ticksPerMl.get(pour.meter);
    facts.pours.push({
      timeMs: pour.timeMs,
      durationMs: pour.durationMs,
      beverageId: pour.beverageId,
      tapId: null,
      meter: pour.meter,
      volumeUl: toUl(pour.volumeMl),
      gasUl: 0,
      isHeld: false,
      isFoamy: false,
      missedUl: perMl === undefined || pour.ticksLost === 0 ? 0 : toUl(pour.ticksLost / perMl),
    });
  }
  return {
    persons: [...people.values()]
      // What guests with accounts poured for themselves is nobody's work.
      .filter(({ isSeller, isStaff }) => isSeller || isStaff)
      .map((facts) => ({
        name: facts.name,
        username: facts.username,
        voidLines: facts.voidLines,
        refundLines: facts.refundLines,
        balance: balanceOf(facts, days.length, findMeter),
      }))
      .sort((one, other) => one.name.localeCompare(other.name)),
    unnamed: balanceOf({ pours: [], sales: unnamed }, days.length, findMeter),
  };
}

/** The balances of all beverages together; a serving may be rung up by somebody else than who poured it, each day anew. */
function balanceOf(
  { pours, sales }: Pick<PersonFacts, 'pours' | 'sales'>,
  days: number,
  findMeter: FindMeter,
): Balance {
  const ids = new Set([...pours, ...sales].map(({ beverageId }) => beverageId));
  const balances = [...ids].map((id) =>
    computeBalance(
      {
        pours: pours.filter(({ beverageId }) => beverageId === id),
        losses: [],
        sales: sales.filter(({ beverageId }) => beverageId === id),
      },
      findMeter,
    ),
  );
  return addBalances(
    balances.map((one) => ({ ...one, cutoffMl2: one.cutoffMl2 * days * 2 })),
    'beverages',
  );
}
