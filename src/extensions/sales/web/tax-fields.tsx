import { useSignal } from '@preact/signals';
import { t } from '../../../web/locales/locale.ts';

interface TaxFieldsProps {
  /** Hundredths of a percent; 0: without tax. Null: not answered yet. */
  readonly basisPoints: number | null;
}

/** Asks whether the amounts of a till contain tax, and how much. `readTax` reads the answer. */
export function TaxFields({ basisPoints }: TaxFieldsProps) {
  const answer = useSignal(basisPoints === null ? '' : basisPoints === 0 ? 'without' : 'with');
  return (
    <>
      <label class="field">
        {t('sales.taxQuestion')}
        <select
          name="tax"
          required
          value={answer.value}
          onChange={(event) => (answer.value = event.currentTarget.value)}
        >
          {basisPoints === null && <option value="">{t('sales.pleaseChoose')}</option>}
          <option value="with">{t('sales.taxWith')}</option>
          <option value="without">{t('sales.taxWithout')}</option>
        </select>
      </label>
      {answer.value === 'with' && (
        <label class="field">
          {t('sales.tax')}
          <input
            type="number"
            name="tax_percent"
            required
            min="0.01"
            max="100"
            step="0.01"
            inputMode="decimal"
            defaultValue={basisPoints ? String(basisPoints / 100) : ''}
          />
        </label>
      )}
    </>
  );
}

/** The answer in a form of `TaxFields`; null where it was not asked. */
export function readTax(data: FormData): number | null {
  const answer = data.get('tax');
  if (answer === null || answer === '') return null;
  return answer === 'without' ? 0 : Math.round(Number(data.get('tax_percent')) * 100);
}
