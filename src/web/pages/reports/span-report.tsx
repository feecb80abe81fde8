import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import type { BusinessSpan } from '../../api/generated.ts';
import {
  barTime,
  formatBarTime,
  formatMoney,
  formatQuantity,
  uncertainVolume,
  volume,
} from '../../app/format.ts';
import { toHref } from '../../app/routing.ts';
import { locale, t } from '../../locales/locale.ts';
import { AmountsTable } from './amounts-table.tsx';
import { PricesLink } from './prices.tsx';

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
  readonly span: BusinessSpan;
  readonly snapshot: SnapshotMessage;
}

/** Totals of a span: overall, by tap, by keg and by day. */
export function SpanReport({ span, snapshot }: SpanReportProps) {
  const { first, last, currency, days } = span;
  const formatDay = (date: string) => longDayFormat.format(Date.parse(date));
  const formatTime = (iso: string) => formatBarTime(barTime(iso, snapshot));
  const isEmpty = span.drinks + span.spills + span.held === 0;
  const poured = uncertainVolume(span.poured_ml, span.poured_uncertainty_ml, snapshot);
  const totals = [
    [t('reports.drinks'), integerFormat.format(span.drinks)],
    [t('reports.poured'), formatQuantity(poured)],
    ...(span.poured_ml > 0
      ? [
          [
            t('reports.uncertainty'),
            `± ${formatQuantity({ number: poured.uncertainty, unit: poured.unit })}`,
          ] as const,
        ]
      : []),
    [t('reports.spilled'), formatQuantity(volume(span.spilled_ml, snapshot))],
    ...(span.held > 0 ? [[t('reports.held'), formatQuantity(volume(span.held_ml, snapshot))] as const] : []),
    ...(span.revenue === null ? [] : [[t('reports.takings'), formatMoney(span.revenue, currency)] as const]),
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
          {t('reports.fromTo', { from: formatTime(span.since), to: formatTime(span.until) })}{' '}
          {!span.is_over && t('reports.isRunning')}
        </p>
        <dl class="totals card">
          {totals.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {isEmpty && <p class="soft">{t('reports.nothing')}</p>}
        {span.held > 0 && (
          <p class="soft">
            {t('reports.heldWhy')} <a href={toHref('/held')}>{t('reports.reviewHeld')}</a>
          </p>
        )}
        {span.unpriced > 0 && (
          <p class="soft">
            {t('reports.unpriced', {
              count: span.unpriced,
              volume: formatQuantity(volume(span.unpriced_ml, snapshot)),
            })}{' '}
            <PricesLink />
          </p>
        )}
      </section>
      {!isEmpty && (
        <>
          <AmountsTable
            {...tableProps}
            title={t('reports.byTap')}
            rowHeader={t('reports.tap')}
            rows={span.taps.map((tap) => ({
              ...tap,
              key: tap.tap_id ?? '',
              label: tap.name ?? t('reports.noTap'),
            }))}
          />
          <AmountsTable
            {...tableProps}
            title={t('reports.byKeg')}
            rowHeader={t('reports.keg')}
            rows={span.kegs.map((keg) => ({
              ...keg,
              key: String(keg.keg_id),
              label: nameKeg(keg),
              ...(keg.keg_id === null ? {} : { path: `/kegs/${keg.keg_id}` }),
            }))}
          />
        </>
      )}
      {days.length > 1 && (
        <AmountsTable
          {...tableProps}
          title={t('reports.byDay')}
          rowHeader={t('reports.day')}
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

function nameKeg({
  keg_id: id,
  beverage,
}: {
  readonly keg_id: number | null;
  readonly beverage: string | null;
}): string {
  if (id === null) return t('reports.noKeg');
  return beverage === null ? t('kegs.keg', { id }) : t('reports.kegOf', { beverage, id });
}
