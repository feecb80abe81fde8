import { useSignal } from '@preact/signals';
import { words } from '../../words/office.ts';
import { Refusal, useDeeds } from '../kit/act.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';

/** Whether what is posted is signed, and the making of the secret for it. */
export function Signature({ isSigned }: { readonly isSigned: boolean }) {
  const { act, refusal } = useDeeds();
  const fresh = useSignal<string | null>(null);
  const isSure = useSignal(false);

  async function make() {
    const answer = await act({ method: 'POST', path: '/admin/webhook-secret', done: words.secretMade });
    if (answer?.ok) fresh.value = (answer.result as { readonly secret: string }).secret;
    isSure.value = false;
  }

  return (
    <section class="group" aria-labelledby="signature">
      <h3 id="signature">{words.secret}</h3>
      <div class="card group">
        <p>{isSigned ? words.isSigned : words.notSigned}</p>
        <Refusal>{refusal}</Refusal>
        {fresh.value !== null && (
          <ShownOnce
            why={words.secretOnce}
            secret={fresh.value}
            noted={words.noted}
            onNoted={() => (fresh.value = null)}
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
