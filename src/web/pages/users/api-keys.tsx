import { useSignal } from '@preact/signals';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Form } from '../../components/form.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { dataVersion, showToast } from '../../components/toast.tsx';
import { words } from '../../words/pages.ts';

interface Key {
  readonly id: number;
  readonly prefix: string;
  readonly key: string | null;
  readonly description: string;
  readonly last_used_time: string | null;
}

/** API keys: create (shown once), list, delete. */
export function ApiKeys({ units }: { readonly units: Units }) {
  const newKey = useSignal<string | null>(null);
  return (
    <section class="group" aria-labelledby="own-keys">
      <h3 id="own-keys">{words.keys}</h3>
      <div class="card group">
        {newKey.value !== null && (
          <OneTimeSecret
            explanation={words.keyShownOnce}
            secret={newKey.value}
            dismissLabel={words.dismissSecret}
            onDismiss={() => (newKey.value = null)}
          />
        )}
        <PagedList<Key>
          path="/api-keys"
          itemsKey="api_keys"
          label={words.keys}
          empty={words.noKeys}
          reloadKey={`${dataVersion.value}/${newKey.value}`}
          renderItem={(key) => <KeyRow key={key.id} apiKey={key} units={units} />}
        />
        <Form<{ readonly api_key: Key }>
          fields={[{ kind: 'text', name: 'description', label: words.keyFor, maxLength: 256 }]}
          submit={words.createKey}
          send={(values) => requestWithPin('POST', '/api-keys', values)}
          onDone={({ api_key: created }) => {
            newKey.value = created.key;
            showToast(words.saved);
          }}
        />
      </div>
    </section>
  );
}

function KeyRow({ apiKey, units }: { readonly apiKey: Key; readonly units: Units }) {
  const { runAction, error } = useAction();
  const { id, prefix, description, last_used_time: lastUsedTime } = apiKey;
  const lastUsed = lastUsedTime === null ? words.never : formatBarTime(barTime(lastUsedTime, units));
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{description || prefix}</p>
        <p class="soft">
          {prefix}… · {words.lastUsed(lastUsed)}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={words.removeOf(description || prefix)}
        onClick={() =>
          runAction({ method: 'DELETE', path: `/api-keys/${id}`, successMessage: words.removed })
        }
      >
        {words.remove}
      </button>
    </li>
  );
}
