import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { type ChangeKeys, createChangeKeys, withChangeKeys } from '../../api/change-keys.ts';
import type { Answer } from '../../api/client.ts';
import { nextRead } from '../../api/read-tags.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { t } from '../../locales/locale.ts';
import { invalidate } from '../use-resource.ts';
import type { FieldSpec } from './field-spec.ts';
import { FormField, MoreFields } from './form-field.tsx';
import { keepTyped, readDefaults, readForm, showRecord } from './read-form.ts';
import { useEdits } from './use-edits.ts';
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

/** How a form sends what is typed. */
export interface Sending<V> {
  /** What differs from the record as it was read last; all values where none is edited. */
  readonly changes: Partial<V>;
  /** For requests that are started after a wait: see `withChangeKeys`. */
  readonly keys: ChangeKeys;
}

interface FormProps<F extends readonly FieldSpec[], R> {
  readonly fields: F;
  /** Label of the submit button. */
  readonly submit: string;
  /**
   * True where the form edits a record. A change by somebody else meanwhile is shown at its field, unless nothing is typed in it;
   * the record is not changed if it is not as it was read last.
   */
  readonly isEdit?: boolean;
  /** True while something besides the fields, such as a picture, waits to be saved with the form. */
  readonly isDirty?: boolean;
  /** Sends a request that changes something. */
  send(values: FormValues<F[number]>, sending: Sending<FormValues<F[number]>>): Promise<Answer<R>>;
  /** Called after success. The form has been reset by then; one that edits a record keeps what was sent. */
  onDone(result: R, sent: FormValues<F[number]>): void;
  /** Offers a button that leaves the form without sending. */
  onCancel?(): void;
}

/** Attempts to save while others change the same record at other fields. */
const maxAttempts = 3;
/** Longest wait until the record has been read again, milliseconds. */
const readAgainMs = 5_000;
/** Until what was read is on the page, milliseconds. */
const renderMs = 100;

/** A form made from a list of fields; validation errors of the daemon are shown next to their field. */
export function Form<const F extends readonly FieldSpec[], R>({
  fields,
  submit,
  isEdit = false,
  isDirty = false,
  send,
  onDone,
  onCancel,
}: FormProps<F, R>) {
  type Values = FormValues<F[number]>;
  const isBusy = useSignal(false);
  const keys = useMemo(() => createChangeKeys({ edits: isEdit }), []);
  const element = useRef<HTMLFormElement>(null);
  const edits = useEdits(element, fields, { isEdit, isDirty, isBusy: isBusy.value });
  const latest = useRef({ fields, edits, send });
  latest.current = { fields, edits, send };
  const error = useSignal<DisplayText | null>(null);
  const faults = useSignal<Readonly<Record<string, DisplayText>>>({});
  const more = fields.filter(({ isMore }) => isMore);

  async function submitForm(event: SubmitEvent) {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy.value || !(form instanceof HTMLFormElement)) return;
    const { values, inputErrors } = readForm(fields, new FormData(form));
    faults.value = inputErrors;
    if (Object.keys(inputErrors).length > 0) return;
    isBusy.value = true;
    const answer = await sendTyped(form).finally(() => {
      isBusy.value = false;
    });
    error.value = answer.ok ? null : answer.sentence;
    faults.value = answer.ok ? {} : answer.fields;
    if (!answer.ok) return;
    latest.current.edits.settle();
    const address = keys.condition?.address ?? null;
    if (address === null) form.reset();
    else {
      keepTyped(form, fields);
      // What was saved may be undone before it was read.
      void whenRead(address).then(() => showRecord(form, latest.current.fields));
    }
    invalidate();
    onDone(answer.result, values as Values);
  }

  /** Sends what is typed, and sends it again if the record was changed where nothing is typed. */
  async function sendTyped(form: HTMLFormElement): Promise<Answer<R>> {
    for (let attempt = 1; ; attempt += 1) {
      const { values: stored } = readDefaults(form, latest.current.fields);
      // A field in which nothing is typed has another value after the record was read again.
      const values = readForm(latest.current.fields, new FormData(form)).values as Values;
      const changes = isEdit ? listChanges(values, stored) : values;
      const answer = await withChangeKeys(keys, () => latest.current.send(values, { changes, keys }));
      if (answer.ok || answer.status !== 412 || !keys.condition?.address) return answer;
      const { found } = latest.current.edits;
      await readAgain(keys.condition.address);
      if (latest.current.edits.found > found) return { ...answer, sentence: t('common.changedByOther') };
      if (attempt === maxAttempts) return answer;
    }
  }

  return (
    <form class="form" ref={element} onSubmit={submitForm}>
      {fields
        .filter(({ isMore }) => !isMore)
        .map((field) => (
          <FormField
            key={field.name}
            field={field}
            fault={faults.value[field.name]}
            other={edits.others[field.name]}
          />
        ))}
      {more.length > 0 && <MoreFields fields={more} faults={faults.value} others={edits.others} />}
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

/** Reads the record again, which shows it in the form. */
async function readAgain(address: string) {
  const isRead = whenRead(address);
  invalidate();
  await isRead;
}

/** Resolves when the record has been read again and is on the page. */
async function whenRead(address: string) {
  await nextRead(address, readAgainMs);
  await new Promise((resolve) => setTimeout(resolve, renderMs));
}

/** The values that differ from those of the record. */
const listChanges = <V extends object>(values: V, stored: object): Partial<V> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== Reflect.get(stored, name)),
  ) as Partial<V>;
