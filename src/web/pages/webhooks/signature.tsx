import { useSignal } from '@preact/signals';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { words } from '../../words/office.ts';

/** Whether what is posted is signed, and the making of the secret for it. */
export function Signature({ isSigned }: { readonly isSigned: boolean }) {
  const { runAction, error } = useAction();
  const fresh = useSignal<string | null>(null);
  const isSure = useSignal(false);

  async function make() {
    const answer = await runAction({
      method: 'POST',
      path: '/admin/webhook-secret',
      successMessage: words.secretMade,
    });
    if (answer?.ok) fresh.value = (answer.result as { readonly secret: string }).secret;
    isSure.value = false;
  }

  return (
    <section class="group" aria-labelledby="signature">
      <h3 id="signature">{words.secret}</h3>
      <div class="card group">
        <p>{isSigned ? words.isSigned : words.notSigned}</p>
        <ErrorMessage>{error}</ErrorMessage>
        {fresh.value !== null && (
          <OneTimeSecret
            explanation={words.secretOnce}
            secret={fresh.value}
            dismissLabel={words.noted}
            onDismiss={() => (fresh.value = null)}
          />
        )}
        <p>
          {isSigned && !isSure.value ? (
            <button type="button" class="chip" onClick={() => (isSure.value = true)}>
              {words.otherSecret}
            </button>
          ) : (
            <button type="button" class={isSigned ? 'chip is-grave' : 'chip'} onClick={() => void make()}>
              {isSigned ? words.surelyOther : words.makeSecret}
            </button>
          )}
        </p>
      </div>
    </section>
  );
}
