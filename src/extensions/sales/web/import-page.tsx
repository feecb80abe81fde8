import { useSignal } from '@preact/signals';
import { type Result, request } from '../../../web/api/client.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { Page, type PageProps } from '../../../web/components/page.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { FileStep } from './file-step.tsx';
import { FormatStep } from './format-step.tsx';
import { PreviewStep } from './preview-step.tsx';
import {
  type ChosenFile,
  type DraftFormat,
  importTimeoutMs,
  type Preset,
  type Preview,
  type Till,
} from './sales-data.ts';
import { BadRows } from './sales-page.tsx';
import './sales.css';

/** Import of a till's file: choose it, say how it is read, see how it is understood, import. */
export function ImportPage({ snapshot }: PageProps) {
  const presets = useResource('GET /sales-presets');
  const tills = useResource('GET /tills', { query: { limit: 1000 } });
  return (
    <Page title={t('sales.importFile')} requiredRole="staff">
      <p>
        <a href={toHref('/sales')}>{t('sales.title')}</a>
      </p>
      <ErrorMessage>{presets.error ?? tills.error}</ErrorMessage>
      {presets.result && tills.result && (
        <Steps presets={presets.result.presets} tills={tills.result.tills} snapshot={snapshot} />
      )}
    </Page>
  );
}

interface StepsProps extends Pick<PageProps, 'snapshot'> {
  readonly presets: readonly Preset[];
  readonly tills: readonly Till[];
}

function Steps({ presets, tills, snapshot }: StepsProps) {
  const chosen = useSignal<ChosenFile | null>(null);
  const format = useSignal<DraftFormat | null>(null);
  /** Whether the columns are guesses; no longer once they were shown and sent by a person. */
  const isGuessed = useSignal(false);
  const preview = useSignal<Preview | null>(null);
  const done = useSignal<Result<'POST /sales-imports'> | null>(null);
  const { runAction, error, isBusy } = useAction();

  function body(file: ChosenFile, fields: Readonly<Record<string, string>>): FormData {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    data.append('format', JSON.stringify(format.value));
    data.append('file', file.file);
    if (file.transactions !== null) data.append('transactions', file.transactions);
    return data;
  }
  async function showPreview(draft: DraftFormat) {
    const file = chosen.value;
    format.value = draft;
    if (file === null) return;
    if (preview.value !== null) isGuessed.value = false;
    const answer = await request(
      'POST /sales-previews',
      { body: body(file, file.tillId === null ? {} : { till_id: String(file.tillId) }) },
      { timeoutMs: importTimeoutMs },
    );
    if (answer.ok) preview.value = answer.result;
    return answer;
  }
  async function importFile() {
    const file = chosen.value;
    if (file === null) return;
    let { tillId } = file;
    const { includedTaxBasisPoints: tax } = file;
    if (tillId === null) {
      const created = await runAction(
        () => request('POST /tills', { body: { name: file.tillName, included_tax_basis_points: tax } }),
        () => {},
      );
      if (!created?.ok) return;
      tillId = created.result.till.id;
      chosen.value = { ...file, tillId, includedTaxBasisPoints: null };
    } else if (tax !== null) {
      const path = { id: tillId };
      const changed = await runAction(
        () => request('PATCH /tills/{id}', { path, body: { included_tax_basis_points: tax } }),
        () => {},
      );
      if (!changed?.ok) return;
    }
    const fields = { till_id: String(tillId), file_name: file.file.name };
    await runAction(
      () => request('POST /sales-imports', { body: body(file, fields) }, { timeoutMs: importTimeoutMs }),
      (result) => {
        done.value = result;
      },
    );
  }

  if (done.value !== null) return <Done result={done.value} />;
  return (
    <div class="stack">
      <FileStep
        tills={tills}
        presets={presets}
        onChoose={(file, draft, isGuess) => {
          chosen.value = file;
          isGuessed.value = isGuess;
          format.value = draft;
          preview.value = null;
        }}
      />
      {chosen.value !== null && format.value !== null && (
        <FormatStep
          key={`${chosen.value.file.name} ${format.value.preset}`}
          format={format.value}
          columns={preview.value?.columns ?? []}
          missing={preview.value?.missing ?? []}
          isGuessed={isGuessed.value}
          guessed={preview.value?.guessed_columns ?? {}}
          onPreview={showPreview}
        />
      )}
      {preview.value !== null && preview.value.missing.length === 0 && (
        <PreviewStep preview={preview.value} snapshot={snapshot}>
          <ErrorMessage>{error}</ErrorMessage>
          <p class="row-actions">
            <button
              type="button"
              class="button"
              disabled={preview.value.lines === 0}
              aria-disabled={isBusy || undefined}
              onClick={() => void importFile()}
            >
              {t('sales.importLines', { count: preview.value.lines })}
            </button>
          </p>
        </PreviewStep>
      )}
    </div>
  );
}

function Done({ result: { import: record, repeated } }: { readonly result: Result<'POST /sales-imports'> }) {
  return (
    <section class="card" aria-labelledby="import-done">
      <h3 id="import-done">{repeated ? t('sales.importedBefore') : t('sales.imported')}</h3>
      <p role="status">
        {t('sales.counts', { lines: record.lines, fresh: record.new_lines, changed: record.changed_lines })}
        {record.gone_lines > 0 && ` ${t('sales.goneLines', { count: record.gone_lines })}`}
      </p>
      <BadRows faults={record.faults} count={record.bad_rows} />
      <p class="row-actions">
        <a class="button" href={toHref(`/sales/tills/${record.till_id}`)}>
          {t('sales.toProducts')}
        </a>
      </p>
    </section>
  );
}
