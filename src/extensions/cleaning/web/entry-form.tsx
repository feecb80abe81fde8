import type { Answer } from '../../../web/api/client.ts';
import type { CleaningEntry } from '../../../web/api/generated.ts';
import type { FieldSpec } from '../../../web/components/form/field-spec.ts';
import { Form } from '../../../web/components/form/form.tsx';
import { showToast } from '../../../web/components/toast.tsx';
import { findText, t } from '../../../web/locales/locale.ts';

const methods = ['recirculation', 'standing', 'pressure', 'sponge', 'other'] as const;
const results = ['passed', 'failed', 'not_checked'] as const;

type Method = (typeof methods)[number];
type CleaningResult = (typeof results)[number];

/** What staff enter of a cleaning. */
export interface EntryValues {
  readonly result: CleaningResult;
  readonly agent: string | null;
  readonly concentration_percent: number | null;
  readonly temp_c: number | null;
  readonly contact_minutes: number | null;
  readonly method: Method | null;
  readonly rinse_ph: number | null;
  readonly cleaned_by: string | null;
  readonly checked_by: string | null;
  readonly note: string | null;
}

/** Begin or end of the cleaning, for an entry that tells it. */
export type TimeField = Extract<FieldSpec, { readonly kind: 'custom' }> & {
  readonly name: 'started_time' | 'ended_time';
};

interface EntryFormProps {
  readonly times?: readonly TimeField[];
  readonly submit: string;
  /** The values before, of an entry that is corrected. */
  readonly entry?: CleaningEntry;
  /** The planned contact time, of a cleaning that had one. */
  readonly contactMinutes?: number;
  send(values: EntryValues): Promise<Answer<unknown>>;
  onDone?(): void;
  onCancel?(): void;
}

/** Who, what and how well: the entry of a cleaning in the log. */
export function EntryForm({
  times = [],
  submit,
  entry,
  contactMinutes,
  send,
  onDone,
  onCancel,
}: EntryFormProps) {
  return (
    <Form
      fields={[
        ...times,
        {
          kind: 'choice',
          name: 'result',
          label: t('cleaning.result'),
          // Only a person can say that it passed.
          value: entry?.result ?? 'not_checked',
          options: toOptions('cleaning.results', results),
        },
        text('agent', t('cleaning.agent'), entry?.agent),
        number('concentration_percent', t('cleaning.concentration'), entry?.concentration_percent, 100, '%'),
        number('temp_c', t('cleaning.temperature'), entry?.temp_c, 100, '°C'),
        number(
          'contact_minutes',
          t('cleaning.contactTime'),
          entry === undefined ? contactMinutes : entry.contact_minutes,
          240,
          'min',
        ),
        {
          kind: 'choice',
          name: 'method',
          label: t('cleaning.method'),
          value: entry?.method ?? '',
          isOptional: true,
          options: { '': t('cleaning.notStated'), ...toOptions('cleaning.methods', methods) },
        },
        number('rinse_ph', t('cleaning.rinsePh'), entry?.rinse_ph, 14, 'pH'),
        {
          ...text('cleaned_by', t('cleaning.cleanedBy'), entry?.cleaned_by),
          hint: t('cleaning.cleanedByHint'),
          isMore: true,
        },
        { ...text('checked_by', t('cleaning.checkedBy'), entry?.checked_by), isMore: true },
        {
          kind: 'lines',
          name: 'note',
          label: t('cleaning.note'),
          value: entry?.note ?? '',
          maxLength: 2_000,
          optional: 'empty',
        },
      ]}
      submit={submit}
      send={(values) => send(toValues(values))}
      onDone={() => {
        showToast(t('common.saved'));
        onDone?.();
      }}
      {...(onCancel === undefined ? {} : { onCancel })}
    />
  );
}

const text = <N extends string>(name: N, label: string, value: string | null | undefined) =>
  ({ kind: 'text', name, label, value: value ?? '', maxLength: 128, optional: 'empty' }) as const;

const number = <N extends string>(
  name: N,
  label: string,
  value: number | null | undefined,
  max: number,
  unit: string,
) => ({ kind: 'number', name, label, value: value ?? null, min: 0, max, unit, optional: 'null' }) as const;

function toOptions<T extends string>(
  group: 'cleaning.results' | 'cleaning.methods',
  names: readonly T[],
): Readonly<Record<T, string>> {
  return Object.fromEntries(names.map((name) => [name, findText(group, name) ?? name])) as Record<T, string>;
}

/** Empty texts are not known. */
function toValues(values: Omit<EntryValues, 'method'> & { readonly method: string }): EntryValues {
  const orNull = (value: string | null) => (value === null || value.trim() === '' ? null : value);
  return {
    ...values,
    method: methods.find((one) => one === values.method) ?? null,
    agent: orNull(values.agent),
    cleaned_by: orNull(values.cleaned_by),
    checked_by: orNull(values.checked_by),
    note: orNull(values.note),
  };
}
