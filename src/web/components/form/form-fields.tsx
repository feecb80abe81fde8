import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { DisplayText } from '../../app/error-text.ts';
import { formatDecimal } from '../../app/format.ts';
import { t } from '../../locales/locale.ts';
import type { FieldSpec } from './field-spec.ts';

interface NumberFieldProps {
  readonly field: Extract<FieldSpec, { kind: 'whole' | 'number' }>;
  readonly fault: DisplayText | undefined;
}

/** A value or limit of a number field as text. */
export const formatFieldNumber = (
  value: number,
  { digits }: Extract<FieldSpec, { kind: 'whole' | 'number' }>,
): string => formatDecimal(value, digits);

/** A number field; accepts a decimal comma or point. */
export function NumberField({ field, fault }: NumberFieldProps) {
  const id = useId();
  const { name, label, unit, value, optional, min, max } = field;
  const range =
    min === undefined || max === undefined
      ? undefined
      : t('common.rangeHint', { min: formatFieldNumber(min, field), max: formatFieldNumber(max, field) });
  const hint = field.hint ?? range;
  const notes = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean);
  return (
    <label class="field" for={id}>
      {unit === undefined ? label : `${label} (${unit})`}
      <input
        id={id}
        type="text"
        name={name}
        inputmode={field.kind === 'whole' ? 'numeric' : 'decimal'}
        autocomplete="off"
        maxLength={20}
        required={optional === undefined}
        defaultValue={value == null ? '' : formatFieldNumber(value, field)}
        aria-invalid={fault !== undefined}
        aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
      />
      {hint !== undefined && (
        <span class="soft" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Fault id={id} fault={fault} />
    </label>
  );
}

interface LinesFieldProps {
  readonly field: Extract<FieldSpec, { kind: 'lines' }>;
  readonly fault: DisplayText | undefined;
}

/** A field for a text of several lines. */
export function LinesField({ field, fault }: LinesFieldProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {field.label}
      <textarea
        id={id}
        name={field.name}
        rows={4}
        maxLength={field.maxLength ?? 10_000}
        defaultValue={field.value ?? ''}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      />
      <Fault id={id} fault={fault} />
    </label>
  );
}

interface ChoiceFieldProps {
  readonly field: Extract<FieldSpec, { kind: 'choice' }>;
  readonly fault: DisplayText | undefined;
}

/** A select field; the choice is kept when the form is shown again with errors. */
export function ChoiceField({ field, fault }: ChoiceFieldProps) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  // The default of the field, so that what a person has chosen stays when the record is read again.
  useLayoutEffect(() => {
    for (const option of select.current?.options ?? []) option.defaultSelected = option.value === field.value;
  }, [field.value, Object.keys(field.options).join()]);
  return (
    <label class="field" for={id}>
      {field.label}
      <select
        ref={select}
        id={id}
        name={field.name}
        required={field.isOptional !== true}
        onChange={(event) => field.onChoose?.(event.currentTarget.value)}
      >
        {Object.entries(field.options).map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      <Fault id={id} fault={fault} />
    </label>
  );
}

interface FlagFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: boolean;
  readonly fault?: DisplayText | undefined;
}

/** A checkbox. */
export function FlagField({ name, label, value, fault }: FlagFieldProps) {
  const id = useId();
  return (
    <label class="flag" for={id}>
      <input id={id} type="checkbox" name={name} defaultChecked={value} />
      <span>{label}</span>
      <Fault id={id} fault={fault} />
    </label>
  );
}

function Fault({ id, fault }: { readonly id: string; readonly fault: DisplayText | undefined }) {
  if (fault === undefined) return null;
  return (
    <span class="refusal" id={`${id}-fault`}>
      {fault}
    </span>
  );
}
