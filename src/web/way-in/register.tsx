import { request } from '../api/client.ts';
import { currentPath, navigate } from '../current-path.ts';
import { Field } from '../field.tsx';
import { loadMe, registrationMode } from '../me.ts';
import { say } from '../words/say.ts';
import { LetterForm, Said } from './letter-form.tsx';
import { NewPassword } from './passwords.tsx';

/** Making an account of one’s own, by the link of an invitation where the house asks for one. */
export function Register() {
  const words = say.wayIn;
  const code = currentPath.value.query.get('invite_code') ?? '';
  if (code === '' && registrationMode.value !== 'public') {
    return (
      <Said title={words.register}>
        <p>{words.invitedOnly}</p>
      </Said>
    );
  }
  return (
    <LetterForm
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
      lines={(faults) => (
        <>
          <Field
            name="username"
            label={say.username}
            fault={faults.username}
            autocomplete="username"
            maxLength={30}
          />
          <Field
            name="email"
            label={words.email}
            fault={faults.email}
            type="email"
            autocomplete="email"
            maxLength={254}
          />
          <NewPassword fault={faults.password} />
        </>
      )}
    />
  );
}
