import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatDecimal } from '../../../web/app/format.ts';
import type { PageProps } from '../../../web/components/page.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { categoryText, formatAmount, formatSpan, formatTime, kindText, type Preview } from './sales-data.ts';
import { BadRows } from './sales-page.tsx';

interface PreviewStepProps extends Pick<PageProps, 'snapshot'> {
  readonly preview: Preview;
  readonly children: ComponentChildren;
}

/** The first lines as they are understood, the bad rows, and what the categories hold. */
export function PreviewStep({ preview, snapshot, children }: PreviewStepProps) {
  const id = useId();
  const site = useResource('GET /admin/business');
  const currency = site.result?.business.currency ?? 'EUR';
  return (
    <section class="card stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('sales.steps.preview')}</h3>
      <p role="status">
        {t('sales.understood', { lines: preview.lines, skipped: preview.skipped_rows })}{' '}
        {formatSpan(preview.first_time, preview.last_time, snapshot)}
      </p>
      <p class="soft">
        {t('sales.readAs', { charset: preview.charset.toUpperCase() })}
        {preview.head_line > 1 && ` ${t('sales.headInLine', { line: preview.head_line })}`}
      </p>
      <BadRows faults={preview.faults} count={preview.bad_rows} />
      {preview.sample.length > 0 && (
        <LineTable name={t('sales.lines')} lines={preview.sample} currency={currency} snapshot={snapshot} />
      )}
      {preview.changes !== null && (
        <Changes changes={preview.changes} currency={currency} snapshot={snapshot} />
      )}
      <details>
        <summary>{t('sales.categoriesInFile', { count: preview.categories.length })}</summary>
        <ul>
          {preview.categories.map((category) => (
            <li key={category.name}>
              {t(category.is_draught ? 'sales.categoryDraught' : 'sales.categoryOther', {
                category: categoryText(category.name),
                lines: category.lines,
              })}
            </li>
          ))}
        </ul>
      </details>
      {children}
    </section>
  );
}

type Line = Preview['sample'][number];

interface LineTableProps extends Pick<PageProps, 'snapshot'> {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly currency: string;
}

function LineTable({ name, lines, currency, snapshot }: LineTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways is reached by the keyboard
    <section class="sales-preview" tabIndex={0} aria-label={name}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('common.time')}</th>
            <th scope="col">{t('sales.product')}</th>
            <th scope="col">{t('sales.category')}</th>
            <th scope="col" class="figure">
              {t('sales.quantity')}
            </th>
            <th scope="col">{t('sales.kind')}</th>
            <th scope="col" class="figure">
              {t('sales.net')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, i) => (
            <tr key={String(i)}>
              <td>{formatTime(line.time, snapshot)}</td>
              <td class="is-text">
                {line.variant === '' ? line.item_name : `${line.item_name} · ${line.variant}`}
              </td>
              <td>{line.category}</td>
              <td class="figure">{formatDecimal(line.quantity)}</td>
              <td>{kindText(line.kind)}</td>
              <td class="figure">{formatAmount(line.net_minor ?? line.gross_minor, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ChangesProps extends Omit<LineTableProps, 'name' | 'lines'> {
  readonly changes: NonNullable<Preview['changes']>;
}

/** What the import will change and take away of what is known of the till. */
function Changes({ changes, ...props }: ChangesProps) {
  const { new_lines: fresh, changed_lines: changedCount, gone_lines: goneCount, changed, gone } = changes;
  return (
    <>
      <p>
        {t('sales.willChange', { fresh, changed: changedCount })}
        {goneCount > 0 && ` ${t('sales.willGo', { count: goneCount })}`}
      </p>
      {changed.length > 0 && (
        <details>
          <summary>{t('sales.changedLines')}</summary>
          <LineTable name={t('sales.changedLines')} lines={changed} {...props} />
        </details>
      )}
      {gone.length > 0 && (
        <details open>
          <summary>{t('sales.linesThatGo')}</summary>
          <LineTable name={t('sales.linesThatGo')} lines={gone} {...props} />
        </details>
      )}
    </>
  );
}
