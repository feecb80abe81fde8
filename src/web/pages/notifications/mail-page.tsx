import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import { isSuperuser, loadMe, me } from '../../app/me.ts';
import { focusField } from '../../components/focus-field.ts';
import type { FieldSpec } from '../../components/form/field-spec.ts';
import { Form } from '../../components/form/form.tsx';
import { listFieldLabels } from '../../components/form/schema-fields.ts';
import { SettingsForm } from '../../components/form/settings-form.tsx';
import { OutboxList } from '../../components/outbox-list.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';
import { Alarms } from './alarms.tsx';

/** Mail server settings, test mail, alarm thresholds and the mail outbox. */
export function MailPage({ snapshot }: PageProps) {
  return (
    <Page title={t('mail.title')} requiredRole="staff">
      <div class="two">
        <MailServer />
        <div class="stack">
          <TestMail />
          <Alarms units={snapshot} />
        </div>
      </div>
      <OutboxList
        title={t('outbox.mails')}
        kind="mail"
        units={snapshot}
        emptyAction={{ label: t('mail.writeTest'), onAct: () => focusField('test-mail') }}
      />
    </Page>
  );
}

/** Mail server settings, for superusers; the password can be set and is never shown. */
function MailServer() {
  return (
    <section class="group" aria-labelledby="mail-server">
      <h3 id="mail-server">{t('mail.server')}</h3>
      {isSuperuser.value ? <MailServerForm /> : <p class="soft">{t('auth.superusersOnly')}</p>}
    </section>
  );
}

function MailServerForm() {
  return (
    <SettingsForm
      path="/admin/mail"
      resultKey="mail"
      fieldLabels={listFieldLabels('notifications.labels', 'notifications.choices')}
      toField={({ name }, { has_password: isSet }) =>
        name === 'password' ? passwordField(isSet === true) : null
      }
      onSaved={() => void loadMe()}
    />
  );
}

const passwordField = (isSet: boolean): FieldSpec => ({
  kind: 'password',
  name: 'password',
  label: isSet ? t('mail.otherPassword') : t('mail.password'),
  maxLength: 1024,
  autocomplete: 'new-password',
  optional: 'omit',
});

/** The daemon waits up to 20 s for the mail server. */
const timeoutMs = 30_000;

/** Sends a test mail at once and shows the result. */
function TestMail() {
  const confirmation = useSignal<string | null>(null);
  return (
    <section class="group" aria-labelledby="test-mail">
      <h3 id="test-mail">{t('mail.test')}</h3>
      <div class="card group">
        <p class="soft">{t('mail.testWhy')}</p>
        <Form
          fields={[
            {
              kind: 'text',
              name: 'address',
              label: t('mail.testTo'),
              value: me.value?.email ?? '',
              maxLength: 254,
              autocomplete: 'email',
            },
          ]}
          submit={t('mail.testSend')}
          send={async (body) => {
            confirmation.value = null;
            const answer = await request('POST /admin/email-test', { body }, { timeoutMs });
            if (answer.ok) confirmation.value = t('mail.testAccepted', { address: body.address });
            return answer;
          }}
          onDone={() => showToast(t('mail.tested'))}
        />
        <p role="status">{confirmation.value}</p>
      </div>
    </section>
  );
}
