import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DisplayText } from '../../app/error-text.ts';
import { t } from '../../locales/locale.ts';
import { Field } from './field.tsx';
import type { FieldSpec } from './field-spec.ts';
import { ChoiceField, FlagField, LinesField, NumberField } from './form-fields.tsx';
import type { OtherChange } from './use-edits.ts';

interface MoreFieldsProps {
  readonly fields: readonly FieldSpec[];
  readonly faults: Readonly<Record<string, DisplayText>>;
  readonly others: Readonly<Record<string, OtherChange>>;
}

/** The seldom used fields; shown when one of them has a fault. */
export function MoreFields({ fields, faults, others }: MoreFieldsProps) {
  const isOpen = useSignal(false);
  const hasFault = fields.some(({ name }) => faults[name] !== undefined || others[name] !== undefined);
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
          <FormField key={field.name} field={field} fault={faults[field.name]} other={others[field.name]} />
        ))}
      </div>
    </details>
  );
}

interface FormFieldProps {
  readonly field: FieldSpec;
  readonly fault: DisplayText | undefined;
  readonly other: OtherChange | undefined;
}

/** A field; below it what somebody else changed meanwhile, to be taken over or replaced. */
export function FormField({ field, fault, other }: FormFieldProps) {
  return (
    <>
      <FieldOfKind field={field} fault={fault} />
      {other && (
        <p class="refusal other-change" role="status">
          {t('common.changedMeanwhile', { field: field.label, value: other.text })}{' '}
          <button type="button" class="chip" onClick={other.take}>
            {t('common.takeOther')}
          </button>
        </p>
      )}
    </>
  );
}

function FieldOfKind({ field, fault }: Omit<FormFieldProps, 'other'>) {
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
