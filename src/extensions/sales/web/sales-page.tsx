import { request } from '../../../web/api/client.ts';
import type { Units } from '../../../web/app/format.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ActionGroup, ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { EmptyState } from '../../../web/components/empty-state.tsx';
import { Page, type PageProps } from '../../../web/components/page.tsx';
import { PagedList } from '../../../web/components/paged-list.tsx';
import { RowButton } from '../../../web/components/row-button.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import {
  faultText,
  formatSpan,
  formatTime,
  importTimeoutMs,
  type SalesImport,
  stateText,
  type Till,
} from './sales-data.ts';
import { WatchedFiles } from './watched-files.tsx';

/** An import by the folder or the API may be added at any time. */
const refreshMs = 60_000;

/** What tills sold: tills, imports and files of the watched folder. */
export function SalesPage({ snapshot }: PageProps) {
  const { result, error } = useResource('GET /tills', { query: { limit: 1000 } }, { intervalMs: refreshMs });
  return (
    <Page title={t('sales.title')} requiredRole="staff">
      <ErrorMessage>{error}</ErrorMessage>
      {result?.tills.length === 0 && (
        <EmptyState
          text={t('sales.none')}
          picture="list"
          action={t('sales.importFile')}
          path="/sales/import"
        />
      )}
      {result && result.tills.length > 0 && (
        <>
          <p class="row-actions">
            <a class="button" href={toHref('/sales/import')}>
              {t('sales.importFile')}
            </a>
            <a class="chip" href={toHref('/sales/lines')}>
              {t('sales.lines')}
            </a>
          </p>
          <Tills tills={result.tills} />
          <Imports units={snapshot} />
        </>
      )}
      <WatchedFiles units={snapshot} />
      <p class="soft">{t('sales.notFiscal')}</p>
    </Page>
  );
}

function Tills({ tills }: { readonly tills: readonly Till[] }) {
  return (
    <section class="group" aria-labelledby="tills">
      <h3 id="tills">{t('sales.tills')}</h3>
      <ul class="rows">
        {tills.map((till) => (
          <TillRow key={till.id} till={till} />
        ))}
      </ul>
    </section>
  );
}

function TillRow({ till }: { readonly till: Till }) {
  const { result } = useResource('GET /tills/{id}/items', { path: { id: till.id } });
  const unknown = result?.items.filter(({ state }) => state === 'unknown').length ?? 0;
  const mapped = result?.items.filter(({ state }) => state === 'mapped').length ?? 0;
  return (
    <li>
      <div class="row-text">
        <a class="row-name" href={toHref(`/sales/tills/${till.id}`)}>
          {till.name}
        </a>
        <p class="soft">
          {result && t('sales.tillProducts', { unknown, mapped })}
          {till.included_tax_basis_points === null && ` · ${t('sales.taxUnknown')}`}
        </p>
      </div>
    </li>
  );
}

function Imports({ units }: { readonly units: Units }) {
  return (
    <section class="group" aria-labelledby="imports">
      <h3 id="imports">{t('sales.imports')}</h3>
      <PagedList
        operation="GET /sales-imports"
        itemsKey="imports"
        label={t('sales.imports')}
        empty={t('sales.noImports')}
        renderItem={(one) => <ImportRow key={one.id} record={one} units={units} />}
      />
    </section>
  );
}

function ImportRow({ record, units }: { readonly record: SalesImport; readonly units: Units }) {
  const action = useAction();
  const name = record.source === 'api' ? t('sales.byApi', { day: record.file_name }) : record.file_name;
  const what = `${record.till} · ${name}`;
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{what}</p>
        <p class="soft">
          {formatTime(record.started_time, units)} · {stateText(record.state)}
        </p>
        <p>
          {t('sales.counts', {
            lines: record.lines,
            fresh: record.new_lines,
            changed: record.changed_lines,
          })}
        </p>
        <p class="soft">{formatSpan(record.first_time, record.last_time, units)}</p>
        <BadRows faults={record.faults} count={record.bad_rows} />
      </div>
      <ActionGroup action={action} class="row-actions">
        {record.state !== 'undone' && (
          <a class="chip" href={toHref(`/sales/lines?import_id=${record.id}`)}>
            {t('sales.showLines')}
          </a>
        )}
        {(record.state === 'complete' || record.state === 'interrupted' || record.state === 'undoing') && (
          <RowButton
            label={t('sales.undoImport')}
            what={what}
            isDanger
            onClick={() =>
              void action.runAction(
                () =>
                  request(
                    'POST /sales-imports/{id}/undo',
                    { path: { id: record.id } },
                    { timeoutMs: importTimeoutMs },
                  ),
                t('sales.importUndone'),
              )
            }
          />
        )}
      </ActionGroup>
    </li>
  );
}

/** Rows that were not understood, with their reasons. */
export function BadRows({
  faults,
  count,
}: {
  readonly faults: SalesImport['faults'];
  readonly count: number;
}) {
  if (count === 0) return null;
  return (
    <details>
      <summary>{t('sales.badRows', { count })}</summary>
      <ul>
        {faults.map(({ line, fault }) => (
          <li key={line}>{t('sales.badRow', { line, reason: faultText(fault) })}</li>
        ))}
      </ul>
      {count > faults.length && <p class="soft">{t('sales.firstBadRows', { count: faults.length })}</p>}
    </details>
  );
}
