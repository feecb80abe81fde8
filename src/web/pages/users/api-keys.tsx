import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { ApiKey } from '../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Form } from '../../components/form/form.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';

/** API keys: create (shown once), list, delete. */
export function ApiKeys({ units }: { readonly units: Units }) {
  const newKey = useSignal<string | null>(null);
  return (
    <section class="group" aria-labelledby="own-keys">
      <h3 id="own-keys">{t('apiKeys.title')}</h3>
      <div class="card group">
        {newKey.value !== null && (
          <OneTimeSecret
            explanation={t('apiKeys.keyShownOnce')}
            secret={newKey.value}
            dismissLabel={t('common.dismissSecret')}
            onDismiss={() => (newKey.value = null)}
          />
        )}
        <PagedList
          operation="GET /api-keys"
          itemsKey="api_keys"
          label={t('apiKeys.title')}
          empty={t('apiKeys.noKeys')}
          renderItem={(key) => <KeyRow key={key.id} apiKey={key} units={units} />}
        />
        <Form
          fields={[{ kind: 'text', name: 'description', label: t('apiKeys.keyFor'), maxLength: 256 }]}
          submit={t('apiKeys.createKey')}
          send={(body) => request('POST /api-keys', { body })}
          onDone={({ api_key: created }) => {
            newKey.value = created.key;
            showToast(t('common.saved'));
          }}
        />
      </div>
    </section>
  );
}

function KeyRow({ apiKey, units }: { readonly apiKey: ApiKey; readonly units: Units }) {
  const { runAction, error } = useAction();
  const { id, prefix, description, last_used_time: lastUsedTime } = apiKey;
  const lastUsed = lastUsedTime === null ? t('common.never') : formatBarTime(barTime(lastUsedTime, units));
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{description || prefix}</p>
        <p class="soft">
          {prefix}… · {t('apiKeys.lastUsed', { time: lastUsed })}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={t('common.removeOf', { name: description || prefix })}
        onClick={() =>
          runAction(() => request('DELETE /api-keys/{id}', { path: { id } }), t('common.removed'))
        }
      >
        {t('common.remove')}
      </button>
    </li>
  );
}
