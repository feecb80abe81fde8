import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import { me, sendsMail } from '../../app/me.ts';
import { Form } from '../../components/form/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';

/** The user's own address; a new one takes effect when the mailed link is opened. */
export function OwnEmail() {
  const confirmation = useSignal<string | null>(null);
  const email = me.value?.email ?? '';
  return (
    <section class="group" aria-labelledby="own-email">
      <h3 id="own-email">{t('account.email')}</h3>
      <div class="card group">
        <p>{email === '' ? t('account.noEmail') : t('account.emailIs', { address: email })}</p>
        {!sendsMail.value && <p class="soft">{t('account.noMail')}</p>}
        {sendsMail.value && (
          <Form
            fields={[
              {
                kind: 'text',
                name: 'email',
                label: t('account.newEmail'),
                maxLength: 254,
                autocomplete: 'email',
              },
            ]}
            submit={t('account.changeEmail')}
            send={async (body) => {
              const answer = await request('POST /account/email', { body });
              confirmation.value = answer.ok ? t('account.emailAsked', { address: body.email }) : null;
              return answer;
            }}
            onDone={() => showToast(t('users.linkSent'))}
          />
        )}
        <p role="status">{confirmation.value}</p>
      </div>
    </section>
  );
}
