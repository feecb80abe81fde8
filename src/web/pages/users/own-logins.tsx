import { request } from '../../api/client.ts';
import type { Login } from '../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { browserName } from './browser-name.ts';

/** The browsers in which the user is logged in; each of the others can be logged out here. */
export function OwnLogins({ units }: { readonly units: Units }) {
  const { result, error } = useResource('GET /account/logins');
  return (
    <section class="group" aria-labelledby="own-logins">
      <h3 id="own-logins">{t('account.logins')}</h3>
      <div class="card">
        <ErrorMessage>{error}</ErrorMessage>
        <ul class="rows" aria-labelledby="own-logins">
          {result?.logins.map((login) => (
            <LoginRow key={login.id} login={login} units={units} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function LoginRow({ login, units }: { readonly login: Login; readonly units: Units }) {
  const { runAction, error } = useAction();
  const name = browserName(login.user_agent);
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{login.is_this ? `${name} · ${t('account.thisLogin')}` : name}</p>
        <p class="soft">
          {t('account.loggedIn', { time: formatTime(login.created_time) })} ·{' '}
          {t('account.lastUsed', { time: formatTime(login.last_used_time) })}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      {!login.is_this && (
        <button
          type="button"
          class="chip"
          aria-label={t('account.endLoginOf', { browser: name })}
          onClick={() =>
            runAction(
              () => request('DELETE /account/logins/{id}', { path: { id: login.id } }),
              t('account.ended'),
            )
          }
        >
          {t('account.endLogin')}
        </button>
      )}
    </li>
  );
}
