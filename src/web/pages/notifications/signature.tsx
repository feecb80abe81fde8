import { useSignal } from '@preact/signals';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { words } from '../../words/notifications.ts';

/** Whether webhook requests are signed, and a button that creates the secret. */
export function Signature({ isSigned }: { readonly isSigned: boolean }) {
  const { runAction, error } = useAction();
  const newSecret = useSignal<string | null>(null);
  const isConfirming = useSignal(false);

  async function createSecret() {
    const answer = await runAction({
      method: 'POST',
      path: '/admin/webhook-secret',
      successMessage: words.secretCreated,
    });
    if (answer?.ok) newSecret.value = (answer.result as { readonly secret: string }).secret;
    isConfirming.value = false;
  }

  return (
    <section class="group" aria-labelledby="signature">
      <h3 id="signature">{words.secret}</h3>
      <div class="card group">
        <p>{isSigned ? words.isSigned : words.notSigned}</p>
        <ErrorMessage>{error}</ErrorMessage>
        {newSecret.value !== null && (
          <OneTimeSecret
            explanation={words.secretShownOnce}
            secret={newSecret.value}
            dismissLabel={words.dismissSecret}
            onDismiss={() => (newSecret.value = null)}
          />
        )}
        <p>
          {isSigned && !isConfirming.value ? (
            <button type="button" class="chip" onClick={() => (isConfirming.value = true)}>
              {words.replaceSecret}
            </button>
          ) : (
            <button
              type="button"
              class={isSigned ? 'chip is-danger' : 'chip'}
              onClick={() => void createSecret()}
            >
              {isSigned ? words.confirmReplace : words.createSecret}
            </button>
          )}
        </p>
      </div>
    </section>
  );
}
