import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestWithPin } from '../api/request-with-pin.ts';
import { showToast } from '../toast.tsx';
import { words } from '../words/pages.ts';
import { ErrorMessage } from './action.tsx';
import { type FieldSpec, Form, type FormValues } from './form.tsx';
import { type FieldLabels, loadSchemaFields, type SchemaField, toFieldSpec } from './schema-fields.ts';
import { useResource } from './use-resource.ts';

type Values = Readonly<Record<string, unknown>>;

interface SettingsFormProps {
  /** Where the settings are read and, by PATCH, changed; below `/api`. */
  readonly path: string;
  /** The member of the answer that holds them. */
  readonly resultKey: string;
  readonly words: FieldLabels;
  /** Another form for one field; null for the usual one. */
  toField?(schemaField: SchemaField, values: Values): FieldSpec | null;
  /** What is sent, where that is not what was filled in. */
  toBody?(values: FormValues): FormValues;
  onSaved?(): void;
}

/** Settings in a form of their own, in the order and within the bounds in which the daemon declares them. */
export function SettingsForm(props: SettingsFormProps) {
  const { path, resultKey, toField, toBody = unchanged, onSaved } = props;
  const schemaFields = useSignal<readonly SchemaField[]>([]);
  const { result, error } = useResource<Readonly<Record<string, Values>>>(path);
  useEffect(() => {
    void loadSchemaFields(path).then((fields) => {
      schemaFields.value = fields;
    });
  }, [path]);
  const values = result?.[resultKey];
  return (
    <div class="card narrow">
      <ErrorMessage>{error}</ErrorMessage>
      {values && schemaFields.value.length > 0 && (
        <Form
          key={JSON.stringify(values)}
          fields={schemaFields.value.map(
            (schemaField) =>
              toField?.(schemaField, values) ??
              toFieldSpec(schemaField, values[schemaField.name], props.words),
          )}
          submit={words.save}
          send={(formValues) => requestWithPin('PATCH', path, toBody(formValues))}
          onDone={() => {
            showToast(words.saved);
            onSaved?.();
          }}
        />
      )}
    </div>
  );
}

const unchanged = (values: FormValues): FormValues => values;
