import { request } from '../../api/client.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { sendsMail } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

interface UserStateProps {
  readonly username: string;
  readonly units: Units;
}

/** Whether a user can log in and was last seen when; mails the activation link again while there is no password. */
export function UserState({ username, units }: UserStateProps) {
  const state = useResource('GET /users/{username}/state', { path: { username } }).result;
  if (!state) return null;
  const { has_password: hasPassword, has_email: hasEmail, last_seen_time: lastSeenTime } = state;
  const lastSeen =
    lastSeenTime === null
      ? t('users.noLogins')
      : t('users.lastSeen', { time: formatBarTime(barTime(lastSeenTime, units)) });
  return (
    <>
      <p class="soft">{hasPassword ? lastSeen : t('users.passwordPending')}</p>
      {!hasPassword && hasEmail && sendsMail.value && <ActivationButton username={username} />}
    </>
  );
}

function ActivationButton({ username }: { readonly username: string }) {
  const { runAction, error } = useAction();
  return (
    <>
      <button
        type="button"
        class="chip"
        onClick={() =>
          runAction(
            () => request('POST /users/{username}/send-activation', { path: { username } }),
            t('users.linkSent'),
          )
        }
      >
        {t('users.sendFirstLink')}
      </button>
      <ErrorMessage>{error}</ErrorMessage>
    </>
  );
}
