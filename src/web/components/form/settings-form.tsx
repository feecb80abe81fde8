import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OperationInput } from '../../api/build-request.ts';
import { request } from '../../api/client.ts';
import type { Operations } from '../../api/generated.ts';
import { t } from '../../locales/locale.ts';
import { ErrorMessage } from '../action.tsx';
import { usePageLoad } from '../page-load.ts';
import { showToast } from '../toast.tsx';
import { showUndoable } from '../undo.ts';
import { useResource } from '../use-resource.ts';
import type { FieldSpec } from './field-spec.ts';
import { Form } from './form.tsx';
import { type FieldLabels, loadSchemaFields, type SchemaField, toFieldSpec } from './schema-fields.ts';

type Values = Readonly<Record<string, unknown>>;

/** Values of the form; its fields are known only at run time. */
type SettingsValues = Readonly<Record<string, string | number | boolean | null>>;

/** Addresses below `/api` that read (GET) and change (PATCH) settings. */
type SettingsPath = {
  [O in keyof Operations]: O extends `PATCH ${infer P extends '/site' | `/admin/${string}`}`
    ? `GET ${P}` extends keyof Operations
      ? P
      : never
    : never;
}[keyof Operations];

type SettingsInput = OperationInput<`PATCH ${SettingsPath}`>;

interface SettingsFormProps {
  readonly path: SettingsPath;
  /** Key of the settings in the reply. */
  readonly resultKey: string;
  readonly fieldLabels: FieldLabels;
  /** Names of settings that the form leaves out. */
  readonly without?: readonly string[];
  /** Names of the settings that the form has; all unless given. */
  readonly only?: readonly string[];
  /** Overrides the form field of one setting; null keeps the default. */
  toField?(schemaField: SchemaField, values: Values): FieldSpec | null;
  /** Converts the form's values to the request body. */
  toBody?(values: SettingsValues): SettingsValues;
  onSaved?(): void;
}

/** A form for settings; order and bounds come from the daemon's OpenAPI document. */
export function SettingsForm(props: SettingsFormProps) {
  const { path, resultKey, without = [], only, toField, toBody = unchanged, onSaved } = props;
  const schemaFields = useSignal<readonly SchemaField[]>([]);
  const { result, error } = useResource(`GET ${path}`);
  const { begin } = usePageLoad();
  useEffect(() => {
    const end = begin();
    void loadSchemaFields(path)
      .then((fields) => {
        schemaFields.value = fields.filter(
          ({ name }) => !without.includes(name) && (only?.includes(name) ?? true),
        );
      })
      .finally(end);
    return end;
  }, [path]);
  const values = (result as Readonly<Record<string, Values>> | null)?.[resultKey];
  return (
    <div class="card narrow">
      <ErrorMessage>{error}</ErrorMessage>
      {(!values || schemaFields.value.length === 0) && error === null && (
        <p class="soft">{t('app.loading')}</p>
      )}
      {values && schemaFields.value.length > 0 && (
        <Form
          fields={schemaFields.value.map(
            (schemaField) =>
              toField?.(schemaField, values) ??
              toFieldSpec(schemaField, values[schemaField.name], props.fieldLabels),
          )}
          submit={t('common.save')}
          isEdit
          // The fields are those that the daemon's own document declares for this body. An unchanged one is not sent: some
          // settings need the password.
          send={(formValues) => {
            const changes = Object.entries(toBody(formValues)).filter(
              ([name, value]) => value !== values[name],
            );
            return request(`PATCH ${path}`, { body: Object.fromEntries(changes) } as SettingsInput);
          }}
          onDone={(changed) => {
            if ('correction_id' in changed) showUndoable(t('common.saved'), changed, onSaved);
            else showToast(t('common.saved'));
            onSaved?.();
          }}
        />
      )}
    </div>
  );
}

const unchanged = (values: SettingsValues): SettingsValues => values;
