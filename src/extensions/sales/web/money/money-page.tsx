import { fileHref, type Result } from '../../../../web/api/client.ts';
import {
  formatPriceMinor,
  formatQuantity,
  formatShare,
  type Units,
  volume,
} from '../../../../web/app/format.ts';
import { toHref, useNavigate } from '../../../../web/app/routing.ts';
import { kegCosts } from '../../../../web/app/slots.tsx';
import { ErrorMessage } from '../../../../web/components/action.tsx';
import { Page, type PageProps } from '../../../../web/components/page.tsx';
import { useResource } from '../../../../web/components/use-resource.ts';
import { locale, t } from '../../../../web/locales/locale.ts';
import { SpanPicker } from '../../../../web/pages/reports/span-picker.tsx';
import { verdictMoney, verdictText } from '../balance/verdict-text.ts';
import { BeverageMoneyTable, LeftInKegsTable, ServingTable, TillTable } from './money-tables.tsx';
import '../balance.css';

const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
const shortFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

type Money = Result<'GET /reports/money'>['money'];

/** Income, cost and margin of business days; of one day it is the closing sheet. */
export function MoneyPage({ snapshot, query }: PageProps) {
  const navigate = useNavigate();
  const [first, last] = [query.get('first'), query.get('last')];
  const range = { query: { ...(first && { first }), ...(last && { last }) } };
  const today = useResource('GET /reports/span');
  const { result, error } = useResource('GET /reports/money', range);
  const money = result?.money ?? null;
  return (
    <Page title={t('money.title')} requiredRole="staff" width="wide">
      <div class="group money-page">
        <SpanPicker
          today={today.result?.span.last ?? null}
          span={money}
          onSelect={(since, until) => navigate(`/sales/money?first=${since}&last=${until}`)}
        />
        <ErrorMessage>{error}</ErrorMessage>
        {money && <MoneyReport money={money} units={snapshot} />}
        {money && (
          <p class="row-actions balance-files">
            <button type="button" class="chip" onClick={() => print()}>
              {t('balance.print')}
            </button>
            <a class="chip" href={fileHref('GET /reports/money/csv', range)} download>
              {t('reports.downloadCsv')}
            </a>
            <a
              class="chip"
              href={fileHref('GET /reports/money/csv', { query: { ...range.query, dialect: 'excel' } })}
              download
            >
              {t('reports.downloadExcel')}
            </a>
          </p>
        )}
        <p class="soft">{t('balance.notFiscal')}</p>
      </div>
    </Page>
  );
}

function MoneyReport({ money, units }: { readonly money: Money; readonly units: Units }) {
  const { first, last, total, currency } = money;
  const sum = (minor: number | null) => (minor === null ? '–' : formatPriceMinor(minor, currency));
  const facts = [
    [t('money.income'), sum(total.income_minor)],
    [t('money.cost'), sum(total.cost_minor)],
    [t('money.waste'), sum(total.waste_minor)],
    [t('money.margin'), sum(total.margin_minor)],
    [t('money.pourCost'), total.pour_cost === null ? '–' : formatShare(total.pour_cost)],
  ] as const;
  const costs = kegCosts();
  const isEmpty = money.beverages.length + money.till.length === 0;
  return (
    <>
      <h3>
        {first === last
          ? t('money.closingSheet', { day: dayFormat.format(Date.parse(first)) })
          : shortFormat.formatRange(Date.parse(first), Date.parse(last))}
      </h3>
      {!money.is_over && <p class="soft">{t('reports.isRunning')}</p>}
      <dl class="totals card">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {total.uncosted_ml > 0 && (
        <p class="soft">
          {t('money.uncosted', { volume: formatQuantity(volume(total.uncosted_ml, units)) })}{' '}
          {costs && <a href={toHref(costs.path)}>{costs.text}</a>}
        </p>
      )}
      {money.tax_unknown_tills.map(({ id, name }) => (
        <p key={id} class="soft">
          {t('money.taxUnknown')} <a href={toHref(`/sales/tills/${id}`)}>{name}</a>
        </p>
      ))}
      {isEmpty && <p class="soft">{t('reports.nothing')}</p>}
      <PouredAgainstSold first={first} last={last} units={units} />
      {money.beverages.length > 0 && (
        <BeverageMoneyTable beverages={money.beverages} currency={currency} units={units} />
      )}
      {money.till.length > 0 && <TillTable till={money.till} currency={currency} />}
      {money.left_in_kegs.length > 0 && (
        <LeftInKegsTable kegs={money.left_in_kegs} currency={currency} units={units} />
      )}
      {money.servings.length > 0 && (
        <ServingTable servings={money.servings} currency={currency} units={units} />
      )}
      <p class="soft">{t('money.why')}</p>
    </>
  );
}

interface PouredAgainstSoldProps {
  readonly first: string;
  readonly last: string;
  readonly units: Units;
}

/** The owner's sentence of these days; nothing while no till sold anything. */
function PouredAgainstSold({ first, last, units }: PouredAgainstSoldProps) {
  const { result } = useResource('GET /sales/balance', { query: { first, last } });
  const balance = result?.balance;
  if (balance === undefined || balance.sale_lines === 0) return null;
  const { verdict } = balance.total;
  const amount = verdictMoney(verdict, balance.currency);
  return (
    <p class="card">
      <strong>{[verdictText(verdict, units), amount].filter((part) => part !== null).join(', ')}</strong>{' '}
      <a href={toHref(`/sales/balance?month=${last.slice(0, 7)}`)}>{t('balance.title')}</a>
    </p>
  );
}
