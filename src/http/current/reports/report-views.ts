import Type, { type Static } from 'typebox';
import { fromMinor } from '../../../core/kegs/money.ts';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import { sumUncertainty } from '../../../core/measurement/uncertainty.ts';
import { type CsvDialect as CsvSigns, csvLine } from '../../../core/text/csv.ts';
import type { Amounts, DayReport, SpanReport } from '../../../engine/engine.ts';
import {
  CalendarDate,
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  TotalMl,
} from '../../routes/schemas.ts';
import { uncertaintyField } from '../shared/drink-views.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const amounts = {
  drinks: count('Number of drinks.'),
  poured_ml: { ...TotalMl, description: 'Volume of the drinks in millilitres.' },
  poured_uncertainty_ml: uncertaintyField('`poured_ml`'),
  spills: count('Number of spills.'),
  spilled_ml: { ...TotalMl, description: 'Volume of the spills in millilitres.' },
  held: Type.Integer({ minimum: 0, description: 'Pours held for review; included in no other number.' }),
  held_ml: { ...TotalMl, description: 'Volume of the held pours in millilitres.' },
  revenue: Nullable(
    Type.Number({
      minimum: 0,
      description:
        'Revenue in the currency, at the prices of that time, without the tax that is known to be in them; null without prices.',
    }),
  ),
  unpriced: count('Number of drinks without a price at their time: in `drinks`, and not in `revenue`.'),
  unpriced_ml: { ...TotalMl, description: 'Volume of the drinks without a price in millilitres.' },
};

const reportFields = {
  since: { ...IsoSeconds, description: 'UTC time of the start, included.' },
  until: { ...IsoSeconds, description: 'UTC time of the end, not included.' },
  is_over: Type.Boolean({ description: 'False while the last day still runs.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  ...amounts,
  taps: Type.Array(
    Closed({
      tap_id: Nullable(Type.String({ description: 'Id of the tap, as text; null: a deleted tap, or none.' })),
      name: Nullable(Type.String({ description: 'Name of the tap; null when it was deleted.' })),
      ...amounts,
    }),
    { description: 'Totals of each tap.' },
  ),
  kegs: Type.Array(
    Closed({
      keg_id: Nullable({ ...Id, description: 'Id of the keg; null: none was on the tap.' }),
      beverage: Nullable(Type.String({ description: 'Name of its beverage; null without a keg.' })),
      ...amounts,
    }),
    { description: 'Totals of each keg.' },
  ),
};

/** Totals of one business day. */
export const DayJson = named(
  'BusinessDay',
  Closed({ date: CalendarDate, ...reportFields }, { description: 'The totals of a business day.' }),
);

/** Totals of several business days, together and for each day. */
export const SpanJson = named(
  'BusinessSpan',
  Closed(
    {
      first: { ...CalendarDate, description: 'First business day, `YYYY-MM-DD`.' },
      last: { ...CalendarDate, description: 'Last business day, `YYYY-MM-DD`.' },
      ...reportFields,
      days: Type.Array(Closed({ date: CalendarDate, ...amounts }), { description: 'Oldest first.' }),
    },
    { description: 'The totals of several business days.' },
  ),
);

const amountsJson = (totals: Amounts, currency: string) => ({
  drinks: totals.drinks,
  poured_ml: roundMl(totals.pouredMl),
  poured_uncertainty_ml: roundMl(sumUncertainty(totals.meterSums, totals.unsettledMl)),
  spills: totals.spills,
  spilled_ml: roundMl(totals.spilledMl),
  held: totals.held,
  held_ml: roundMl(totals.heldMl),
  revenue: totals.revenueMinor === null ? null : fromMinor(totals.revenueMinor, currency),
  unpriced: totals.unpriced,
  unpriced_ml: roundMl(totals.unpricedMl),
});

const reportJson = (report: DayReport | SpanReport) => ({
  is_over: report.isOver,
  currency: report.currency,
  ...amountsJson(report, report.currency),
  taps: report.taps.map((tap) => ({
    tap_id: tap.tapId === null ? null : String(tap.tapId),
    name: tap.name,
    ...amountsJson(tap, report.currency),
  })),
  kegs: report.kegs.map((keg) => ({
    keg_id: keg.kegId,
    beverage: keg.beverage,
    ...amountsJson(keg, report.currency),
  })),
});

export const dayJson = (report: DayReport): Static<typeof DayJson> => ({
  date: report.day.date,
  since: isoSeconds(report.day.sinceMs),
  until: isoSeconds(report.day.untilMs),
  ...reportJson(report),
});

export const spanJson = (report: SpanReport): Static<typeof SpanJson> => ({
  first: report.days[0]!.day.date,
  last: report.days.at(-1)!.day.date,
  since: isoSeconds(report.sinceMs),
  until: isoSeconds(report.untilMs),
  ...reportJson(report),
  days: report.days.map((day) => ({ date: day.day.date, ...amountsJson(day, report.currency) })),
});

const amountColumns = [
  'drinks',
  'poured_ml',
  'poured_uncertainty_ml',
  'spills',
  'spilled_ml',
  'held',
  'held_ml',
  'revenue',
  'unpriced',
  'unpriced_ml',
];

/** CSV with one line for each day, and one for each of its taps and kegs. */
export function daysCsv(days: readonly DayReport[], signs: CsvSigns): string {
  const head = csvLine(['date', 'of', 'id', 'name', ...amountColumns, 'currency'], signs);
  return signs.byteOrderMark + head + days.map((day) => dayLines(day, signs)).join('');
}

function dayLines(report: DayReport, signs: CsvSigns): string {
  const line = (kind: string, id: number | null, name: string | null, totals: Amounts) =>
    csvLine(
      [
        report.day.date,
        kind,
        id,
        name,
        ...Object.values(amountsJson(totals, report.currency)),
        report.currency,
      ],
      signs,
    );
  return [
    line('day', null, null, report),
    ...report.taps.map((tap) => line('tap', tap.tapId, tap.name, tap)),
    ...report.kegs.map((keg) => line('keg', keg.kegId, keg.beverage, keg)),
  ].join('');
}
