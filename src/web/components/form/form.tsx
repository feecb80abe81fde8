import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { createChangeKeys, withChangeKeys } from '../../api/change-keys.ts';
import type { Answer } from '../../api/client.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { t } from '../../locales/locale.ts';
import { invalidate } from '../use-resource.ts';
import { Field } from './field.tsx';
import type { FieldSpec } from './field-spec.ts';
import { ChoiceField, FlagField, formatFieldNumber, LinesField, NumberField } from './form-fields.tsx';
import '../../styles/shared/dialog.css';

type FieldValue<F extends FieldSpec> = F extends { readonly kind: 'flag' }
  ? boolean
  : F extends { readonly kind: 'choice'; readonly options: Readonly<Record<infer Option, string>> }
    ? Option
    : F extends { readonly kind: 'whole' | 'number' }
      ? number | (F extends { readonly optional: 'null' } ? null : never)
      : F extends { readonly kind: 'date' }
        ? string | null
        : string;

type Sent<F> = Exclude<F, { readonly kind: 'custom' }>;
/** The values of a form with the fields `F`. */
type FormValues<F extends FieldSpec = FieldSpec> = {
  readonly [One in Sent<F> as One extends { readonly optional: 'omit' }
    ? never
    : One['name']]: FieldValue<One>;
} & {
  readonly [One in Sent<F> as One extends { readonly optional: 'omit' }
    ? One['name']
    : never]?: FieldValue<One>;
};

interface FormProps<F extends readonly FieldSpec[], R> {
  readonly fields: F;
  /** Label of the submit button. */
  readonly submit: string;
  /** Sends a request that changes something. */
  send(values: FormValues<F[number]>): Promise<Answer<R>>;
  /** Called after success. The form has been reset by then. */
  onDone(result: R, sent: FormValues<F[number]>): void;
  /** Offers a button that leaves the form without sending. */
  onCancel?(): void;
}

/** A form made from a list of fields; validation errors of the daemon are shown next to their field. */
export function Form<const F extends readonly FieldSpec[], R>({
  fields,
  submit,
  send,
  onDone,
  onCancel,
}: FormProps<F, R>) {
  const isBusy = useSignal(false);
  const keys = useMemo(createChangeKeys, []);
  const error = useSignal<DisplayText | null>(null);
  const faults = useSignal<Readonly<Record<string, DisplayText>>>({});
  const more = fields.filter(({ isMore }) => isMore);

  async function submitForm(event: SubmitEvent) {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy.value || !(form instanceof HTMLFormElement)) return;
    const { values, inputErrors } = readForm<F[number]>(fields, new FormData(form));
    faults.value = inputErrors;
    if (Object.keys(inputErrors).length > 0) return;
    isBusy.value = true;
    const answer = await withChangeKeys(keys, () => send(values)).finally(() => {
      isBusy.value = false;
    });
    error.value = answer.ok ? null : answer.sentence;
    faults.value = answer.ok ? {} : answer.fields;
    if (!answer.ok) return;
    form.reset();
    invalidate();
    onDone(answer.result, values);
  }

  return (
    <form class="form" onSubmit={submitForm}>
      {fields
        .filter(({ isMore }) => !isMore)
        .map((field) => (
          <FormField key={field.name} field={field} fault={faults.value[field.name]} />
        ))}
      {more.length > 0 && <MoreFields fields={more} faults={faults.value} />}
      <p class="refusal" role="alert">
        {error.value}
      </p>
      <div class="form-buttons">
        <button type="submit" class="button" aria-disabled={isBusy.value}>
          {submit}
        </button>
        {onCancel && (
          <button type="button" class="chip" onClick={onCancel}>
            {t('common.cancel')}
          </button>
        )}
      </div>
    </form>
  );
}

interface MoreFieldsProps {
  readonly fields: readonly FieldSpec[];
  readonly faults: Readonly<Record<string, DisplayText>>;
}

/** The seldom used fields; shown when one of them has a fault. */
function MoreFields({ fields, faults }: MoreFieldsProps) {
  const isOpen = useSignal(false);
  const hasFault = fields.some(({ name }) => faults[name] !== undefined);
  useEffect(() => {
    if (hasFault) isOpen.value = true;
  }, [hasFault]);
  return (
    <details
      class="form-more"
      open={isOpen.value}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>{t('common.moreFields')}</summary>
      <div class="form">
        {fields.map((field) => (
          <FormField key={field.name} field={field} fault={faults[field.name]} />
        ))}
      </div>
    </details>
  );
}

function FormField({ field, fault }: { readonly field: FieldSpec; readonly fault: DisplayText | undefined }) {
  const { name, label } = field;
  switch (field.kind) {
    case 'text':
    case 'password':
      return (
        <Field
          name={name}
          label={label}
          error={fault}
          type={field.kind}
          value={field.value ?? ''}
          autocomplete={field.autocomplete ?? 'off'}
          minLength={field.minLength ?? 0}
          maxLength={field.maxLength ?? 255}
          required={field.optional === undefined}
          hint={field.hint}
          check={field.check}
        />
      );
    case 'date':
      return (
        <Field
          name={name}
          label={label}
          error={fault}
          type="date"
          value={field.value ?? ''}
          required={false}
          hint={field.hint}
        />
      );
    case 'whole':
    case 'number':
      return <NumberField field={field} fault={fault} />;
    case 'choice':
      return <ChoiceField field={field} fault={fault} />;
    case 'lines':
      return <LinesField field={field} fault={fault} />;
    case 'custom':
      return <>{field.render(fault)}</>;
    case 'flag':
      return <FlagField name={name} label={label} value={field.value ?? false} fault={fault} />;
  }
}

function readForm<F extends FieldSpec>(fields: readonly F[], form: FormData) {
  const values: Record<string, string | number | boolean | null> = {};
  const inputErrors: Record<string, string> = {};
  for (const field of fields) {
    if (field.kind === 'custom') continue;
    const input = String(form.get(field.name) ?? '');
    const text = field.kind === 'password' ? input : input.trim();
    if (field.kind === 'flag') values[field.name] = form.has(field.name);
    else if (text === '' && 'optional' in field && field.optional === 'null') values[field.name] = null;
    else if (text === '' && 'optional' in field && field.optional !== 'empty') continue;
    else if (field.kind === 'whole' || field.kind === 'number') {
      const number = Number(text.replace(',', '.'));
      const fault = numberFault(number, field);
      if (fault === null) values[field.name] = number;
      else inputErrors[field.name] = fault;
    } else values[field.name] = text;
  }
  return { values: values as FormValues<F>, inputErrors };
}

/** Why the number is not allowed; null when it is. */
function numberFault(number: number, field: Extract<FieldSpec, { kind: 'whole' | 'number' }>): string | null {
  const { kind, min, max } = field;
  if (!Number.isFinite(number)) return t('common.notANumber');
  if (kind === 'whole' && !Number.isInteger(number)) return t('common.notWhole');
  const isOutside = (min !== undefined && number < min) || (max !== undefined && number > max);
  if (!isOutside) return null;
  const format = (limit: number) => formatFieldNumber(limit, field);
  if (max !== undefined && min !== undefined)
    return t('common.outOfRange', { min: format(min), max: format(max) });
  if (max !== undefined) return t('common.atMost', { max: format(max) });
  return min === undefined ? null : t('common.atLeast', { min: format(min) });
}
