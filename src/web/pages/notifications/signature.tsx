import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import { isSuperuser } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { t } from '../../locales/locale.ts';

/** Whether webhook requests are signed, and for superusers a button that creates the secret. */
export function Signature({ isSigned }: { readonly isSigned: boolean }) {
  const { runAction, error } = useAction();
  const newSecret = useSignal<string | null>(null);
  const isConfirming = useSignal(false);

  async function createSecret() {
    const answer = await runAction(() => request('POST /admin/webhook-secret'), t('webhooks.secretCreated'));
    if (answer?.ok) newSecret.value = answer.result.secret;
    isConfirming.value = false;
  }

  return (
    <section class="group" aria-labelledby="signature">
      <h3 id="signature">{t('webhooks.secret')}</h3>
      <div class="card group">
        <p>{isSigned ? t('webhooks.isSigned') : t('webhooks.notSigned')}</p>
        <ErrorMessage>{error}</ErrorMessage>
        {newSecret.value !== null && (
          <OneTimeSecret
            explanation={t('webhooks.secretShownOnce')}
            secret={newSecret.value}
            dismissLabel={t('common.dismissSecret')}
            onDismiss={() => (newSecret.value = null)}
          />
        )}
        {isSuperuser.value && (
          <p>
            {isSigned && !isConfirming.value ? (
              <button type="button" class="chip" onClick={() => (isConfirming.value = true)}>
                {t('webhooks.replaceSecret')}
              </button>
            ) : (
              <button
                type="button"
                class={isSigned ? 'chip is-danger' : 'chip'}
                onClick={() => void createSecret()}
              >
                {isSigned ? t('webhooks.confirmReplace') : t('webhooks.createSecret')}
              </button>
            )}
          </p>
        )}
      </div>
    </section>
  );
}
