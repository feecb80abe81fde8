import { useSignal } from '@preact/signals';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { me, sendsMail } from '../../app/me.ts';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { words } from '../../words/account.ts';

/** The user's own address; a new one takes effect when the mailed link is opened. */
export function OwnEmail() {
  const confirmation = useSignal<string | null>(null);
  const email = me.value?.email ?? '';
  return (
    <section class="group" aria-labelledby="own-email">
      <h3 id="own-email">{words.email}</h3>
      <div class="card group">
        <p>{email === '' ? words.noEmail : words.emailIs(email)}</p>
        {!sendsMail.value && <p class="soft">{words.noMail}</p>}
        {sendsMail.value && (
          <Form
            fields={[
              { kind: 'text', name: 'email', label: words.newEmail, maxLength: 254, autocomplete: 'email' },
            ]}
            submit={words.changeEmail}
            send={async (values) => {
              const answer = await requestWithPin('POST', '/account/email', values);
              confirmation.value = answer.ok ? words.emailAsked(String(values.email)) : null;
              return answer;
            }}
            onDone={() => showToast(words.linkSent)}
          />
        )}
        <p role="status">{confirmation.value}</p>
      </div>
    </section>
  );
}
