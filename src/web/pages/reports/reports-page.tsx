import { fileHref } from '../../api/client.ts';
import { toHref, useNavigate } from '../../app/routing.ts';
import { ReportSettings, reportLinks } from '../../app/slots.tsx';
import { ErrorMessage } from '../../components/action.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { PriceSchedules } from '../kegs/prices/price-schedules.tsx';
import { DayRules } from './day-rules.tsx';
import { PricesOfBeers } from './prices.tsx';
import { ReportMail } from './report-mail.tsx';
import { SpanPicker } from './span-picker.tsx';
import { SpanReport } from './span-report.tsx';
import '../../styles/reports/reports.css';

/** The current day's totals grow while the page is open. */
const refreshMs = 60_000;

/** Totals and revenue of business days, with the prices and settings they are computed from. */
export function ReportsPage({ snapshot, query }: PageProps) {
  const links = reportLinks();
  return (
    <Page title={t('reports.title')} requiredRole="staff">
      {links.length > 0 && (
        <p class="row-actions">
          {links.map(({ path, text }) => (
            <a key={path} class="chip" href={toHref(path)}>
              {text}
            </a>
          ))}
        </p>
      )}
      <Report snapshot={snapshot} query={query} />
      <PricesOfBeers snapshot={snapshot} />
      <PriceSchedules units={snapshot} />
      <div class="two">
        <ReportMail />
        <DayRules />
        <ReportSettings />
      </div>
    </Page>
  );
}

function Report({ snapshot, query }: Pick<PageProps, 'snapshot' | 'query'>) {
  const navigate = useNavigate();
  const [first, last] = [query.get('first'), query.get('last')];
  const range = { query: { ...(first && { first }), ...(last && { last }) } };
  const today = useResource('GET /reports/span', {}, { intervalMs: refreshMs });
  const { result, error } = useResource('GET /reports/span', range, { intervalMs: refreshMs });
  return (
    <>
      <SpanPicker
        today={today.result?.span.last ?? null}
        span={result?.span ?? null}
        onSelect={(first, last) => navigate(`/reports?first=${first}&last=${last}`)}
      />
      <ErrorMessage>{error}</ErrorMessage>
      {result && error === null && (
        <>
          <SpanReport span={result.span} snapshot={snapshot} />
          <p class="row-actions">
            <a class="chip" href={fileHref('GET /reports/span/csv', range)} download>
              {t('reports.downloadCsv')}
            </a>
            <a
              class="chip"
              href={fileHref('GET /reports/span/csv', { query: { ...range.query, dialect: 'excel' } })}
              download
            >
              {t('reports.downloadExcel')}
            </a>
          </p>
        </>
      )}
    </>
  );
}
