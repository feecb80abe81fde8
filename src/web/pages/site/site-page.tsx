import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Answer, request } from '../../api/client.ts';
import { loadMe } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { listFieldLabels } from '../../components/schema-fields.ts';
import { SettingsForm } from '../../components/settings-form.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { ServingSizes } from '../kegs/prices/serving-sizes.tsx';

/** The site's settings and logo. */
export function SitePage({ snapshot }: PageProps) {
  return (
    <Page title={t('site.title')} requiredRole="staff">
      <SettingsForm
        path="/site"
        resultKey="site"
        fieldLabels={listFieldLabels('site.labels', 'site.choices')}
        onSaved={() => void loadMe()}
      />
      <SiteLogo />
      <ServingSizes snapshot={snapshot} />
      <p class="row-actions">
        <a class="chip" href={toHref('/menu/qr')}>
          {t('menu.code')}
        </a>
      </p>
    </Page>
  );
}

/** The site's logo: shows, replaces and removes it. */
function SiteLogo() {
  const id = useId();
  const { result } = useResource('GET /site');
  const logoUrl = result?.site.logo_url ?? null;
  const isBusy = useSignal(false);
  const { runAction, error } = useAction();

  async function change(send: () => Promise<Answer<unknown>>, successMessage: string) {
    isBusy.value = true;
    await runAction(send, successMessage);
    isBusy.value = false;
  }
  function upload(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    const body = new FormData(event.currentTarget);
    void change(() => request('POST /site/logo', { body }), t('logo.logoSet'));
  }

  return (
    <section class="group narrow" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('logo.title')}</h3>
      <div class="card site-logo">
        <p class="soft">{logoUrl === null ? t('logo.noLogo') : t('logo.why')}</p>
        {logoUrl !== null && <img class="site-logo-picture" src={logoUrl} alt={t('logo.title')} />}
        <ErrorMessage>{error}</ErrorMessage>
        <form class="form" onSubmit={upload} aria-busy={isBusy.value}>
          <label class="field" for={id}>
            {t('logo.chooseLogo')}
            <input id={id} type="file" name="image" accept="image/*" required />
          </label>
          <button type="submit" class="button" aria-disabled={isBusy.value}>
            {t('logo.uploadLogo')}
          </button>
        </form>
        {logoUrl !== null && (
          <p>
            <button
              type="button"
              class="chip is-danger"
              onClick={() => void change(() => request('DELETE /site/logo'), t('logo.logoRemoved'))}
            >
              {t('logo.removeLogo')}
            </button>
          </p>
        )}
      </div>
    </section>
  );
}
