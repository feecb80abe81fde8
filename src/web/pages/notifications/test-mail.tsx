import { useSignal } from '@preact/signals';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { me } from '../../app/me.ts';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { words } from '../../words/notifications.ts';

/** The daemon waits up to 20 s for the mail server. */
const timeoutMs = 30_000;

/** Sends a test mail at once and shows the result. */
export function TestMail() {
  const confirmation = useSignal<string | null>(null);
  return (
    <section class="group" aria-labelledby="test-mail">
      <h3 id="test-mail">{words.test}</h3>
      <div class="card group">
        <p class="soft">{words.testWhy}</p>
        <Form
          fields={[
            {
              kind: 'text',
              name: 'address',
              label: words.testTo,
              value: me.value?.email ?? '',
              maxLength: 254,
              autocomplete: 'email',
            },
          ]}
          submit={words.testSend}
          send={async (values) => {
            confirmation.value = null;
            const answer = await requestWithPin('POST', '/admin/email-test', values, timeoutMs);
            if (answer.ok) confirmation.value = words.testAccepted(String(values.address));
            return answer;
          }}
          onDone={() => showToast(words.tested)}
        />
        <p role="status">{confirmation.value}</p>
      </div>
    </section>
  );
}
