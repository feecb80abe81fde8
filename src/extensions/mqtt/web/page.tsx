import { useSignal } from '@preact/signals';
import { request } from '../../../web/api/client.ts';
import type { DisplayText } from '../../../web/app/error-text.ts';
import { isSuperuser } from '../../../web/app/me.ts';
import { formatProblem } from '../../../web/app/problem-text.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import type { FieldSpec } from '../../../web/components/form/field-spec.ts';
import {
  type FieldLabels,
  listFieldLabels,
  type SchemaField,
  toFieldSpec,
} from '../../../web/components/form/schema-fields.ts';
import { SettingsForm } from '../../../web/components/form/settings-form.tsx';
import { Page } from '../../../web/components/page.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';

const refreshMs = 5_000;
/** The daemon waits up to 15 s for each version of the protocol. */
const testTimeoutMs = 45_000;

/** The MQTT broker: connection, test and settings. */
export function MqttPage() {
  const { result, error } = useResource('GET /admin/mqtt', {}, { intervalMs: refreshMs });
  return (
    <Page title={t('mqtt.title')} requiredRole="staff">
      <ErrorMessage>{error}</ErrorMessage>
      {result !== null && (
        <div class="two">
          <section class="group" aria-labelledby="mqtt-settings">
            <h3 id="mqtt-settings">{t('mqtt.settings')}</h3>
            {isSuperuser.value ? (
              <MqttForm key={result.fixed.join()} fixed={result.fixed} />
            ) : (
              <p class="soft">{t('auth.superusersOnly')}</p>
            )}
          </section>
          <div class="stack">
            <section class="group" aria-labelledby="mqtt-state">
              <h3 id="mqtt-state">{t('mqtt.connection')}</h3>
              <div class="card group">
                <p>
                  {t(`mqtt.states.${result.state}`)} {t('mqtt.waiting', { count: result.num_waiting })}
                </p>
                {result.problem !== null && <p class="soft">{formatProblem(result.problem)}</p>}
                <p class="soft">
                  {t('mqtt.topics', { prefix: `${result.mqtt.topic_prefix}/${result.site}` })}
                </p>
                <BrokerTest />
              </div>
            </section>
            {result.fixed.length > 0 && <FixedSettings names={result.fixed} values={result.mqtt} />}
          </div>
        </div>
      )}
    </Page>
  );
}

/** Connects with the stored settings and says what failed. */
function BrokerTest() {
  const outcome = useSignal<DisplayText | null>(null);
  const { runAction, error, isBusy } = useAction();
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      <button
        type="button"
        class="chip"
        disabled={isBusy}
        onClick={() => {
          outcome.value = null;
          void runAction(
            () => request('POST /admin/mqtt-test', {}, { timeoutMs: testTimeoutMs }),
            ({ problem }) => {
              outcome.value = problem === null ? t('mqtt.testAccepted') : formatProblem(problem);
            },
          );
        }}
      >
        {t('mqtt.test')}
      </button>
      <p role="status">{outcome.value}</p>
    </>
  );
}

/** Settings that the configuration file names. */
function FixedSettings({
  names,
  values,
}: {
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}) {
  const { labels } = mqttLabels();
  return (
    <section class="group" aria-labelledby="mqtt-fixed">
      <h3 id="mqtt-fixed">{t('mqtt.fixed')}</h3>
      <ul class="card rows">
        {names.map((name) => (
          <li key={name}>
            <p class="row-text">
              <span class="row-name">{labels[name] ?? name}</span> {formatValue(values[name])}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A secret or a certificate is not shown. */
function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
  const text = value === undefined ? '' : String(value);
  return text === '' || text.includes('\n') ? '' : text;
}

const mqttLabels = (): FieldLabels => listFieldLabels('mqtt.labels', 'mqtt.choices');

/** Seldom needed. */
const moreFields: ReadonlySet<string> = new Set([
  'protocol',
  'topic_prefix',
  'topic_site',
  'discovery_prefix',
  'ca',
  'certificate',
  'key',
]);

function MqttForm({ fixed }: { readonly fixed: readonly string[] }) {
  return (
    <SettingsForm
      path="/admin/mqtt"
      resultKey="mqtt"
      fieldLabels={mqttLabels()}
      without={fixed}
      toField={(field, values) => ({
        ...toMqttField(field, values),
        ...(moreFields.has(field.name) && { isMore: true }),
      })}
      // An empty key keeps the stored one; it is removed with the certificate.
      toBody={({ key, ...values }) => (key === '' || key === undefined ? values : { ...values, key })}
    />
  );
}

function toMqttField(field: SchemaField, values: Readonly<Record<string, unknown>>): FieldSpec {
  const { name } = field;
  const label = mqttLabels().labels[name] ?? name;
  if (name === 'password') {
    return {
      kind: 'password',
      name,
      label: values.has_password === true ? t('common.otherPassword') : label,
      maxLength: 1024,
      autocomplete: 'new-password',
      optional: 'omit',
    };
  }
  if (name === 'key') {
    const isSet = values.has_key === true;
    return {
      kind: 'lines',
      name,
      label: isSet ? t('mqtt.otherKey') : label,
      optional: 'empty',
      maxLength: 32_768,
    };
  }
  if (name === 'ca' || name === 'certificate')
    return {
      kind: 'lines',
      name,
      label,
      value: String(values[name] ?? ''),
      optional: 'empty',
      maxLength: 32_768,
    };
  return toFieldSpec(field, values[name], mqttLabels());
}
