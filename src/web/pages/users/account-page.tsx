import { requestWithPin } from '../../api/request-with-pin.ts';
import { canInvite, isStaff, logOut, me } from '../../app/me.ts';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';
import { ApiKeys } from './api-keys.tsx';
import { Invitations } from './invitations.tsx';
import { OwnEmail } from './own-email.tsx';
import { OwnLogins } from './own-logins.tsx';
import { OwnPicture } from './own-picture.tsx';
import { SharedTablets } from './shared-tablets.tsx';

const passwordFields: readonly FieldSpec[] = [
  {
    kind: 'password',
    name: 'current_password',
    label: words.currentPassword,
    maxLength: 1024,
    autocomplete: 'current-password',
  },
  {
    kind: 'password',
    name: 'new_password',
    label: words.newPassword,
    minLength: 8,
    maxLength: 1024,
    autocomplete: 'new-password',
  },
];

/** The user's own account: password, notifications, address, picture, invitations, API keys, logins, log-out. */
export function AccountPage({ snapshot }: PageProps) {
  return (
    <Page title={me.value?.display_name || words.account} requiredRole="members">
      <div class="two">
        <div class="stack">
          <section class="group" aria-labelledby="own-password">
            <h3 id="own-password">{words.password}</h3>
            <div class="card">
              <Form
                fields={passwordFields}
                submit={words.changePassword}
                send={(values) => requestWithPin('POST', '/account/password', values)}
                onDone={() => showToast(words.passwordChanged)}
              />
            </div>
          </section>
          <OwnEmail />
        </div>
        <div class="stack">
          <NotificationForm />
          <OwnPicture />
        </div>
      </div>
      {canInvite.value && !isStaff.value && <Invitations units={snapshot} />}
      <ApiKeys units={snapshot} />
      {isStaff.value && <SharedTablets units={snapshot} />}
      <OwnLogins units={snapshot} />
      <p>
        <button type="button" class="chip" onClick={() => void logOut()}>
          {words.logOut}
        </button>
      </p>
    </Page>
  );
}

const staffOnly = new Set(['too_warm', 'controller_silent', 'system_problem']);

type NotificationSettings = Readonly<Record<string, unknown>> & { readonly id: number };

/** Chooses which notifications the user gets by mail. */
function NotificationForm() {
  const { result } = useResource<{ readonly notification_settings: readonly NotificationSettings[] }>(
    '/notification-settings',
  );
  const settings = result?.notification_settings[0];
  const choices = Object.entries(words.notifications).filter(
    ([kind]) => isStaff.value || !staffOnly.has(kind),
  );
  const fields: readonly FieldSpec[] = choices.map(([name, label]) => ({
    kind: 'flag',
    name,
    label,
    value: settings?.[name] === true,
  }));
  return (
    <section class="group" aria-labelledby="own-notifications">
      <h3 id="own-notifications">{words.notificationsTitle}</h3>
      <div class="card">
        {result && (
          <Form
            key={JSON.stringify(settings ?? null)}
            fields={fields}
            submit={words.save}
            send={(values) =>
              settings
                ? requestWithPin('PATCH', `/notification-settings/${settings.id}`, values)
                : requestWithPin('POST', '/notification-settings', values)
            }
            onDone={() => showToast(words.notificationsSaved)}
          />
        )}
      </div>
    </section>
  );
}
