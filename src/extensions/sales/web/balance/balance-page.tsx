import { fileHref } from '../../../../web/api/client.ts';
import type { MonthBalance } from '../../../../web/api/generated.ts';
import {
  formatQuantity,
  formatServing,
  formatUncertainVolume,
  type Units,
  volume,
} from '../../../../web/app/format.ts';
import { isSuperuser } from '../../../../web/app/me.ts';
import { toHref } from '../../../../web/app/routing.ts';
import { ErrorMessage } from '../../../../web/components/action.tsx';
import { EmptyState } from '../../../../web/components/empty-state.tsx';
import { Page, type PageProps } from '../../../../web/components/page.tsx';
import { useResource } from '../../../../web/components/use-resource.ts';
import { locale, t } from '../../../../web/locales/locale.ts';
import { BalanceTable } from './balance-table.tsx';
import { ClosedMonth } from './closed-month.tsx';
import { findingPath, findingText } from './finding-text.ts';
import { formatHours, verdictMoney, verdictText } from './verdict-text.ts';
import '../../../../web/styles/reports/reports.css';
import '../balance.css';

const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Poured against sold of a month: the owner's sentence, the table, and what to check. */
export function BalancePage({ snapshot, query }: PageProps) {
  // The business day may begin after midnight: the month is that of the bar's day.
  const today = useResource('GET /reports/span');
  const month = query.get('month') ?? today.result?.span.last.slice(0, 7) ?? null;
  return (
    <Page title={t('balance.title')} requiredRole="staff" width="wide">
      <ErrorMessage>{today.error}</ErrorMessage>
      {month !== null && /^\d{4}-\d\d$/.test(month) && <Month month={month} units={snapshot} />}
    </Page>
  );
}

function Month({ month, units }: { readonly month: string; readonly units: Units }) {
  const { result, error } = useResource('GET /sales/months/{month}', { path: { month } });
  const balance = result?.month ?? null;
  return (
    <>
      <nav class="balance-months" aria-label={t('balance.months')}>
        <a class="chip" href={toHref(`/sales/balance?month=${addMonths(month, -1)}`)}>
          {t('balance.previousMonth')}
        </a>
        <h3>{monthFormat.format(Date.parse(`${month}-01`))}</h3>
        <a class="chip" href={toHref(`/sales/balance?month=${addMonths(month, 1)}`)}>
          {t('balance.nextMonth')}
        </a>
      </nav>
      <ErrorMessage>{error}</ErrorMessage>
      {balance !== null &&
        (balance.sale_lines === 0 && balance.closed === null ? (
          <EmptyState
            text={t('balance.noSales')}
            picture="list"
            action={t('sales.importFile')}
            path="/sales/import"
          />
        ) : (
          <MonthReport month={balance} units={units} />
        ))}
      <p class="soft">{t('balance.notFiscal')}</p>
    </>
  );
}

function MonthReport({ month, units }: { readonly month: MonthBalance; readonly units: Units }) {
  const { beverages, currency, weeks, taps, shifts, clock_hours: hours, closed } = month;
  const compared = beverages.filter(({ is_compared: isCompared }) => isCompared);
  const tableProps = { currency, units };
  const span = { first: month.first, last: month.last };
  const file = (name: 'balance.csv' | 'balance.xlsx') =>
    fileHref('GET /sales/balance/{file}', { path: { file: name }, query: span });
  const frozen = closed?.beverages.filter(({ is_compared: isCompared }) => isCompared);
  return (
    <>
      <Sentence month={month} units={units} />
      <BalanceTable
        currency={closed?.currency ?? currency}
        units={units}
        title={t('balance.byBeverage')}
        rowHeader={t('balance.beverage')}
        rows={[
          ...(frozen ?? compared).map((beverage) => ({
            ...beverage,
            key: beverage.beverage_id,
            label: beverage.name,
          })),
          { ...(closed?.total ?? month.total), key: 'total', label: t('balance.total') },
        ]}
      />
      {closed !== null && <p class="soft">{t('balance.notFrozen')}</p>}
      <Findings month={month} units={units} />
      {taps.length > 0 && (
        <BalanceTable
          {...tableProps}
          title={t('balance.byTap')}
          rowHeader={t('balance.tap')}
          rows={taps.map((tap) => ({ ...tap, key: tap.tap_id, label: tap.name ?? t('reports.noTap') }))}
        />
      )}
      <BalanceTable
        {...tableProps}
        title={t('balance.byWeek')}
        rowHeader={t('balance.week')}
        rows={weeks.filter(hasAny).map((week) => ({
          ...week,
          key: week.first,
          label: dayFormat.formatRange(Date.parse(week.first), Date.parse(week.last)),
        }))}
      />
      {shifts.some(hasAny) && (
        <BalanceTable
          {...tableProps}
          title={t('balance.byShift')}
          rowHeader={t('balance.shift')}
          rows={shifts.map((shift) => ({
            ...shift,
            key: shift.starts,
            label: t('balance.shiftFrom', { shift: shift.name, starts: shift.starts }),
          }))}
        />
      )}
      <Sizes month={month} units={units} />
      {hours.length > 0 && (
        <details class="balance-hours">
          <summary>{t('balance.byHour')}</summary>
          <BalanceTable
            {...tableProps}
            title={t('balance.byHour')}
            rowHeader={t('balance.hour')}
            rows={hours.map(({ hour, ...figures }) => ({
              ...figures,
              key: String(hour),
              label: t('balance.oneHour', { from: hour, to: (hour + 1) % 24 }),
            }))}
          />
          <p class="soft">{t('balance.clockWhy')}</p>
        </details>
      )}
      <p class="row-actions balance-files">
        <button type="button" class="chip" onClick={() => print()}>
          {t('balance.print')}
        </button>
        <a class="chip" href={toHref(`/sales/money?first=${span.first}&last=${span.last}`)}>
          {t('money.title')}
        </a>
        {isSuperuser.value && (
          <a class="chip" href={toHref(`/sales/by-person?first=${span.first}&last=${span.last}`)}>
            {t('byPerson.title')}
          </a>
        )}
        <a class="chip" href={file('balance.xlsx')} download>
          {t('balance.workbook')}
        </a>
        <a class="chip" href={file('balance.csv')} download>
          {t('reports.downloadCsv')}
        </a>
      </p>
      <ClosedMonth month={month} units={units} />
    </>
  );
}

/** The owner's sentence. */
function Sentence({ month, units }: { readonly month: MonthBalance; readonly units: Units }) {
  // Of a closed month all of it is as it was then.
  const { total, currency, most_beverage_id: mostId, when, beverages } = month.closed ?? month;
  const { verdict } = total;
  const money = verdictMoney(verdict, currency);
  const beverage = [...beverages].find(({ beverage_id: id }) => id === mostId)?.name;
  const most =
    beverage === undefined || verdict.kind === 'agrees'
      ? null
      : when === null
        ? t('balance.most', { beverage })
        : t('balance.mostWhen', { beverage, hours: formatHours(when) });
  return (
    <p class="balance-sentence card">
      <strong>{[verdictText(verdict, units), money].filter((part) => part !== null).join(', ')}</strong>
      {most !== null && <span>{most}</span>}
      {verdict.kind === 'not_compared' && (
        <span>
          {t('balance.notComparedWhy')} <a href={toHref('/sales')}>{t('sales.toProducts')}</a>
        </span>
      )}
    </p>
  );
}

function Findings({ month, units }: { readonly month: MonthBalance; readonly units: Units }) {
  const { findings, other_unmapped: others, without_beverage_ml: withoutMl } = month;
  if (findings.length === 0 && others === 0 && withoutMl === 0)
    return <p class="soft">{t('balance.nothingToCheck')}</p>;
  return (
    <section class="group" aria-labelledby="to-check">
      <h3 id="to-check">{t('balance.toCheck')}</h3>
      <ul class="rows balance-findings">
        {findings.map((finding) => {
          const path = findingPath(finding);
          const text = findingText(finding, units);
          return (
            <li key={JSON.stringify(finding)}>
              <div class="row-text">
                {path === null ? (
                  text
                ) : (
                  <a class="row-name" href={toHref(path)}>
                    {text}
                  </a>
                )}
                {finding.volume_ml !== null && (
                  <span class="soft">
                    {formatUncertainVolume(finding.volume_ml, finding.uncertainty_ml ?? 0, units)}
                  </span>
                )}
              </div>
            </li>
          );
        })}
        {withoutMl > 0 && (
          <li>{t('balance.withoutBeverage', { volume: formatQuantity(volume(withoutMl, units)) })}</li>
        )}
        {others > 0 && (
          <li>
            <div class="row-text">
              <a class="row-name" href={toHref('/sales')}>
                {t('balance.otherUnmapped', { count: others })}
              </a>
            </div>
          </li>
        )}
      </ul>
    </section>
  );
}

/** What was poured for each serving size. */
function Sizes({ month, units }: { readonly month: MonthBalance; readonly units: Units }) {
  const rows = month.beverages.flatMap(({ name, sizes }) => sizes.map((size) => ({ name, ...size })));
  if (rows.length === 0) return null;
  return (
    <section class="group" aria-labelledby="sizes">
      <h3 id="sizes">{t('balance.bySize')}</h3>
      <ul class="rows">
        {rows.map((size) => (
          <li key={`${size.name} ${size.liquid_ml}`}>
            {t('balance.findings.fill', {
              beverage: size.name,
              size: formatServing(size.liquid_ml, units),
              mean: formatQuantity(volume(size.mean_ml, units)),
            })}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Weeks that are still to come have none. */
const hasAny = ({
  poured_ml: pouredMl,
  sold_ml: soldMl,
}: Pick<MonthBalance['total'], 'poured_ml' | 'sold_ml'>): boolean => pouredMl !== 0 || soldMl !== 0;

function addMonths(month: string, months: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}
