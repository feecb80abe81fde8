import { fileHref } from '../../api/client.ts';
import type { ExportKind } from '../../app/page-slots.ts';
import { useNavigate } from '../../app/routing.ts';
import { exportKinds } from '../../app/slots.tsx';
import { ErrorMessage } from '../../components/action.tsx';
import { Choice } from '../../components/form/choice.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { findText, locale, t } from '../../locales/locale.ts';
import { SpanPicker } from './span-picker.tsx';
import '../../styles/reports/reports.css';

const kindsOfBase: readonly ExportKind[] = ['drinks', 'kegs', 'sessions', 'temperatures'];
const formats = ['xlsx', 'excel', 'csv', 'jsonl'] as const;
type Format = (typeof formats)[number];

/** Download of recorded data: which days, what, and in which format. The choices are in the address. */
export function ExportPage({ query }: PageProps) {
  const navigate = useNavigate();
  const kinds = [...kindsOfBase, ...exportKinds()];
  const kind = kinds.find((one) => one === query.get('what')) ?? 'drinks';
  const format = formats.find((one) => one === query.get('format')) ?? 'xlsx';
  const [first, last] = [query.get('first'), query.get('last')];
  const days = { ...(first && { first }), ...(last && { last }) };
  const today = useResource('GET /reports/span').result?.span.last ?? null;
  const { result, error } = useResource('GET /admin/export-sizes', { query: days });
  const change = (changes: Readonly<Record<string, string | null>>) => {
    const next = { what: kind, format, first, last, ...changes };
    const entries = Object.entries(next).filter((entry): entry is [string, string] => entry[1] !== null);
    navigate(`/export?${new URLSearchParams(entries)}`);
  };
  const rowsOf = (one: string) => result?.sizes.find((size) => size.kind === one)?.rows;
  const rows = rowsOf(kind);
  const mostRows = result?.most_workbook_rows ?? Infinity;
  return (
    <Page title={t('export.title')} requiredRole="staff">
      <p class="soft">{t('export.why')}</p>
      <SpanPicker
        today={today}
        span={first && last ? { first, last } : null}
        onSelect={(from, to) => change({ first: from, last: to })}
        onSelectAll={() => change({ first: null, last: null })}
      />
      <ErrorMessage>{error}</ErrorMessage>
      <section class="card group">
        <fieldset class="choice">
          <legend>{t('export.what')}</legend>
          {kinds.map((one) => (
            <Choice key={one} isChosen={one === kind} onChoose={() => change({ what: one })}>
              {findText('export.kinds', one)}
            </Choice>
          ))}
        </fieldset>
        <fieldset class="choice">
          <legend>{t('export.format')}</legend>
          {formats.map((one) => (
            <Choice key={one} isChosen={one === format} onChoose={() => change({ format: one })}>
              {findText('export.formats', one)}
            </Choice>
          ))}
        </fieldset>
        <p class="soft">{findText('export.formatsExplained', format)}</p>
        {error === null && rows !== undefined && (
          <Download kind={kind} format={format} days={days} rows={rows} mostRows={mostRows} />
        )}
        <p class="soft">{t('export.limits')}</p>
      </section>
    </Page>
  );
}

interface DownloadProps {
  readonly kind: ExportKind;
  readonly format: Format;
  readonly days: { readonly first?: string; readonly last?: string };
  readonly rows: number;
  /** Rows that a workbook holds. */
  readonly mostRows: number;
}

function Download({ kind, format, days, rows, mostRows }: DownloadProps) {
  const isTooLarge = format === 'xlsx' && rows > mostRows;
  const most = new Intl.NumberFormat(locale).format(mostRows);
  const extension = format === 'excel' ? 'csv' : format;
  return (
    <>
      <p aria-live="polite">
        {rows > mostRows ? t('export.manyRows', { rows: most }) : t('export.rows', { count: rows })}
      </p>
      {isTooLarge && <p class="refusal">{t('export.tooLarge', { rows: most })}</p>}
      {rows > 0 && !isTooLarge && (
        <p>
          <a
            class="button"
            download
            href={fileHref('GET /admin/export/{file}', {
              path: { file: `${kind}.${extension}` },
              query: { ...days, ...(format === 'excel' && { dialect: 'excel' }) },
            })}
          >
            {t('export.download')}
          </a>
        </p>
      )}
    </>
  );
}
