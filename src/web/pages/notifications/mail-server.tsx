import { loadMe } from '../../app/me.ts';
import type { FieldSpec } from '../../components/form.tsx';
import { SettingsForm } from '../../components/settings-form.tsx';
import { words } from '../../words/notifications.ts';

/** Mail server settings; the password can be set and is never shown. */
export function MailServer() {
  return (
    <section class="group" aria-labelledby="mail-server">
      <h3 id="mail-server">{words.server}</h3>
      <SettingsForm
        path="/admin/mail"
        resultKey="mail"
        words={words}
        toField={({ name }, { has_password: isSet }) =>
          name === 'password' ? passwordField(isSet === true) : null
        }
        onSaved={() => void loadMe()}
      />
    </section>
  );
}

const passwordField = (isSet: boolean): FieldSpec => ({
  kind: 'password',
  name: 'password',
  label: isSet ? words.otherPassword : words.password,
  maxLength: 1024,
  autocomplete: 'new-password',
  optional: 'omit',
});
