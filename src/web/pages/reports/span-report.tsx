import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { toHref } from '../../app/current-path.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../app/format.ts';
import { formatMoney } from '../../app/money.ts';
import { words } from '../../words/reports.ts';
import { locale } from '../../words/say.ts';
import { AmountsTable } from './amounts-table.tsx';
import type { Span } from './spans.ts';

/** Business days are calendar dates, independent of the reader's time zone. */
const longDayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
const shortDayFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const integerFormat = new Intl.NumberFormat(locale);

interface SpanReportProps {
  readonly span: Span;
  readonly snapshot: SnapshotMessage;
}

/** Totals of a span: overall, by tap, by keg and by day. */
export function SpanReport({ span, snapshot }: SpanReportProps) {
  const { first, last, currency, days } = span;
  const formatDay = (date: string) => longDayFormat.format(Date.parse(date));
  const formatTime = (iso: string) => formatBarTime(barTime(iso, snapshot));
  const isEmpty = span.drinks + span.spills + span.held === 0;
  const totals = [
    [words.drinks, integerFormat.format(span.drinks)],
    [words.poured, formatQuantity(volume(span.poured_ml, snapshot))],
    [words.spilled, formatQuantity(volume(span.spilled_ml, snapshot))],
    ...(span.held > 0 ? [[words.held, formatQuantity(volume(span.held_ml, snapshot))] as const] : []),
    ...(span.revenue === null ? [] : [[words.takings, formatMoney(span.revenue, currency)] as const]),
  ] as const;
  const tableProps = { snapshot, currency };
  return (
    <>
      <section class="group" aria-live="polite">
        <h3>
          {first === last
            ? formatDay(first)
            : shortDayFormat.formatRange(Date.parse(first), Date.parse(last))}
        </h3>
        <p class="soft">
          {words.fromTo(formatTime(span.since), formatTime(span.until))} {!span.is_over && words.isRunning}
        </p>
        <dl class="totals card">
          {totals.map(([word, value]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {isEmpty && <p class="soft">{words.nothing}</p>}
        {span.held > 0 && (
          <p class="soft">
            {words.heldWhy} <a href={toHref('/held')}>{words.reviewHeld}</a>
          </p>
        )}
      </section>
      {!isEmpty && (
        <>
          <AmountsTable
            {...tableProps}
            title={words.byTap}
            rowHeader={words.tap}
            rows={span.taps.map((tap) => ({ ...tap, key: tap.tap_id ?? '', label: tap.name ?? words.noTap }))}
          />
          <AmountsTable
            {...tableProps}
            title={words.byKeg}
            rowHeader={words.keg}
            rows={span.kegs.map((keg) => ({
              ...keg,
              key: String(keg.keg_id),
              label: keg.keg_id === null ? words.noKeg : words.kegOf(keg.keg_id, keg.beverage),
              ...(keg.keg_id === null ? {} : { path: `/kegs/${keg.keg_id}` }),
            }))}
          />
        </>
      )}
      {days.length > 1 && (
        <AmountsTable
          {...tableProps}
          title={words.byDay}
          rowHeader={words.day}
          rows={days.map((day) => ({
            ...day,
            key: day.date,
            label: shortDayFormat.format(Date.parse(day.date)),
            path: `/reports?first=${day.date}&last=${day.date}`,
          }))}
        />
      )}
    </>
  );
}
