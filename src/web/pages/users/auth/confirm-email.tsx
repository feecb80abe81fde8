import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import { loadMe, me } from '../../../app/me.ts';
import { t } from '../../../locales/locale.ts';
import { AuthForm, AuthNotice } from './auth-form.tsx';
import { LogInPage } from './log-in-page.tsx';

/**
 * Confirms a new e-mail address by the link sent to it. Requires a login, so that only the account's owner
 * can do it.
 */
export function ConfirmEmail({ secret }: { readonly secret: string }) {
  const confirmedEmail = useSignal<string | null>(null);
  if (confirmedEmail.value !== null) {
    return (
      <AuthNotice title={t('auth.confirmTitle')}>
        <p>{t('auth.confirmed', { email: confirmedEmail.value })}</p>
      </AuthNotice>
    );
  }
  // After the login the path stays the same, so this page shows its form.
  if (me.value === null) return <LogInPage why={t('auth.confirmLogIn')} onDone={() => {}} />;
  return (
    <AuthForm
      title={t('auth.confirmTitle')}
      why={t('auth.confirmWhy', { username: me.value.username })}
      button={t('auth.confirm')}
      send={() => request('POST /account/confirm-email', { body: { token: secret } })}
      onDone={async () => {
        await loadMe();
        confirmedEmail.value = me.value?.email ?? '';
      }}
    />
  );
}
