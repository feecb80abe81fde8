import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { fileCharsets } from '../../../core/files/charset.ts';
import { decimalSigns } from '../../../core/files/numbers.ts';
import { fileDelimiters } from '../../../core/files/separator.ts';
import type { Answer } from '../../../web/api/client.ts';
import type { DisplayText } from '../../../web/app/error-text.ts';
import { ErrorMessage } from '../../../web/components/action.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { findText, t } from '../../../web/locales/locale.ts';
import type { GuessedColumns } from '../core/guess-columns.ts';
import { type SaleField, saleFields } from '../core/sales-format.ts';
import { type DraftFormat, fieldText, kindText } from './sales-data.ts';

interface FormatStepProps {
  readonly format: DraftFormat;
  /** Columns of the file, once it was read. */
  readonly columns: readonly string[];
  readonly missing: readonly SaleField[];
  /** Whether the columns of the format are guesses that nobody has seen. */
  readonly isGuessed: boolean;
  /** The columns by field as their names say. */
  readonly guessed: GuessedColumns;
  onPreview(format: DraftFormat): Promise<Answer<unknown> | undefined>;
}

/** Values of the select fields that stand for a question that is not answered. */
const unanswered = '';

/** How the file is to be read. What a file does not say, such as the order of dates, is asked. */
export function FormatStep({ format, columns, missing, isGuessed, guessed, onPreview }: FormatStepProps) {
  const id = useId();
  const isBusy = useSignal(false);
  const error = useSignal<DisplayText | null>(null);
  const { result: byPerson } = useResource('GET /sales/by-person/settings');
  const isOffered = (field: SaleField) => field !== 'seller' || byPerson?.settings.is_on === true;

  // Where the format names columns that the file does not have, those that their names say are preselected.
  const known = missing.length > 0 ? addGuesses(format.columns, guessed, columns) : format.columns;
  const isGuess =
    isGuessed || Object.entries(known).some(([field, name]) => format.columns[field as SaleField] !== name);

  async function show(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? '');
    const chosen = saleFields.flatMap((field) => {
      const known = format.columns[field];
      // A column that the file does not have, perhaps by a wrong separator, stays as it is known.
      const column = text(`column-${field}`) || (isIn(columns, known) ? undefined : known);
      return column === undefined ? [] : [[field, column]];
    });
    isBusy.value = true;
    const answer = await onPreview({
      ...format,
      delimiter: text('delimiter') as DraftFormat['delimiter'],
      charset: text('charset') as DraftFormat['charset'],
      decimal_sign: text('decimal_sign') as DraftFormat['decimal_sign'],
      date_order: text('date_order') as DraftFormat['date_order'],
      time_zone: text('time_zone').trim(),
      time_meaning: text('time_meaning') as DraftFormat['time_meaning'],
      negative_means: text('negative_means') as DraftFormat['negative_means'],
      is_complete: data.has('is_complete'),
      columns: Object.fromEntries(chosen) as DraftFormat['columns'],
    });
    isBusy.value = false;
    error.value = answer === undefined || answer.ok ? null : answer.sentence;
  }

  return (
    <section class="card stack" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('sales.steps.format')}</h3>
      <form class="form" onSubmit={show}>
        <div class="sales-fields">
          <Select
            name="date_order"
            label={t('sales.dateOrder')}
            value={format.date_order}
            options={['dmy', 'mdy', 'ymd'].map((order) => [
              order,
              findText('sales.dateOrders', order) ?? order,
            ])}
          />
          <Select
            name="time_meaning"
            label={t('sales.timeMeaning')}
            value={format.time_meaning}
            options={['ring', 'send', 'close'].map((meaning) => [
              meaning,
              findText('sales.timeMeanings', meaning) ?? meaning,
            ])}
          />
          <label class="field">
            {t('sales.timeZone')}
            <input
              type="text"
              name="time_zone"
              required
              maxLength={64}
              autocomplete="off"
              defaultValue={format.time_zone}
            />
          </label>
          <Select
            name="delimiter"
            label={t('sales.delimiter')}
            value={format.delimiter}
            options={fileDelimiters.map((sign) => [
              sign,
              findText('sales.delimiters', delimiterName(sign)) ?? sign,
            ])}
          />
          <Select
            name="decimal_sign"
            label={t('sales.decimalSign')}
            value={format.decimal_sign}
            options={decimalSigns.map((sign) => [sign, `1${sign}5`])}
          />
          <Select
            name="charset"
            label={t('sales.charset')}
            value={format.charset}
            options={fileCharsets.map((charset) => [charset, charset.toUpperCase()])}
          />
          <Select
            name="negative_means"
            label={t('sales.negativeMeans')}
            value={format.negative_means}
            options={['void', 'refund'].map((kind) => [kind, kindText(kind)])}
          />
        </div>
        <label class="flag">
          <input type="checkbox" name="is_complete" defaultChecked={format.is_complete} />
          <span>{t('sales.isComplete')}</span>
        </label>
        {columns.length > 0 && (
          <details open={missing.length > 0 || isGuess}>
            <summary>{t('sales.columns')}</summary>
            {isGuess && <p class="soft">{t('sales.columnsGuessed')}</p>}
            {missing.length > 0 && <p class="refusal">{t('sales.columnsMissing')}</p>}
            <div class="sales-fields">
              {saleFields.filter(isOffered).map((field) => (
                <ColumnField key={field} field={field} known={known} columns={columns} />
              ))}
            </div>
          </details>
        )}
        <ErrorMessage>{error.value}</ErrorMessage>
        <div class="form-buttons">
          <button type="submit" class="button" aria-disabled={isBusy.value || undefined}>
            {t('sales.showPreview')}
          </button>
        </div>
      </form>
    </section>
  );
}

const delimiterName = (sign: string): string =>
  ({ ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' })[sign] ?? 'comma';

interface SelectProps {
  readonly name: string;
  readonly label: string;
  /** Null: the question is not answered. */
  readonly value: string | null;
  readonly options: readonly (readonly string[])[];
}

function Select({ name, label, value, options }: SelectProps) {
  return (
    <label class="field">
      {label}
      <select name={name} required defaultValue={value ?? unanswered}>
        {value === null && <option value={unanswered}>{t('sales.pleaseChoose')}</option>}
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The columns of a format that the file has, and for other fields those that are guessed, each column once. */
function addGuesses(
  known: DraftFormat['columns'],
  guessed: GuessedColumns,
  columns: readonly string[],
): DraftFormat['columns'] {
  const present = Object.entries(known).filter(([, name]) => isIn(columns, name));
  const taken = present.map(([, name]) => name ?? '');
  const further = Object.entries(guessed).filter(([, name]) => !isIn(taken, name));
  return Object.fromEntries([...further, ...present]);
}

const isIn = (columns: readonly string[], name: string | undefined): boolean =>
  columns.some((column) => column.toLowerCase() === name?.toLowerCase());

interface ColumnFieldProps {
  readonly field: SaleField;
  readonly known: DraftFormat['columns'];
  readonly columns: readonly string[];
}

function ColumnField({ field, known, columns }: ColumnFieldProps) {
  const wanted = known[field]?.toLowerCase();
  const chosen = columns.find((column) => column.toLowerCase() === wanted);
  return (
    <label class="field">
      {fieldText(field)}
      <select name={`column-${field}`}>
        <option value="">{t('sales.noColumn')}</option>
        {columns.map((column) => (
          <option key={column} value={column} selected={column === chosen}>
            {column}
          </option>
        ))}
      </select>
    </label>
  );
}
