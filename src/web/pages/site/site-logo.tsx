import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import { type Answer, requestWithPin } from '../../api/request-with-pin.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import type { DisplayText } from '../../error-text.ts';
import { showToast } from '../../toast.tsx';
import { words } from '../../words/guests.ts';

/** The sign of the house: what hangs now, another picture for it, and the way to take it down. */
export function SiteLogo() {
  const id = useId();
  const { result } = useResource<{ readonly site: { readonly logo_url: string | null } }>('/site');
  const current = result?.site.logo_url ?? null;
  const busy = useSignal(false);
  const refusal = useSignal<DisplayText | null>(null);

  async function make(asked: Promise<Answer<unknown>>, done: string) {
    busy.value = true;
    const answer = await asked;
    busy.value = false;
    refusal.value = answer.ok ? null : answer.sentence;
    if (answer.ok) showToast(done);
  }
  function send(event: SubmitEvent) {
    event.preventDefault();
    if (busy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    void make(requestWithPin('POST', '/site/logo', new FormData(event.currentTarget)), words.logoSet);
  }

  return (
    <section class="group narrow" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{words.logo}</h3>
      <div class="card site-logo">
        <p class="soft">{current === null ? words.noLogo : words.logoWhy}</p>
        {current !== null && <img class="site-logo-picture" src={current} alt={words.logo} />}
        <ErrorMessage>{refusal.value}</ErrorMessage>
        <form class="form" onSubmit={send} aria-busy={busy.value}>
          <label class="field" for={id}>
            {words.chooseLogo}
            <input id={id} type="file" name="image" accept="image/*" required />
          </label>
          <button type="submit" class="button" aria-disabled={busy.value}>
            {words.hangUp}
          </button>
        </form>
        {current !== null && (
          <p>
            <button
              type="button"
              class="chip is-grave"
              onClick={() => void make(request('DELETE /site/logo'), words.logoGone)}
            >
              {words.takeDown}
            </button>
          </p>
        )}
      </div>
    </section>
  );
}
