import Type, { type Static } from 'typebox';
import { fromMinor } from '../../../core/kegs/money.ts';
import { roundMl } from '../../../core/rules/round-ml.ts';
import {
  type Balance,
  type BalanceParts,
  pouredUl,
  sellingYield,
} from '../../../core/sales/balance/balance.ts';
import { fromUl } from '../../../core/sales/balance/facts.ts';
import type { Overpour } from '../../../core/sales/balance/fills.ts';
import type { HotTime } from '../../../core/sales/balance/times.ts';
import { toVerdict, type Verdict } from '../../../core/sales/balance/verdict.ts';
import type { BalanceView, ClosedMonthView, MonthBalanceView, PartBalance } from '../../../engine/engine.ts';
import {
  CalendarDate,
  Closed,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  TotalMl,
} from '../../routes/schemas.ts';
import { uncertaintyField } from '../shared/drink-views.ts';
import { type FindingJson, FindingSchema } from './balance-finding-views.ts';

const volume = (description: string) => ({ ...TotalMl, description });
const signed = (description: string) => Type.Number({ 'x-unit': 'mL', description });

const VerdictJson = named(
  'BalanceVerdict',
  Closed(
    {
      kind: Type.Enum(['poured_not_rung', 'rung_not_poured', 'agrees'], {
        description: 'The direction of the difference; `agrees`: it is within its uncertainty.',
      }),
      volume_ml: volume('The difference in millilitres, without a sign.'),
      uncertainty_ml: uncertaintyField('`volume_ml`'),
      servings: Nullable(
        Type.Number({ minimum: 0, description: 'In servings of the mean size; null where none was sold.' }),
      ),
      value: Nullable(
        Type.Number({
          minimum: 0,
          description: 'At the mean net price, in the currency; null without sales.',
        }),
      ),
      value_uncertainty: Nullable(
        Type.Number({ minimum: 0, description: 'Half width of the 95 % interval of `value`.' }),
      ),
      share: Nullable(
        Type.Number({ minimum: 0, description: 'Share of what was poured; null where nothing was.' }),
      ),
    },
    { description: 'What a balance says.' },
  ),
);

/** As elsewhere the decimal text of a number. */
const BeverageId = Type.String({ description: 'Id of the beverage, as text.' });

const partFields = {
  poured_ml: volume(
    'All beer that left the line: drinks, missed ticks, spills, beer lost by cleaning, drips.',
  ),
  missed_ml: volume('Beer of ticks that are known to be missed; part of `poured_ml`.'),
  sold_ml: volume('Beer that the till sold.'),
  comps_ml: signed('Rung up as given to guests.'),
  staff_ml: signed('Rung up as drinks of staff.'),
  samples_ml: signed('Rung up as samples.'),
  spilled_ml: volume('Recorded as spilled.'),
  cleaning_ml: volume('Lost by line cleaning.'),
  drips_ml: volume('Drips.'),
  gas_ml: volume('Gas that the meter counted; in no other number.'),
  held_ml: volume('Held for review; in no other number.'),
};

const balanceFields = {
  ...partFields,
  sold_ml: signed('Beer that the till sold; negative if more was taken back.'),
  drinks: Type.Integer({ minimum: 0, description: 'Number of drinks.' }),
  held: Type.Integer({ minimum: 0, description: 'Number of held pours.' }),
  servings: Type.Number({ description: 'Servings sold.' }),
  net_sales: Type.Number({ description: 'Net sales in the currency.' }),
  yield: Nullable(Type.Number({ description: '`sold_ml` ÷ `poured_ml`; null where nothing was poured.' })),
  verdict: VerdictJson,
};

const SizeJson = Closed(
  {
    liquid_ml: volume('Beer in the serving as it is sold.'),
    servings: Type.Number({ minimum: 0, description: 'Servings rung up.' }),
    pours: Type.Integer({ minimum: 0, description: 'Pours near this size.' }),
    mean_ml: volume('Their mean.'),
    overpour_ml: signed('Poured more than sold into all of them; negative: less.'),
    overpour_uncertainty_ml: uncertaintyField('`overpour_ml`'),
  },
  { description: 'What was poured for a serving size.' },
);

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

const HotTimeJson = Closed(
  {
    weekday: Type.Integer({
      minimum: 1,
      maximum: 7,
      description: 'Weekday of the business day, 1 is Monday.',
    }),
    since_hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the clock.' }),
    until_hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the clock, not included.' }),
    volume_ml: volume('Difference in these hours.'),
  },
  { description: 'When most of a difference arose.' },
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

const ml = (ul: number): number => fromUl(ul);

export function verdictJson(verdict: Verdict, currency: string): Static<typeof VerdictJson> {
  const money = (minor: number | null) => (minor === null ? null : fromMinor(Math.round(minor), currency));
  return {
    kind: verdict.kind,
    volume_ml: roundMl(verdict.volumeMl),
    uncertainty_ml: roundMl(verdict.uncertaintyMl),
    servings: verdict.servings === null ? null : Math.round(verdict.servings * 10) / 10,
    value: money(verdict.valueMinor),
    value_uncertainty: money(verdict.valueUncertaintyMinor),
    share: verdict.shareOfPoured,
  };
}

const partsJson = (parts: BalanceParts) => ({
  poured_ml: ml(pouredUl(parts)),
  missed_ml: ml(parts.missedUl),
  sold_ml: ml(parts.soldUl),
  comps_ml: ml(parts.compsUl),
  staff_ml: ml(parts.staffUl),
  samples_ml: ml(parts.samplesUl),
  spilled_ml: ml(parts.spilledUl),
  cleaning_ml: ml(parts.cleaningUl),
  drips_ml: ml(parts.dripsUl),
  gas_ml: ml(parts.gasUl),
  held_ml: ml(parts.heldUl),
});

export const balanceFieldsJson = (balance: Balance, currency: string) => ({
  ...partsJson(balance),
  drinks: balance.drinks,
  held: balance.held,
  servings: Math.round(balance.servings * 1_000) / 1_000,
  net_sales: fromMinor(Math.round(balance.netMinor), currency),
  yield: sellingYield(balance),
  verdict: verdictJson(toVerdict(balance), currency),
});

const sizeJson = ({ fill, volumeMl, uncertaintyMl }: Overpour): Static<typeof SizeJson> => ({
  liquid_ml: fill.liquidMl,
  servings: fill.servings,
  pours: fill.pours,
  mean_ml: roundMl(fill.meanMl),
  overpour_ml: roundMl(volumeMl),
  overpour_uncertainty_ml: roundMl(uncertaintyMl),
});

export const hotTimeJson = (time: HotTime | null): Static<typeof HotTimeJson> | null =>
  time && {
    weekday: time.weekday + 1,
    since_hour: time.sinceHour,
    until_hour: time.untilHour,
    volume_ml: roundMl(time.volumeMl),
  };

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
