import { request } from '../../../api/client.ts';
import { isSuperuser } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Form } from '../../../components/form/form.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undo } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';

interface PersonAliasesProps {
  readonly username: string;
  readonly aliases: readonly string[];
}

/** Other names of a person, which controllers and logins may use. Superusers change them. */
export function PersonAliases({ username, aliases }: PersonAliasesProps) {
  const path = { username };
  return (
    <section class="group" aria-labelledby="person-aliases">
      <h3 id="person-aliases">{t('person.aliases')}</h3>
      <div class="card group">
        <p class="soft">{t('person.aliasesWhy')}</p>
        {aliases.length === 0 && <p>{t('person.noAliases')}</p>}
        {aliases.length > 0 && (
          <ul class="rows" aria-labelledby="person-aliases">
            {aliases.map((alias) => (
              <AliasRow key={alias} username={username} alias={alias} />
            ))}
          </ul>
        )}
        {isSuperuser.value ? (
          <Form
            fields={[{ kind: 'text', name: 'username', label: t('person.newAlias'), maxLength: 30 }]}
            submit={t('person.addAlias')}
            send={(body) => request('POST /users/{username}/aliases', { path, body })}
            onDone={({ alias }) =>
              showToast(
                t('person.aliasAdded', { alias: alias.username }),
                () =>
                  void undo(() =>
                    request('DELETE /users/{username}/aliases/{alias}', {
                      path: { username, alias: alias.username },
                    }),
                  ),
              )
            }
          />
        ) : (
          <p class="soft">{t('person.aliasesSuperusersOnly')}</p>
        )}
      </div>
    </section>
  );
}

function AliasRow({ username, alias }: { readonly username: string; readonly alias: string }) {
  const { runAction, error } = useAction();
  const remove = () =>
    runAction(
      () => request('DELETE /users/{username}/aliases/{alias}', { path: { username, alias } }),
      () =>
        showToast(
          t('person.aliasRemoved', { alias }),
          () =>
            void undo(() =>
              request('POST /users/{username}/aliases', { path: { username }, body: { username: alias } }),
            ),
        ),
    );
  return (
    <li>
      <div class="row-text">
        <p>{alias}</p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      {isSuperuser.value && (
        <button
          type="button"
          class="chip"
          aria-label={t('person.removeAlias', { alias })}
          onClick={() => void remove()}
        >
          {t('common.remove')}
        </button>
      )}
    </li>
  );
}
