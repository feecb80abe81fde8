import { request } from '../../api/client.ts';
import { loadMe } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';

/** Thousands of drinks lose their drinker in small steps before the answer. */
const timeoutMs = 60_000;

/** Erases the user's own account after a warning, with the password. */
export function EraseOwnAccount() {
  return (
    <details class="group">
      <summary>{t('account.erase')}</summary>
      <div class="card group">
        <p>{t('account.eraseWarning')}</p>
        <Form
          fields={[
            {
              kind: 'password',
              name: 'current_password',
              label: t('account.currentPassword'),
              maxLength: 1024,
              autocomplete: 'current-password',
            },
          ]}
          submit={t('account.eraseForGood')}
          send={(body) => request('POST /users/me/erase', { body }, { timeoutMs })}
          onDone={() => {
            showToast(t('account.erased'));
            void loadMe();
          }}
        />
      </div>
    </details>
  );
}

/** Erases another user after a warning; for superusers. */
export function EraseUser({ username, onDone }: { readonly username: string; onDone(): void }) {
  const { runAction, error } = useAction();
  return (
    <details class="group">
      <summary>{t('users.erase')}</summary>
      <p>{t('users.eraseWarning', { who: username })}</p>
      <ErrorMessage>{error}</ErrorMessage>
      <button
        type="button"
        class="chip"
        onClick={async () => {
          const answer = await runAction(
            () => request('POST /users/{username}/erase', { path: { username } }, { timeoutMs }),
            t('users.erased', { who: username }),
          );
          if (answer?.ok) onDone();
        }}
      >
        {t('account.eraseForGood')}
      </button>
    </details>
  );
}
