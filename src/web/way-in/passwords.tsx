import { useSignal } from '@preact/signals';
import { request } from '../api/client.ts';
import { navigate, toHref } from '../current-path.ts';
import type { DisplayText } from '../error-text.ts';
import { Field } from '../field.tsx';
import { loadMe } from '../me.ts';
import { say } from '../words/say.ts';
import { LetterForm, Said } from './letter-form.tsx';
import { resetProof } from './ways-in.ts';

/** The line for a password that is being chosen. */
export function NewPassword({ fault }: { readonly fault: DisplayText | undefined }) {
  return (
    <Field
      name="new_password"
      label={say.setUp.newPassword}
      fault={fault}
      type="password"
      autocomplete="new-password"
      minLength={8}
      maxLength={1024}
    />
  );
}

/** Asking for a mail, because the password is forgotten. */
export function Forgotten() {
  const words = say.wayIn;
  const isSent = useSignal(false);
  if (isSent.value) {
    return (
      <Said title={words.forgottenTitle}>
        <p>{words.forgottenSent}</p>
      </Said>
    );
  }
  return (
    <LetterForm
      title={words.forgottenTitle}
      why={words.forgottenWhy}
      button={words.sendLink}
      send={(text) => request('POST /auth/password-reset', { body: { email: text('email').trim() } })}
      onDone={() => {
        isSent.value = true;
      }}
      lines={(faults) => (
        <Field
          name="email"
          label={words.email}
          fault={faults.email}
          type="email"
          autocomplete="email"
          maxLength={254}
        />
      )}
    />
  );
}

/** Choosing another password by the link of that mail. */
export function Reset({ secret }: { readonly secret: string }) {
  const words = say.wayIn;
  const isSet = useSignal(false);
  if (isSet.value) {
    return (
      <Said title={words.resetTitle}>
        <p>{words.resetDone}</p>
        <p>
          <a href={toHref('/log-in')}>{say.logIn}</a>
        </p>
      </Said>
    );
  }
  return (
    <LetterForm
      title={words.resetTitle}
      why={words.resetWhy}
      button={words.choose}
      send={(text) =>
        request('POST /auth/password-reset-confirm', {
          body: { ...resetProof(secret), new_password: text('new_password') },
        })
      }
      onDone={async () => {
        await loadMe();
        isSet.value = true;
      }}
      lines={(faults) => <NewPassword fault={faults.new_password} />}
    />
  );
}

/** Choosing the first password of an account that staff have made. */
export function Activate({ secret }: { readonly secret: string }) {
  const words = say.wayIn;
  return (
    <LetterForm
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
      lines={(faults) => <NewPassword fault={faults.password} />}
    />
  );
}
