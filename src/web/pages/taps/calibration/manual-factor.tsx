import { useId } from 'preact/hooks';
import { t } from '../../../locales/locale.ts';
import { explainDecimal } from './measurement.ts';

/** The factor typed by hand, in a section that is closed: measuring is better. */
export function ManualFactor({ value, onInput }: { readonly value: string; onInput(text: string): void }) {
  const id = useId();
  const fault = explainDecimal(value);
  return (
    <details class="manual-calibration">
      <summary>{t('calibration.manual')}</summary>
      <label class="field" for={id}>
        {t('calibration.figure')}
        <input
          id={id}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          maxLength={12}
          value={value}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {fault !== null && (
          <span class="refusal" id={`${id}-fault`}>
            {fault}
          </span>
        )}
      </label>
    </details>
  );
}
