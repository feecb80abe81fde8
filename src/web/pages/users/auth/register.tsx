import { request } from '../../../api/client.ts';
import { currentPath, navigate } from '../../../app/current-path.ts';
import { loadMe, registrationMode } from '../../../app/me.ts';
import { Field } from '../../../components/field.tsx';
import { say } from '../../../words/say.ts';
import { AuthForm, AuthNotice } from './auth-form.tsx';
import { NewPassword } from './passwords.tsx';

/** Registers an account; needs the link of an invitation unless registration is public. */
export function Register() {
  const words = say.auth;
  const code = currentPath.value.query.get('invite_code') ?? '';
  if (code === '' && registrationMode.value !== 'public') {
    return (
      <AuthNotice title={words.register}>
        <p>{words.invitedOnly}</p>
      </AuthNotice>
    );
  }
  return (
    <AuthForm
      title={words.register}
      why={words.registerWhy}
      button={words.register}
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
            label={say.username}
            error={errors.username}
            autocomplete="username"
            maxLength={30}
          />
          <Field
            name="email"
            label={words.email}
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
