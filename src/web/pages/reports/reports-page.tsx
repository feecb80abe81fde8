import { currentPath, navigate, toHref } from '../../app/current-path.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/reports.ts';
import { DayRules } from './day-rules.tsx';
import { Prices } from './prices.tsx';
import { ReportMail } from './report-mail.tsx';
import { SpanPicker } from './span-picker.tsx';
import { SpanReport } from './span-report.tsx';
import type { Span } from './spans.ts';
import '../../styles/reports.css';

/** The current day's totals grow while the page is open. */
const refreshMs = 60_000;

/** Totals and revenue of business days, with the prices and settings they are computed from. */
export function ReportsPage({ snapshot }: PageProps) {
  return (
    <Page title={words.title} requiredRole="staff">
      <Report snapshot={snapshot} />
      <Prices snapshot={snapshot} />
      <div class="two">
        <ReportMail />
        <DayRules />
      </div>
    </Page>
  );
}

function Report({ snapshot }: Pick<PageProps, 'snapshot'>) {
  const { query } = currentPath.value;
  const rangeQuery = new URLSearchParams(
    ['first', 'last'].flatMap((name) => toQueryPair(query, name)),
  ).toString();
  const today = useResource<{ readonly span: Span }>('/reports/span', refreshMs);
  const { result, error } = useResource<{ readonly span: Span }>(`/reports/span?${rangeQuery}`, refreshMs);
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
          <p>
            <a class="chip" href={toHref(`/api/reports/span/csv?${rangeQuery}`)} download>
              {words.downloadCsv}
            </a>
          </p>
        </>
      )}
    </>
  );
}

function toQueryPair(query: URLSearchParams, name: string): string[][] {
  const value = query.get(name);
  return value === null || value === '' ? [] : [[name, value]];
}
