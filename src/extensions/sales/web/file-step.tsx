import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { createCharsetFinder } from '../../../core/files/charset.ts';
import { t } from '../../../web/locales/locale.ts';
import { guessFormat } from '../core/guess-format.ts';
import { type ChosenFile, type DraftFormat, type Preset, presetText, type Till } from './sales-data.ts';
import { readTax, TaxFields } from './tax-fields.tsx';

/** Bytes of a file from which it is guessed how it is read. */
const beginningBytes = 65_536;

/** Fills in what the beginning of a file shows; what it does not show, such as the order of its dates, is asked. */
async function prefill(file: File, preset: DraftFormat): Promise<DraftFormat> {
  const bytes = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
  const finder = createCharsetFinder();
  finder.add(bytes);
  const charset = finder.found(preset.charset);
  const { delimiter, decimalSign, dateOrder, columns } = guessFormat(
    new TextDecoder(charset).decode(bytes),
    preset.columns,
  );
  return {
    ...preset,
    charset,
    delimiter: delimiter ?? preset.delimiter,
    decimal_sign: decimalSign ?? preset.decimal_sign,
    date_order: dateOrder === 'ask' ? null : (dateOrder ?? preset.date_order),
    columns: Object.keys(columns).length === 0 ? preset.columns : columns,
  };
}

interface FileStepProps {
  readonly tills: readonly Till[];
  readonly presets: readonly Preset[];
  /** `isGuessed`: the columns are guesses from their names. */
  onChoose(file: ChosenFile, format: DraftFormat, isGuessed: boolean): void;
}

/** The till, its kind and its file. A till that was imported before is read in the same way. */
export function FileStep({ tills, presets, onChoose }: FileStepProps) {
  const id = useId();
  const tillId = useSignal(tills[0] === undefined ? '' : String(tills[0].id));
  const preset = useSignal<Preset['preset']>('generic');
  const till = tills.find((one) => String(one.id) === tillId.value);
  const known = till?.format ?? null;
  const needsTransactions = (known?.preset ?? preset.value) === 'dsfinvk';

  async function choose(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const data = new FormData(event.currentTarget);
    const [file, transactions] = [data.get('file'), data.get('transactions')];
    if (!(file instanceof File) || file.name === '') return;
    const chosen = presets.find((one) => one.preset === preset.value)!;
    const format = known ?? (await prefill(file, chosen));
    onChoose(
      {
        tillId: till?.id ?? null,
        tillName: String(data.get('name') ?? '').trim(),
        file,
        transactions: transactions instanceof File && transactions.size > 0 ? transactions : null,
        includedTaxBasisPoints: readTax(data),
      },
      format,
      known === null && format.columns !== chosen.columns,
    );
  }

  return (
    <section class="card stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('sales.steps.file')}</h3>
      <form class="form" onSubmit={choose}>
        <div class="sales-fields">
          {tills.length > 0 && (
            <label class="field">
              {t('sales.till')}
              <select value={tillId.value} onChange={(event) => (tillId.value = event.currentTarget.value)}>
                {tills.map((one) => (
                  <option key={one.id} value={String(one.id)}>
                    {one.name}
                  </option>
                ))}
                <option value="">{t('sales.newTill')}</option>
              </select>
            </label>
          )}
          {till === undefined && (
            <label class="field">
              {t('sales.tillName')}
              <input type="text" name="name" required maxLength={64} autocomplete="off" />
            </label>
          )}
          {known === null && (
            <label class="field">
              {t('sales.kindOfTill')}
              <select
                value={preset.value}
                onChange={(event) => (preset.value = event.currentTarget.value as Preset['preset'])}
              >
                {presets.map((one) => (
                  <option key={one.preset} value={one.preset}>
                    {presetText(one.preset)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {(till?.included_tax_basis_points ?? null) === null && (
            <TaxFields key={tillId.value} basisPoints={null} />
          )}
          <label class="field">
            {needsTransactions ? t('sales.linesFile') : t('sales.file')}
            <input type="file" name="file" required accept=".csv,.txt,.zip,text/csv" />
          </label>
          {needsTransactions && (
            <label class="field">
              {t('sales.transactionsFile')}
              <input type="file" name="transactions" accept=".csv,text/csv" />
            </label>
          )}
        </div>
        <p class="soft">
          {t('sales.taxWhy')} {t('sales.personsDropped')}
        </p>
        <div class="form-buttons">
          <button type="submit" class="button">
            {t('sales.next')}
          </button>
        </div>
      </form>
    </section>
  );
}
