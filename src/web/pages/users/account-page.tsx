import { request } from '../../api/client.ts';
import type { NotificationSettings } from '../../api/generated.ts';
import { shownAlarmKinds } from '../../app/alarm-kinds.ts';
import { canInvite, isStaff, logOut, me } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import type { FieldSpec } from '../../components/form/field-spec.ts';
import { Form } from '../../components/form/form.tsx';
import { newPassword } from '../../components/form/new-password.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { showToast } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { findText, t } from '../../locales/locale.ts';
import { ApiKeys } from './api-keys.tsx';
import { EraseOwnAccount } from './erase-account.tsx';
import { Invitations } from './invitations.tsx';
import { LoginHistory } from './login-history.tsx';
import { OwnDetails } from './own-details.tsx';
import { OwnEmail } from './own-email.tsx';
import { OwnLogins } from './own-logins.tsx';
import { OwnPicture } from './own-picture.tsx';
import { SharedTablets } from './shared-tablets.tsx';

const passwordFields = () =>
  [
    {
      kind: 'password',
      name: 'current_password',
      label: t('account.currentPassword'),
      maxLength: 1024,
      autocomplete: 'current-password',
    },
    {
      kind: 'password',
      name: 'new_password',
      label: t('users.newPassword'),
      ...newPassword(),
    },
    { kind: 'flag', name: 'end_keys', label: t('account.endKeys') },
  ] as const satisfies readonly FieldSpec[];

/** The user's own account: password, notifications, address, picture, invitations, API keys, logins, log-out. */
export function AccountPage({ snapshot }: PageProps) {
  return (
    <Page title={me.value?.display_name || t('account.title')} requiredRole="members">
      <div class="two">
        <div class="stack">
          <section class="group" aria-labelledby="own-password">
            <h3 id="own-password">{t('account.password')}</h3>
            <div class="card">
              <Form
                fields={passwordFields()}
                submit={t('account.changePassword')}
                send={(body) => request('POST /account/password', { body })}
                onDone={() => showToast(t('account.passwordChanged'))}
              />
              <p class="soft">{t('account.endKeysHint')}</p>
            </div>
          </section>
          <OwnDetails />
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
      <LoginHistory units={snapshot} />
      <p>
        <button type="button" class="chip" onClick={() => void logOut()}>
          {t('account.logOut')}
        </button>
      </p>
      <p>
        <a class="chip" href={toHref('/api/users/me/export')} download="tapster-my-data.json">
          {t('account.export')}
        </a>
      </p>
      <EraseOwnAccount />
    </Page>
  );
}

/** The notifications about events, in the order of the form. Those about alarms follow. */
const notifications = [
  'keg_tapped',
  'session_started',
  'keg_volume_low',
  'keg_ended',
] as const satisfies readonly (keyof NotificationSettings)[];

/** Chooses which notifications the user gets by mail. */
function NotificationForm() {
  const { result } = useResource('GET /notification-settings');
  const settings = result?.notification_settings[0];
  const wanted = settings as Readonly<Record<string, unknown>> | undefined;
  const fields = [...notifications, ...(isStaff.value ? shownAlarmKinds() : [])].map((name) => ({
    kind: 'flag' as const,
    name,
    label: findText('account.notifications', name) ?? findText('alarms.kinds', name) ?? name,
    value: wanted?.[name] === true,
  }));
  return (
    <section class="group" aria-labelledby="own-notifications">
      <h3 id="own-notifications">{t('account.notificationsTitle')}</h3>
      <div class="card">
        {result && (
          <Form
            fields={fields}
            submit={t('common.save')}
            isEdit
            send={(body, { changes }) =>
              settings
                ? request('PATCH /notification-settings/{id}', { path: { id: settings.id }, body: changes })
                : request('POST /notification-settings', { body })
            }
            onDone={() => showToast(t('account.notificationsSaved'))}
          />
        )}
      </div>
    </section>
  );
}
