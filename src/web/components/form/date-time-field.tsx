import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { DisplayText } from '../../app/error-text.ts';

interface DateTimeFieldProps {
  readonly label: string;
  /** Date and time at the bar, `YYYY-MM-DDTHH:MM`. */
  readonly value: Signal<string>;
  readonly fault: DisplayText | undefined;
}

/** A date and time in the bar's time zone. */
export function DateTimeField({ label, value, fault }: DateTimeFieldProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {label}
      <input
        id={id}
        type="datetime-local"
        required
        value={value.value}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
      {fault !== undefined && (
        <span class="refusal" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </label>
  );
}
