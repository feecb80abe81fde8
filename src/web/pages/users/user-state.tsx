import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { sendsMail } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/account.ts';

interface AccountState {
  readonly has_password: boolean;
  readonly has_email: boolean;
  readonly last_seen_time: string | null;
}

interface UserStateProps {
  /** Path of the account below `/api`. */
  readonly path: string;
  readonly units: Units;
}

/** Whether a user can log in and was last seen when; mails the activation link again while there is no password. */
export function UserState({ path, units }: UserStateProps) {
  const state = useResource<AccountState>(`${path}/state`).result;
  if (!state) return null;
  const { has_password: hasPassword, has_email: hasEmail, last_seen_time: lastSeenTime } = state;
  const lastSeen =
    lastSeenTime === null ? words.noLogins : words.lastSeen(formatBarTime(barTime(lastSeenTime, units)));
  return (
    <>
      <p class="soft">{hasPassword ? lastSeen : words.passwordPending}</p>
      {!hasPassword && hasEmail && sendsMail.value && <ActivationButton path={path} />}
    </>
  );
}

function ActivationButton({ path }: { readonly path: string }) {
  const { runAction, error } = useAction();
  const action = { method: 'POST', path: `${path}/send-activation`, successMessage: words.linkSent } as const;
  return (
    <>
      <button type="button" class="chip" onClick={() => void runAction(action)}>
        {words.sendFirstLink}
      </button>
      <ErrorMessage>{error}</ErrorMessage>
    </>
  );
}
