import { request } from '../../../api/client.ts';
import type { Units } from '../../../app/format.ts';
import { PagedList } from '../../../components/paged-list.tsx';
import { t } from '../../../locales/locale.ts';
import { KeyRow } from '../key-row.tsx';

interface PersonKeysProps {
  readonly username: string;
  readonly units: Units;
}

/** The API keys of a person, for superusers. */
export function PersonKeys({ username, units }: PersonKeysProps) {
  return (
    <section class="group" aria-labelledby="person-keys">
      <h3 id="person-keys">{t('apiKeys.title')}</h3>
      <div class="card group">
        <PagedList
          operation="GET /users/{username}/api-keys"
          input={{ path: { username } }}
          itemsKey="api_keys"
          label={t('apiKeys.title')}
          empty={t('person.noApiKeys')}
          renderItem={(key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              units={units}
              remove={() =>
                request('DELETE /users/{username}/api-keys/{id}', { path: { username, id: key.id } })
              }
            />
          )}
        />
      </div>
    </section>
  );
}
