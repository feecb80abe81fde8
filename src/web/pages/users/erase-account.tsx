import { request } from '../../api/client.ts';
import { loadMe } from '../../app/me.ts';
import { Form } from '../../components/form/form.tsx';
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
