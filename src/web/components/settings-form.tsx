import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestWithPin } from '../api/request-with-pin.ts';
import { words } from '../words/pages.ts';
import { ErrorMessage } from './action.tsx';
import { type FieldSpec, Form, type FormValues } from './form.tsx';
import { type FieldLabels, loadSchemaFields, type SchemaField, toFieldSpec } from './schema-fields.ts';
import { showToast } from './toast.tsx';
import { useResource } from './use-resource.ts';

type Values = Readonly<Record<string, unknown>>;

interface SettingsFormProps {
  /** Path below `/api` that reads (GET) and changes (PATCH) the settings. */
  readonly path: string;
  /** Key of the settings in the reply. */
  readonly resultKey: string;
  readonly words: FieldLabels;
  /** Overrides the form field of one setting; null keeps the default. */
  toField?(schemaField: SchemaField, values: Values): FieldSpec | null;
  /** Converts the form's values to the request body. */
  toBody?(values: FormValues): FormValues;
  onSaved?(): void;
}

/** A form for settings; order and bounds come from the daemon's OpenAPI document. */
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
