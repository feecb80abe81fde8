import { logIn } from '../../../app/me.ts';
import { knownUser, logInPrompt } from '../../../app/prompt.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form/form.tsx';
import { t } from '../../../locales/locale.ts';

/** Dialog for a user whose login has ended while something was typed: what waits is sent once the password is accepted. */
export default function LogInAgain() {
  const user = knownUser.value;
  if (user === null) return null;
  return (
    <Dialog title={t('auth.signInAgain')} onClose={() => logInPrompt.close(false)}>
      <p class="form-why">{t('auth.signInAgainWhy', { name: user.displayName })}</p>
      <Form
        fields={[
          {
            kind: 'password',
            name: 'password',
            label: t('auth.password'),
            maxLength: 1_024,
            autocomplete: 'current-password',
          },
        ]}
        submit={t('auth.logIn')}
        send={({ password }) => logIn(user.username, password)}
        onDone={() => logInPrompt.close(true)}
      />
    </Dialog>
  );
}
