import { type Result, request } from '../../../api/client.ts';
import type { User } from '../../../api/generated.ts';
import type { Units } from '../../../app/format.ts';
import { me } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Form } from '../../../components/form/form.tsx';
import { newPassword } from '../../../components/form/new-password.ts';
import { showToast } from '../../../components/toast.tsx';
import { t } from '../../../locales/locale.ts';
import { UserState } from '../user-state.tsx';
import { roleOf } from './roles.ts';

export type PersonState = Result<'GET /users/{username}/state'>;

interface PersonLogInProps {
  readonly user: User;
  readonly state: PersonState;
  readonly units: Units;
}

/** Password and PIN of a person: invites again, sets a password, resets the PIN. */
export function PersonLogIn({ user, state, units }: PersonLogInProps) {
  const { username } = user;
  const isOwn = me.value?.username === username;
  return (
    <section class="group" aria-labelledby="person-log-in">
      <h3 id="person-log-in">{t('person.logIn')}</h3>
      <div class="card group">
        <UserState username={username} units={units} />
        {isOwn ? (
          <p class="soft">{t('daemon.refusals.own_password')}</p>
        ) : (
          <PersonPassword username={username} />
        )}
        {(roleOf(user) !== 'member' || state.has_pin) && <PersonPin username={username} state={state} />}
      </div>
    </section>
  );
}

/** Sets a password for somebody who cannot receive mail. */
function PersonPassword({ username }: { readonly username: string }) {
  return (
    <>
      <Form
        fields={[
          {
            kind: 'password',
            name: 'password',
            label: t('users.newPassword'),
            ...newPassword(),
          },
        ]}
        submit={t('users.setPassword')}
        send={(body) => request('POST /users/{username}/set-password', { path: { username }, body })}
        onDone={() => showToast(t('users.passwordSet'))}
      />
      <p class="soft">{t('person.passwordEnds')}</p>
    </>
  );
}

/** The PIN itself is stored as a hash; its owner chooses another one. */
function PersonPin({ username, state }: { readonly username: string; readonly state: PersonState }) {
  const { runAction, error, isBusy } = useAction();
  return (
    <>
      <p>
        {state.has_pin ? t('person.hasPin') : t('person.noPin')}
        {state.is_pin_locked && <strong class="refusal"> {t('person.pinLocked')}</strong>}
      </p>
      {state.has_pin && (
        <p>
          <button
            type="button"
            class="chip"
            aria-disabled={isBusy}
            onClick={() =>
              void runAction(
                () => request('DELETE /users/{username}/pin', { path: { username } }),
                t('person.pinReset', { who: username }),
              )
            }
          >
            {t('person.resetPin')}
          </button>
        </p>
      )}
      <ErrorMessage>{error}</ErrorMessage>
    </>
  );
}
