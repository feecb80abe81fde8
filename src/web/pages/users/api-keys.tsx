import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { Units } from '../../app/format.ts';
import { Form } from '../../components/form/form.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';
import { KeyRow } from './key-row.tsx';

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
          renderItem={(key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              units={units}
              remove={() => request('DELETE /api-keys/{id}', { path: { id: key.id } })}
            />
          )}
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
