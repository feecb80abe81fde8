import { request } from '../../../api/client.ts';
import { passwordPrompt } from '../../../app/prompt.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form/form.tsx';
import { t } from '../../../locales/locale.ts';

/** Dialog that asks for the user's password again, for settings that decide where secrets go. */
export default function PasswordDialog() {
  return (
    <Dialog title={t('auth.passwordAgain')} onClose={() => passwordPrompt.close(false)}>
      <p class="form-why">{t('auth.passwordAgainWhy')}</p>
      <Form
        fields={[
          {
            kind: 'password',
            name: 'current_password',
            label: t('auth.password'),
            maxLength: 2_048,
            autocomplete: 'current-password',
          },
        ]}
        submit={t('auth.passwordAgainSend')}
        send={(body) => request('POST /auth/confirm-password', { body })}
        onDone={() => passwordPrompt.close(true)}
      />
    </Dialog>
  );
}
