import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { loadMe } from '../../../app/me.ts';
import { toHref, useNavigate } from '../../../app/routing.ts';
import { Field } from '../../../components/form/field.tsx';
import { FlagField } from '../../../components/form/form-fields.tsx';
import { newPassword } from '../../../components/form/new-password.ts';
import { t } from '../../../locales/locale.ts';
import { AuthForm, AuthNotice } from './auth-form.tsx';

/** Field for a new password. */
export function NewPassword({ error }: { readonly error: DisplayText | undefined }) {
  return (
    <Field
      name="new_password"
      label={t('setUp.newPassword')}
      error={error}
      type="password"
      {...newPassword()}
    />
  );
}

/** Requests an e-mail with a password reset link. */
export function ForgottenPassword() {
  const isSent = useSignal(false);
  if (isSent.value) {
    return (
      <AuthNotice title={t('auth.forgottenTitle')}>
        <p>{t('auth.forgottenSent')}</p>
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      title={t('auth.forgottenTitle')}
      why={t('auth.forgottenWhy')}
      button={t('auth.sendLink')}
      send={(text) => request('POST /auth/password-reset', { body: { email: text('email').trim() } })}
      onDone={() => {
        isSent.value = true;
      }}
      fields={(errors) => (
        <Field
          name="email"
          label={t('auth.email')}
          error={errors.email}
          type="email"
          autocomplete="email"
          maxLength={254}
        />
      )}
    />
  );
}

/** Sets a new password by the link of that e-mail. */
export function ResetPassword({ secret }: { readonly secret: string }) {
  const isSet = useSignal(false);
  if (isSet.value) {
    return (
      <AuthNotice title={t('auth.resetTitle')}>
        <p>{t('auth.resetDone')}</p>
        <p>
          <a href={toHref('/log-in')}>{t('auth.logIn')}</a>
        </p>
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      title={t('auth.resetTitle')}
      why={t('auth.resetWhy')}
      button={t('auth.choose')}
      send={(text) =>
        request('POST /auth/password-reset-confirm', {
          body: {
            ...parseResetSecret(secret),
            new_password: text('new_password'),
            end_keys: text('end_keys') === 'on',
          },
        })
      }
      onDone={async () => {
        await loadMe();
        isSet.value = true;
      }}
      fields={(errors) => (
        <>
          <NewPassword error={errors.new_password} />
          <FlagField name="end_keys" label={t('account.endKeys')} value={false} />
          <p class="soft">{t('account.endKeysHint')}</p>
        </>
      )}
    />
  );
}

/** Splits the secret of a reset link into user id and token. */
function parseResetSecret(secret: string): { readonly uid: string; readonly token: string } {
  const hyphen = secret.indexOf('-');
  return { uid: secret.slice(0, Math.max(hyphen, 0)), token: secret.slice(hyphen + 1) };
}

/** Sets the first password of an account that staff created. */
export function ActivateAccount({ secret }: { readonly secret: string }) {
  const navigate = useNavigate();
  return (
    <AuthForm
      title={t('auth.activateTitle')}
      why={t('auth.activateWhy')}
      button={t('auth.choose')}
      send={(text) =>
        request('POST /account/activate', {
          body: { activation_key: secret, password: text('new_password') },
        })
      }
      onDone={async () => {
        await loadMe();
        navigate('/');
      }}
      fields={(errors) => <NewPassword error={errors.password} />}
    />
  );
}
