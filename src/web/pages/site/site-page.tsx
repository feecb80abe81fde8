import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type Answer, request } from '../../api/client.ts';
import { loadMe } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import type { FieldSpec } from '../../components/form/form.tsx';
import { listFieldLabels, type SchemaField } from '../../components/form/schema-fields.ts';
import { SettingsForm } from '../../components/form/settings-form.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { ServingSizes } from '../kegs/prices/serving-sizes.tsx';
import { BackgroundPicture } from './background-picture.tsx';
import { localeChoices, timeZoneChoices } from './setting-choices.ts';

/** The site's settings, logo and background picture. */
export function SitePage({ snapshot }: PageProps) {
  return (
    <Page width="form" title={t('site.title')} requiredRole="staff">
      <SettingsForm
        path="/site"
        resultKey="site"
        fieldLabels={listFieldLabels('site.labels', 'site.choices')}
        toField={toChoiceField}
        without={['menu_code_printed']}
        onSaved={() => void loadMe()}
      />
      <SiteLogo />
      <BackgroundPicture />
      <ServingSizes snapshot={snapshot} />
      <p class="row-actions">
        <a class="chip" href={toHref('/menu/qr')}>
          {t('menu.code')}
        </a>
      </p>
    </Page>
  );
}

/** Offers the languages and time zones that exist, in place of a text. */
function toChoiceField({ name }: SchemaField, values: Readonly<Record<string, unknown>>): FieldSpec | null {
  const value = String(values[name] ?? '');
  const { labels } = listFieldLabels('site.labels', 'site.choices');
  const field = { kind: 'choice', name, label: labels[name] ?? name, value } as const;
  if (name === 'locale') return { ...field, options: localeChoices(value), isOptional: true };
  return name === 'timezone' ? { ...field, options: timeZoneChoices(value) } : null;
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
