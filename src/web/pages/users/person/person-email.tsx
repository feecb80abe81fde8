import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import { sendsMail } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Form } from '../../../components/form/form.tsx';
import { showToast } from '../../../components/toast.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import type { PersonState } from './person-log-in.tsx';

interface PersonEmailProps {
  readonly username: string;
  readonly state: PersonState;
}

/**
 * A new e-mail address of a person. With a mail server the person confirms it by a link; somebody who cannot log in yet, or
 * a bar without mail, cannot: there staff check the address once more. The present one is shown to its owner only.
 */
export function PersonEmail({ username, state }: PersonEmailProps) {
  const path = { username };
  const isConfirmedByLink = sendsMail.value && state.has_password;
  const asked = useSignal<string | null>(null);
  const typed = useSignal<string | null>(null);
  return (
    <section class="group" aria-labelledby="person-email">
      <h3 id="person-email">{t('account.email')}</h3>
      <div class="card group">
        <p>{state.has_email ? t('person.hasEmail') : t('person.noEmail')}</p>
        {typed.value === null ? (
          <Form
            fields={[
              {
                kind: 'text',
                name: 'email',
                label: t('account.newEmail'),
                maxLength: 254,
                hint: isConfirmedByLink ? t('person.emailByLink') : t('person.emailDirect'),
              },
            ]}
            submit={isConfirmedByLink ? t('account.changeEmail') : t('person.continue')}
            send={async (body) => {
              if (isConfirmedByLink) return request('POST /users/{username}/email', { path, body });
              typed.value = body.email;
              return { ok: true, status: 200, result: {} };
            }}
            onDone={(_reply, { email }) => {
              if (!isConfirmedByLink) return;
              asked.value = email;
              showToast(t('users.linkSent'));
            }}
          />
        ) : (
          <ConfirmAddress username={username} email={typed.value} onClose={() => (typed.value = null)} />
        )}
        <p role="status">
          {asked.value !== null && t('person.emailAsked', { address: asked.value, who: username })}
        </p>
      </div>
    </section>
  );
}

interface ConfirmAddressProps {
  readonly username: string;
  readonly email: string;
  onClose(): void;
}

function ConfirmAddress({ username, email, onClose }: ConfirmAddressProps) {
  const { runAction, error, isBusy } = useAction();
  async function save() {
    await runAction(
      () => request('PATCH /users/{username}', { path: { username }, body: { email } }),
      (reply) => {
        onClose();
        showUndoable(t('common.saved'), reply);
      },
    );
  }
  return (
    <fieldset class="group">
      <legend>{t('person.emailCheck', { who: username })}</legend>
      <p class="row-name">{email}</p>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="form-buttons">
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void save()}>
          {t('person.emailSave')}
        </button>
        <button type="button" class="chip" onClick={onClose}>
          {t('common.cancel')}
        </button>
      </div>
    </fieldset>
  );
}
