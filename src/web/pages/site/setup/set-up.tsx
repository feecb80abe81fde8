import { useSignal } from '@preact/signals';
import type { Answer } from '../../../api/client.ts';
import { request } from '../../../api/client.ts';
import type { Site } from '../../../api/generated.ts';
import { LanguageSwitch } from '../../../app/frame/language-switch.tsx';
import { loadMe } from '../../../app/me.ts';
import { lazyComponent, useNavigate } from '../../../app/routing.ts';
import { Field } from '../../../components/form/field.tsx';
import { newPassword } from '../../../components/form/new-password.ts';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { useRequiredHttps } from '../https/https-data.ts';
import { HttpsNeeded } from '../https/https-needed.tsx';
import { SetUpDefaults } from './set-up-defaults.tsx';
import '../../../styles/shared/dialog.css';
import '../../../styles/site/set-up.css';

const Restore = lazyComponent(() => import('./restore.tsx').then((module) => module.Restore));

/** Set-up on the first start: a new site, or one restored from its backup. */
export function SetUp() {
  const isRestoring = useSignal(false);
  const { https } = useRequiredHttps();
  if (https !== null)
    return (
      <main class="bar">
        <div class="card-form">
          <HttpsNeeded https={https} />
        </div>
      </main>
    );
  return (
    <main class="bar">
      {isRestoring.value ? (
        <Restore onBack={() => (isRestoring.value = false)} />
      ) : (
        <NewSite onRestore={() => (isRestoring.value = true)} />
      )}
    </main>
  );
}

/** Form for the code, the bar's name and the first account, and for settings that have a default. */
function NewSite({ onRestore }: { onRestore(): void }) {
  const navigate = useNavigate();
  const { result: status } = useResource('GET /setup/status');
  const busy = useSignal(false);
  const refusal = useSignal<Answer<unknown> | null>(null);
  const fields = refusal.value && !refusal.value.ok ? refusal.value.fields : {};

  async function send(event: SubmitEvent) {
    event.preventDefault();
    if (busy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    busy.value = true;
    refusal.value = await setUp(new FormData(event.currentTarget));
    busy.value = false;
    if (!refusal.value.ok) return;
    await loadMe();
    navigate('/');
  }

  return (
    <form class="card-form set-up" onSubmit={send}>
      <h2>{t('setUp.title')}</h2>
      <p>{t('setUp.why')}</p>
      <LanguageSwitch />
      <Field
        name="code"
        label={t('setUp.code')}
        hint={t('setUp.codeHint')}
        error={fields.code}
        autocomplete="off"
        maxLength={64}
      />
      <Field
        name="title"
        label={t('setUp.siteName')}
        error={fields.title}
        autocomplete="organization"
        maxLength={64}
      />
      <fieldset class="set-up-fields">
        <legend>{t('setUp.account')}</legend>
        <Field
          name="username"
          label={t('auth.username')}
          error={fields.username}
          autocomplete="username"
          maxLength={30}
        />
        <Field
          name="password"
          label={t('setUp.newPassword')}
          error={fields.password}
          type="password"
          {...newPassword()}
        />
        <Field
          name="email"
          label={t('setUp.email')}
          hint={t('setUp.emailHint')}
          error={fields.email}
          type="email"
          autocomplete="email"
          maxLength={254}
          required={false}
        />
      </fieldset>
      <SetUpDefaults />
      {status?.can_check_updates && (
        <div>
          <label class="flag">
            <input type="checkbox" name="updates_check" />
            <span>{t('site.labels.updates_check')}</span>
          </label>
          <p class="soft">{t('updates.privacy')}</p>
        </div>
      )}
      <p class="refusal" role="alert">
        {refusal.value && !refusal.value.ok ? refusal.value.sentence : null}
      </p>
      <button type="submit" class="button" aria-disabled={busy.value}>
        {t('setUp.open')}
      </button>
      <p>{t('setUp.haveBackup')}</p>
      <button type="button" class="chip" onClick={onRestore}>
        {t('setUp.restore')}
      </button>
    </form>
  );
}

/** Sends the three set-up steps in order and stops at the first error. All steps can be repeated. */
async function setUp(form: FormData): Promise<Answer<unknown>> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const code = text('code');
  const settings = await request('POST /setup/settings', {
    body: {
      code,
      title: text('title'),
      privacy: text('privacy') as Site['privacy'],
      registration_mode: text('registration_mode') as Site['registration_mode'],
      volume_display_units: text('volume_display_units') as Site['volume_display_units'],
      temperature_display_units: text('temperature_display_units') as Site['temperature_display_units'],
      currency: text('currency'),
      locale: text('locale'),
      timezone: text('timezone'),
      ...(form.has('updates_check') && { updates_check: true }),
    },
  });
  if (!settings.ok) return settings;
  const admin = await request('POST /setup/admin-user', {
    body: {
      code,
      username: text('username'),
      password: String(form.get('password') ?? ''),
      email: text('email'),
    },
  });
  if (!admin.ok) return admin;
  return request('POST /setup/finish', { body: { code } });
}
