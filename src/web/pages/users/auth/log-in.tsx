import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { DisplayText } from '../../../app/error-text.ts';
import { logIn } from '../../../app/me.ts';
import { t } from '../../../locales/locale.ts';
import { useRequiredHttps } from '../../site/https/https-data.ts';
import { HttpsNeeded } from '../../site/https/https-needed.tsx';

/** Login form; `why` explains what the login is needed for. */
export function LogIn({ why, onDone }: { readonly why?: string | undefined; readonly onDone?: () => void }) {
  const { https, isLoading } = useRequiredHttps();
  const id = useId();
  const busy = useSignal(false);
  const refusal = useSignal<DisplayText | null>(null);

  async function send(event: SubmitEvent) {
    event.preventDefault();
    if (busy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    busy.value = true;
    const answer = await logIn(String(form.get('username') ?? ''), String(form.get('password') ?? ''));
    busy.value = false;
    refusal.value = answer.ok ? null : answer.sentence;
    if (answer.ok) onDone?.();
  }

  if (https !== null) return <HttpsNeeded https={https} />;
  if (isLoading) return <p class="form-why">{t('app.loading')}</p>;
  return (
    <form class="form" onSubmit={send}>
      {why !== undefined && <p class="form-why">{why}</p>}
      <label class="field" for={`${id}-name`}>
        {t('auth.username')}
        <input
          id={`${id}-name`}
          name="username"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          maxLength={128}
        />
      </label>
      <label class="field" for={`${id}-password`}>
        {t('auth.password')}
        <input
          id={`${id}-password`}
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxLength={1024}
        />
      </label>
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
      <button type="submit" class="button" aria-disabled={busy.value}>
        {t('auth.logIn')}
      </button>
    </form>
  );
}
