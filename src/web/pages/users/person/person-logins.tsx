import { request } from '../../../api/client.ts';
import { barTime, formatBarTime, type Units } from '../../../app/format.ts';
import { isSuperuser } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { showToast } from '../../../components/toast.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { browserName } from '../browser-name.ts';

interface PersonLoginsProps {
  readonly username: string;
  readonly units: Units;
}

/** The devices on which a person is logged in, and one button that ends all logins. */
export function PersonLogins({ username, units }: PersonLoginsProps) {
  const path = { username };
  const { result, error } = useResource('GET /users/{username}/logins', { path });
  const action = useAction();
  const logins = result?.logins ?? [];
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  const isOnlyThis = logins.every(({ is_this: isThis }) => isThis);
  return (
    <section class="group" aria-labelledby="person-logins">
      <h3 id="person-logins">{t('account.logins')}</h3>
      <div class="card group">
        <ErrorMessage>{error ?? action.error}</ErrorMessage>
        {result && logins.length === 0 && <p class="soft">{t('person.noLogins')}</p>}
        <ul class="rows" aria-labelledby="person-logins">
          {logins.map((login) => (
            <li key={login.id}>
              <div class="row-text">
                <p class="row-name">
                  {browserName(login.user_agent)}
                  {login.is_this && ` · ${t('account.thisLogin')}`}
                </p>
                <p class="soft">
                  {t('account.loggedIn', { time: formatTime(login.created_time) })} ·{' '}
                  {t('account.lastUsed', { time: formatTime(login.last_used_time) })}
                </p>
              </div>
            </li>
          ))}
        </ul>
        {isSuperuser.value && (
          <p>
            <button
              type="button"
              class="chip"
              aria-disabled={action.isBusy}
              onClick={() =>
                void action.runAction(
                  () => request('DELETE /users/{username}/logins', { path, query: { end_keys: true } }),
                  ({ ended, ended_keys: keys }) =>
                    showToast(t('person.endedEverything', { logins: ended, keys })),
                )
              }
            >
              {t('person.endEverything')}
            </button>
          </p>
        )}
        {!isOnlyThis && (
          <p>
            <button
              type="button"
              class="chip"
              aria-disabled={action.isBusy}
              onClick={() =>
                void action.runAction(
                  () => request('DELETE /users/{username}/logins', { path }),
                  ({ ended }) => showToast(t('person.loggedOut', { count: ended })),
                )
              }
            >
              {t('person.logOutEverywhere')}
            </button>
          </p>
        )}
      </div>
    </section>
  );
}
