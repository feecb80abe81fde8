import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/account.ts';
import { browserName } from './browser-name.ts';

interface Login {
  readonly id: number;
  readonly user_agent: string;
  readonly is_this: boolean;
  readonly created_time: string;
  readonly last_used_time: string;
}

/** The browsers in which the user is logged in; each of the others can be logged out here. */
export function OwnLogins({ units }: { readonly units: Units }) {
  const { result, error } = useResource<{ readonly logins: readonly Login[] }>('/account/logins');
  return (
    <section class="group" aria-labelledby="own-logins">
      <h3 id="own-logins">{words.logins}</h3>
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
      <div class="row-words">
        <p class="row-name">{login.is_this ? `${name} · ${words.thisLogin}` : name}</p>
        <p class="soft">
          {words.loggedIn(formatTime(login.created_time))} ·{' '}
          {words.lastUsed(formatTime(login.last_used_time))}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      {!login.is_this && (
        <button
          type="button"
          class="chip"
          aria-label={words.endLoginOf(name)}
          onClick={() =>
            runAction({ method: 'DELETE', path: `/account/logins/${login.id}`, successMessage: words.ended })
          }
        >
          {words.endLogin}
        </button>
      )}
    </li>
  );
}
