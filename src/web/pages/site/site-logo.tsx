import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import { type Answer, requestWithPin } from '../../api/request-with-pin.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/guests.ts';

/** The site's logo: shows, replaces and removes it. */
export function SiteLogo() {
  const id = useId();
  const { result } = useResource<{ readonly site: { readonly logo_url: string | null } }>('/site');
  const logoUrl = result?.site.logo_url ?? null;
  const isBusy = useSignal(false);
  const error = useSignal<DisplayText | null>(null);

  async function change(request: Promise<Answer<unknown>>, successMessage: string) {
    isBusy.value = true;
    const answer = await request;
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) showToast(successMessage);
  }
  function upload(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    void change(requestWithPin('POST', '/site/logo', new FormData(event.currentTarget)), words.logoSet);
  }

  return (
    <section class="group narrow" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{words.logo}</h3>
      <div class="card site-logo">
        <p class="soft">{logoUrl === null ? words.noLogo : words.logoWhy}</p>
        {logoUrl !== null && <img class="site-logo-picture" src={logoUrl} alt={words.logo} />}
        <ErrorMessage>{error.value}</ErrorMessage>
        <form class="form" onSubmit={upload} aria-busy={isBusy.value}>
          <label class="field" for={id}>
            {words.chooseLogo}
            <input id={id} type="file" name="image" accept="image/*" required />
          </label>
          <button type="submit" class="button" aria-disabled={isBusy.value}>
            {words.uploadLogo}
          </button>
        </form>
        {logoUrl !== null && (
          <p>
            <button
              type="button"
              class="chip is-danger"
              onClick={() => void change(request('DELETE /site/logo'), words.logoRemoved)}
            >
              {words.removeLogo}
            </button>
          </p>
        )}
      </div>
    </section>
  );
}
