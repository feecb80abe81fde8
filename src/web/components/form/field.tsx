import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { DisplayText } from '../../app/error-text.ts';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** Validation error from the daemon. */
  readonly error?: DisplayText | undefined;
  readonly type?: 'text' | 'password' | 'email' | 'date';
  readonly value?: string;
  readonly autocomplete?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required?: boolean;
  /** What may be entered. */
  readonly hint?: string | undefined;
  /** Says what is wrong with a value while it is typed. */
  check?: ((value: string) => string | undefined) | undefined;
}

/** A labelled input with its validation error. */
export function Field({
  name,
  label,
  error,
  type = 'text',
  value = '',
  autocomplete = 'off',
  minLength = 0,
  maxLength = 255,
  required = true,
  hint,
  check,
}: FieldProps) {
  const id = useId();
  const typed = useSignal('');
  const fault = typed.value === '' ? undefined : check?.(typed.value);
  const notes = [(hint ?? check) !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  const inputProps = {
    id,
    name,
    defaultValue: value,
    autocomplete,
    minLength,
    maxLength,
    required,
    ...(check && {
      onInput: (event: { readonly currentTarget: { readonly value: string } }) => {
        typed.value = event.currentTarget.value;
      },
    }),
    'aria-invalid': error !== undefined,
    'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
  };
  return (
    <label class="field" for={id}>
      {label}
      {type === 'password' && <input type="password" {...inputProps} />}
      {type === 'email' && <input type="email" {...inputProps} />}
      {type === 'date' && <input type="date" {...inputProps} />}
      {type === 'text' && <input type="text" {...inputProps} />}
      {(hint ?? check) !== undefined && (
        <span class="soft" id={`${id}-hint`} aria-live={check && 'polite'}>
          {fault ?? hint}
        </span>
      )}
      {error !== undefined && (
        <span class="refusal" id={`${id}-error`}>
          {error}
        </span>
      )}
    </label>
  );
}

interface SelectFieldProps {
  readonly name: string;
  readonly label: string;
  /** Value → label. */
  readonly options: Readonly<Record<string, string>>;
  readonly value?: string;
}

/** A labelled select. */
export function SelectField({ name, label, options, value }: SelectFieldProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {label}
      <select id={id} name={name} value={value}>
        {Object.entries(options).map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
