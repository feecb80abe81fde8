import Type, { type Static } from 'typebox';
import { csvLine } from '../../../core/csv.ts';
import type { Amounts, DayReport, SpanReport } from '../../../engine/engine.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Nullable, named, TotalMl } from '../../routes/schemas.ts';

/** A date of the calendar. */
export const DateText = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  description: 'A date, `YYYY-MM-DD`.',
});
const Count = Type.Integer({ minimum: 0 });

const amounts = {
  drinks: Count,
  poured_ml: TotalMl,
  spills: Count,
  spilled_ml: TotalMl,
  held: Type.Integer({ minimum: 0, description: 'Pours that wait for review; counted nowhere else.' }),
  held_ml: TotalMl,
  revenue: Nullable(
    Type.Number({ minimum: 0, description: 'At the prices of the time, in the currency; null without any.' }),
  ),
};

const whole = {
  since: IsoSeconds,
  until: IsoSeconds,
  is_over: Type.Boolean(),
  currency: Type.String({ description: 'ISO 4217.' }),
  ...amounts,
  taps: Type.Array(
    Closed({
      tap_id: Nullable(Type.String({ description: 'Null: a tap that is gone, or none.' })),
      name: Nullable(Type.String()),
      ...amounts,
    }),
  ),
  kegs: Type.Array(Closed({ keg_id: Nullable(Id), beverage: Nullable(Type.String()), ...amounts })),
};

/** What was poured, spilled and held on one business day. */
export const DayJson = named('BusinessDay', Closed({ date: DateText, ...whole }));

/** The same of several, with what each of them came to. */
export const SpanJson = named(
  'BusinessSpan',
  Closed({
    first: DateText,
    last: DateText,
    ...whole,
    days: Type.Array(Closed({ date: DateText, ...amounts }), { description: 'The oldest first.' }),
  }),
);

const amountsJson = (sums: Amounts) => ({
  drinks: sums.drinks,
  poured_ml: sums.pouredMl,
  spills: sums.spills,
  spilled_ml: sums.spilledMl,
  held: sums.held,
  held_ml: sums.heldMl,
  revenue: sums.cents === null ? null : sums.cents / 100,
});

const wholeJson = (report: DayReport | SpanReport) => ({
  is_over: report.isOver,
  currency: report.currency,
  ...amountsJson(report),
  taps: report.taps.map((tap) => ({
    tap_id: tap.tapId === null ? null : String(tap.tapId),
    name: tap.name,
    ...amountsJson(tap),
  })),
  kegs: report.kegs.map((keg) => ({ keg_id: keg.kegId, beverage: keg.beverage, ...amountsJson(keg) })),
});

export const dayJson = (report: DayReport): Static<typeof DayJson> => ({
  date: report.day.date,
  since: isoSeconds(report.day.sinceMs),
  until: isoSeconds(report.day.untilMs),
  ...wholeJson(report),
});

export const spanJson = (report: SpanReport): Static<typeof SpanJson> => ({
  first: report.days[0]!.day.date,
  last: report.days.at(-1)!.day.date,
  since: isoSeconds(report.sinceMs),
  until: isoSeconds(report.untilMs),
  ...wholeJson(report),
  days: report.days.map((day) => ({ date: day.day.date, ...amountsJson(day) })),
});

const figures = ['drinks', 'poured_ml', 'spills', 'spilled_ml', 'held', 'held_ml', 'revenue'];

/** A sheet: of each day one line for the whole, one for each tap and one for each keg. */
export function daysCsv(days: readonly DayReport[]): string {
  return csvLine(['date', 'of', 'id', 'name', ...figures, 'currency']) + days.map(dayLines).join('');
}

function dayLines(report: DayReport): string {
  const line = (what: string, id: number | null, name: string | null, sums: Amounts) =>
    csvLine([report.day.date, what, id, name, ...Object.values(amountsJson(sums)), report.currency]);
  return [
    line('day', null, null, report),
    ...report.taps.map((tap) => line('tap', tap.tapId, tap.name, tap)),
    ...report.kegs.map((keg) => line('keg', keg.kegId, keg.beverage, keg)),
  ].join('');
}
