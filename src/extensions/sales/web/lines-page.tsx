import type { Result } from '../../../web/api/client.ts';
import { fileHref } from '../../../web/api/client.ts';
import { formatDecimal, type Units } from '../../../web/app/format.ts';
import { toHref, useNavigate } from '../../../web/app/routing.ts';
import { Page, type PageProps } from '../../../web/components/page.tsx';
import { PagedList } from '../../../web/components/paged-list.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { saleKinds } from '../core/sale-line.ts';
import { categoryText, formatAmount, formatTime, kindText } from './sales-data.ts';

type Sale = Result<'GET /sales'>['sales'][number];

/** Lines of tills, newest first, all or of one import or kind. */
export function LinesPage({ snapshot, query }: PageProps) {
  const navigate = useNavigate();
  const site = useResource('GET /admin/business');
  const kind = saleKinds.find((one) => one === query.get('kind'));
  const importId = Number(query.get('import_id') ?? 0);
  const filters = { ...(kind && { kind }), ...(importId > 0 && { import_id: importId }) };
  const address = (chosen: string) => {
    const search = new URLSearchParams();
    if (importId > 0) search.set('import_id', String(importId));
    if (chosen !== '') search.set('kind', chosen);
    return `/sales/lines?${search}`;
  };
  return (
    <Page title={t('sales.lines')} requiredRole="staff">
      <p>
        <a href={toHref('/sales')}>{t('sales.title')}</a>
      </p>
      <label class="field">
        {t('sales.kind')}
        <select value={kind ?? ''} onChange={(event) => navigate(address(event.currentTarget.value))}>
          <option value="">{t('sales.allKinds')}</option>
          {saleKinds.map((one) => (
            <option key={one} value={one}>
              {kindText(one)}
            </option>
          ))}
        </select>
      </label>
      <PagedList
        operation="GET /sales"
        input={{ query: { ...filters, order: 'time' } }}
        itemsKey="sales"
        label={t('sales.lines')}
        empty={t('sales.noLines')}
        renderItem={(sale) => (
          <SaleRow
            key={sale.id}
            sale={sale}
            units={snapshot}
            currency={site.result?.business.currency ?? 'EUR'}
          />
        )}
      />
      <p class="row-actions">
        <a class="chip" href={fileHref('GET /admin/export/{file}', { path: { file: 'sales.csv' } })} download>
          {t('reports.downloadCsv')}
        </a>
      </p>
    </Page>
  );
}

function SaleRow({
  sale,
  units,
  currency,
}: {
  readonly sale: Sale;
  readonly units: Units;
  readonly currency: string;
}) {
  return (
    <li>
      <div class="row-text">
        <p class="row-name">
          {`${formatDecimal(sale.quantity)} × ${sale.item_name}${sale.variant === '' ? '' : ` · ${sale.variant}`}`}
        </p>
        <p class="soft">
          {[formatTime(sale.time, units), sale.till, categoryText(sale.category), sale.check_id]
            .filter((text) => text !== '')
            .join(' · ')}
        </p>
      </div>
      <p>{kindText(sale.kind)}</p>
      <p class="row-figure">{formatAmount(sale.net_minor ?? sale.gross_minor, currency)}</p>
    </li>
  );
}
