import Type, { type Static } from 'typebox';
import { formatTimeOfDay } from '../../../core/clock/business-days.ts';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import {
  CalendarDate,
  Closed,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
} from '../../../http/routes/schemas.ts';
import type { BalanceView, MonthBalanceView } from '../engine/balance/balance-view.ts';
import type { ClosedMonthView } from '../engine/balance/closed-months.ts';
import type { PartBalance } from '../engine/balance/span-balance.ts';
import {
  balanceFields,
  balanceFieldsJson,
  HotTimeJson,
  hotTimeJson,
  ml,
  partFields,
  partsJson,
  SizeJson,
  signed,
  sizeJson,
  VerdictJson,
  verdictJson,
  volume,
} from './balance-figures.ts';
import { type FindingJson, FindingSchema } from './balance-finding-views.ts';

/** As elsewhere the decimal text of a number. */
const BeverageId = Type.String({ description: 'Id of the beverage, as text.' });

const BeverageJson = named(
  'BeverageBalance',
  Closed(
    {
      beverage_id: BeverageId,
      name: Type.String({ description: 'Name of the beverage.' }),
      is_compared: Type.Boolean({
        description: 'False where it was only poured or only sold: then it is in no total.',
      }),
      tap_id: Nullable(
        Type.String({ description: 'The tap that alone poured it, as text; null: several, or none.' }),
      ),
      ...balanceFields,
      sizes: Type.Array(SizeJson, { description: 'Sizes with enough pours.' }),
    },
    { description: 'Poured against sold of a beverage.' },
  ),
);

const PartJson = named(
  'PartBalance',
  Closed(
    {
      first: { ...CalendarDate, description: 'First business day, `YYYY-MM-DD`.' },
      last: { ...CalendarDate, description: 'Last business day, `YYYY-MM-DD`.' },
      ...balanceFields,
    },
    { description: 'Poured against sold of some business days.' },
  ),
);

const viewFields = {
  first: { ...CalendarDate, description: 'First business day, `YYYY-MM-DD`.' },
  last: { ...CalendarDate, description: 'Last business day, `YYYY-MM-DD`.' },
  since: { ...IsoSeconds, description: 'UTC time of the start, included.' },
  until: { ...IsoSeconds, description: 'UTC time of the end, not included.' },
  is_over: Type.Boolean({ description: 'False while the last day still runs.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  sale_lines: Type.Integer({ minimum: 0, description: 'Lines of all tills; 0: nothing can be compared.' }),
  total: Closed(balanceFields, { description: 'Of the beverages that are compared.' }),
  most_beverage_id: Nullable({
    ...BeverageId,
    description: 'The beverage with most of the difference; null for none.',
  }),
  when: Nullable(HotTimeJson),
  beverages: Type.Array(BeverageJson, { description: 'By id.' }),
  taps: Type.Array(
    Closed(
      {
        tap_id: Type.String({ description: 'Id of the tap, as text.' }),
        name: Nullable(Type.String({ description: 'Name of the tap; null when it was deleted.' })),
        ...balanceFields,
      },
      { description: 'Poured against sold of a tap.' },
    ),
    { description: 'Taps, with the beverages that they alone poured.' },
  ),
  shifts: Type.Array(
    Closed(
      {
        name: Type.String({ description: 'Name of the shift.' }),
        starts: Type.String({ description: 'When it starts, `HH:MM` in the site’s time zone.' }),
        ...balanceFields,
      },
      { description: 'Poured against sold of a shift.' },
    ),
    {
      description: 'Shifts of the site, without drips and gas, which have no time of day; empty without any.',
    },
  ),
  clock_hours: Type.Array(
    Closed(
      {
        hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the clock.' }),
        ...balanceFields,
      },
      { description: 'Poured against sold of an hour of the day.' },
    ),
    { description: 'Hours of the day with any, from the start of the business day; without drips and gas.' },
  ),
  weeks: Type.Array(PartJson, { description: 'From Monday to Sunday, oldest first.' }),
  days: Type.Array(PartJson, { description: 'Oldest first.' }),
  hours: Type.Array(
    Closed(
      {
        weekday: Type.Integer({
          minimum: 1,
          maximum: 7,
          description: 'Weekday of the business day, 1 is Monday.',
        }),
        hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the clock.' }),
        poured_ml: volume('Volume of the drinks.'),
        rung_ml: signed('Beer rung up, by the clock of the pours.'),
      },
      { description: 'An hour of the week.' },
    ),
    { description: 'Hours of the week with any.' },
  ),
  without_beverage_ml: volume('Poured at taps without a keg; in no other number.'),
  other_unmapped: Type.Integer({
    minimum: 0,
    description: 'Products without a mapping whose texts name no draught beer.',
  }),
  till_offset_minutes: Nullable(
    Type.Integer({ description: 'How much later the lines are than the pours; null where it is not clear.' }),
  ),
  findings: Type.Array(FindingSchema, { description: 'What to check, the most likely cause first.' }),
};

/** Poured against sold of a span. */
export const BalanceJson = named(
  'SalesBalance',
  Closed(viewFields, { description: 'Poured against sold of business days.' }),
);

const frozenFields = { ...partFields, sold_ml: balanceFields.sold_ml, verdict: VerdictJson };

const ClosedMonthJson = Closed(
  {
    closed_at: { ...IsoSeconds, description: 'When it was closed, UTC.' },
    currency: Type.String({ description: 'ISO 4217, of its amounts.' }),
    most_beverage_id: Nullable({
      ...BeverageId,
      description: 'The beverage that had most of the difference; null for none.',
    }),
    when: Nullable(HotTimeJson),
    total: Closed(frozenFields, { description: 'The total as it was then.' }),
    beverages: Type.Array(
      Closed({
        beverage_id: BeverageId,
        name: Type.String({ description: 'Its name then.' }),
        is_compared: Type.Boolean({ description: 'Whether it was in the total then.' }),
        ...frozenFields,
      }),
      { description: 'As they were then.' },
    ),
    corrections: Type.Array(
      Closed({
        beverage_id: BeverageId,
        name: Type.String({ description: 'Name of the beverage.' }),
        poured_ml: signed('Change of what was poured.'),
        rung_ml: signed('Change of what was rung up.'),
        difference_ml: signed('Change of poured less everything that has a name.'),
      }),
      { description: 'Beverages whose figures changed since.' },
    ),
  },
  { description: 'The frozen figures of a closed month.' },
);

/** Poured against sold of a month. */
export const MonthJson = named(
  'MonthBalance',
  Closed(
    {
      month: Type.String({ description: 'The month, `YYYY-MM`.' }),
      ...viewFields,
      closed: Nullable(ClosedMonthJson),
    },
    { description: 'Poured against sold of a month; `closed` has the frozen figures of a closed one.' },
  ),
);

const partJson = ({ first, last, balance }: PartBalance, currency: string) => ({
  first,
  last,
  ...balanceFieldsJson(balance, currency),
});

/** Writes a finding with the names that the page shows. */
export type ToFindingJson = (finding: BalanceView['findings'][number]) => FindingJson;

export function balanceJson(view: BalanceView, toFinding: ToFindingJson): Static<typeof BalanceJson> {
  const { currency } = view;
  return {
    first: view.first,
    last: view.last,
    since: isoSeconds(view.sinceMs),
    until: isoSeconds(view.untilMs),
    is_over: view.isOver,
    currency,
    sale_lines: view.lines,
    total: balanceFieldsJson(view.total, currency),
    most_beverage_id: view.mostBeverageId === null ? null : String(view.mostBeverageId),
    when: hotTimeJson(view.when),
    beverages: view.beverages.map(({ beverageId, name, isCompared, tapId, balance, sizes }) => ({
      beverage_id: String(beverageId),
      name,
      is_compared: isCompared,
      tap_id: tapId === null ? null : String(tapId),
      ...balanceFieldsJson(balance, currency),
      sizes: sizes.map(sizeJson),
    })),
    taps: view.taps.map(({ tapId, name, balance }) => ({
      tap_id: String(tapId),
      name,
      ...balanceFieldsJson(balance, currency),
    })),
    shifts: view.shifts.map(({ name, startsMinutes, balance }) => ({
      name,
      starts: formatTimeOfDay(startsMinutes),
      ...balanceFieldsJson(balance, currency),
    })),
    clock_hours: view.clockHours.map(({ hour, balance }) => ({
      hour,
      ...balanceFieldsJson(balance, currency),
    })),
    weeks: view.weeks.map((part) => partJson(part, currency)),
    days: view.days.map((part) => partJson(part, currency)),
    hours: view.hours.map(({ weekday, hour, pouredMl, rungMl }) => ({
      weekday: weekday + 1,
      hour,
      poured_ml: roundMl(pouredMl),
      rung_ml: roundMl(rungMl),
    })),
    without_beverage_ml: ml(view.withoutBeverageUl),
    other_unmapped: view.otherUnmapped,
    till_offset_minutes: view.tillOffsetMin,
    findings: view.findings.map(toFinding),
  };
}

export const monthJson = (view: MonthBalanceView, toFinding: ToFindingJson): Static<typeof MonthJson> => ({
  month: view.month,
  ...balanceJson(view, toFinding),
  closed: view.closed && closedJson(view.closed),
});

function closedJson({ closedMs, currency, total, beverages, corrections, ...closed }: ClosedMonthView) {
  const frozen = ({ parts, verdict }: ClosedMonthView['total']) => ({
    ...partsJson(parts),
    verdict: verdictJson(verdict, currency),
  });
  return {
    closed_at: isoSeconds(closedMs),
    currency,
    most_beverage_id: closed.mostBeverageId === null ? null : String(closed.mostBeverageId),
    when: hotTimeJson(closed.when),
    total: frozen(total),
    beverages: beverages.map(({ beverageId, name, isCompared, ...one }) => ({
      beverage_id: String(beverageId),
      name,
      is_compared: isCompared,
      ...frozen(one),
    })),
    corrections: corrections.map(({ beverageId, name, changes }) => ({
      beverage_id: String(beverageId),
      name,
      poured_ml: ml(changes.pouredUl),
      rung_ml: ml(changes.rungUl),
      difference_ml: ml(changes.differenceUl),
    })),
  };
}
