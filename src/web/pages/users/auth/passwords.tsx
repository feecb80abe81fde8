import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import { navigate, toHref } from '../../../app/current-path.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { loadMe } from '../../../app/me.ts';
import { Field } from '../../../components/field.tsx';
import { say } from '../../../words/say.ts';
import { AuthForm, AuthNotice } from './auth-form.tsx';
import { parseResetSecret } from './auth-routes.ts';

/** Field for a new password. */
export function NewPassword({ error }: { readonly error: DisplayText | undefined }) {
  return (
    <Field
      name="new_password"
      label={say.setUp.newPassword}
      error={error}
      type="password"
      autocomplete="new-password"
      minLength={8}
      maxLength={1024}
    />
  );
}

/** Requests an e-mail with a password reset link. */
export function ForgottenPassword() {
  const words = say.auth;
  const isSent = useSignal(false);
  if (isSent.value) {
    return (
      <AuthNotice title={words.forgottenTitle}>
        <p>{words.forgottenSent}</p>
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      title={words.forgottenTitle}
      why={words.forgottenWhy}
      button={words.sendLink}
      send={(text) => request('POST /auth/password-reset', { body: { email: text('email').trim() } })}
      onDone={() => {
        isSent.value = true;
      }}
      fields={(errors) => (
        <Field
          name="email"
          label={words.email}
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
  const words = say.auth;
  const isSet = useSignal(false);
  if (isSet.value) {
    return (
      <AuthNotice title={words.resetTitle}>
        <p>{words.resetDone}</p>
        <p>
          <a href={toHref('/log-in')}>{say.logIn}</a>
        </p>
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      title={words.resetTitle}
      why={words.resetWhy}
      button={words.choose}
      send={(text) =>
        request('POST /auth/password-reset-confirm', {
          body: { ...parseResetSecret(secret), new_password: text('new_password') },
        })
      }
      onDone={async () => {
        await loadMe();
        isSet.value = true;
      }}
      fields={(errors) => <NewPassword error={errors.new_password} />}
    />
  );
}

/** Sets the first password of an account that staff created. */
export function ActivateAccount({ secret }: { readonly secret: string }) {
  const words = say.auth;
  return (
    <AuthForm
      title={words.activateTitle}
      why={words.activateWhy}
      button={words.choose}
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
