import { ErrorMessage, useAction } from '../../components/action.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { dataVersion } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/notifications.ts';
import { words as common } from '../../words/pages.ts';

interface PluginDatum {
  readonly id: number;
  readonly plugin_name: string;
  readonly key: string;
  readonly value: unknown;
}

const path = '/plugin-data';

/** Data stored by plugins; nothing when there is none. */
export function PluginData() {
  const { result } = useResource<{ readonly plugin_data: readonly PluginDatum[] }>(`${path}?limit=1`);
  if (!result || result.plugin_data.length === 0) return null;
  return (
    <section class="group" aria-labelledby="plugin-data">
      <h3 id="plugin-data">{words.storedData}</h3>
      <div class="card">
        <PagedList<PluginDatum>
          path={path}
          itemsKey="plugin_data"
          label={words.storedData}
          empty={words.noMessages}
          reloadKey={dataVersion.value}
          renderItem={(datum) => <DatumRow key={datum.id} datum={datum} />}
        />
      </div>
    </section>
  );
}

function DatumRow({ datum }: { readonly datum: PluginDatum }) {
  const { runAction, error } = useAction();
  const name = words.datum(datum.plugin_name, datum.key);
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{name}</p>
        <p class="log-details">{JSON.stringify(datum.value)}</p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={common.removeOf(name)}
        onClick={() =>
          runAction({ method: 'DELETE', path: `${path}/${datum.id}`, successMessage: common.removed })
        }
      >
        {common.remove}
      </button>
    </li>
  );
}
