import { useRoute } from 'preact-iso/router';
import { request } from '../../../api/client.ts';
import { loadMe, registrationMode } from '../../../app/me.ts';
import { useNavigate } from '../../../app/routing.ts';
import { Field } from '../../../components/form/field.tsx';
import { t } from '../../../locales/locale.ts';
import { AuthForm, AuthNotice } from './auth-form.tsx';
import { NewPassword } from './passwords.tsx';

/** Registers an account; needs the link of an invitation unless registration is public. */
export function Register() {
  const navigate = useNavigate();
  const code = useRoute().query.invite_code ?? '';
  if (code === '' && registrationMode.value !== 'public') {
    return (
      <AuthNotice title={t('auth.register')}>
        <p>{t('auth.invitedOnly')}</p>
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      title={t('auth.register')}
      why={t('auth.registerWhy')}
      button={t('auth.register')}
      send={(text) =>
        request('POST /auth/register', {
          body: {
            username: text('username').trim(),
            email: text('email').trim(),
            password: text('new_password'),
            ...(code === '' ? {} : { invite_code: code }),
          },
        })
      }
      onDone={async () => {
        await loadMe();
        navigate('/');
      }}
      fields={(errors) => (
        <>
          <Field
            name="username"
            label={t('auth.username')}
            error={errors.username}
            autocomplete="username"
            maxLength={30}
          />
          <Field
            name="email"
            label={t('auth.email')}
            error={errors.email}
            type="email"
            autocomplete="email"
            maxLength={254}
          />
          <NewPassword error={errors.password} />
        </>
      )}
    />
  );
}
