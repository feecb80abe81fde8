import { request } from '../../api/client.ts';
import type { PluginDatum } from '../../api/generated.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

/** Data stored by plugins; nothing when there is none. */
export function PluginData() {
  const { result } = useResource('GET /plugin-data', { query: { limit: 1 } });
  if (!result || result.plugin_data.length === 0) return null;
  return (
    <section class="group" aria-labelledby="plugin-data">
      <h3 id="plugin-data">{t('webhooks.storedData')}</h3>
      <div class="card">
        <PagedList
          operation="GET /plugin-data"
          itemsKey="plugin_data"
          label={t('webhooks.storedData')}
          empty={t('outbox.noMessages')}
          renderItem={(datum) => <DatumRow key={datum.id} datum={datum} />}
        />
      </div>
    </section>
  );
}

function DatumRow({ datum }: { readonly datum: PluginDatum }) {
  const { runAction, error } = useAction();
  const name = t('webhooks.datum', { plugin: datum.plugin_name, key: datum.key });
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <p class="log-details">{JSON.stringify(datum.value)}</p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={t('common.removeOf', { name })}
        onClick={() =>
          runAction(
            () => request('DELETE /plugin-data/{id}', { path: { id: datum.id } }),
            t('common.removed'),
          )
        }
      >
        {t('common.remove')}
      </button>
    </li>
  );
}
