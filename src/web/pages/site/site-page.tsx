import { loadMe } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import type { FieldSpec } from '../../components/form/field-spec.ts';
import { listFieldLabels, type SchemaField } from '../../components/form/schema-fields.ts';
import { SettingsForm } from '../../components/form/settings-form.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { t } from '../../locales/locale.ts';
import { ServingSizes } from '../kegs/prices/serving-sizes.tsx';
import { localeChoices, timeZoneChoices } from './setting-choices.ts';
import { SitePicture } from './site-picture.tsx';

/** The site's settings, logo and background picture. */
export function SitePage({ snapshot }: PageProps) {
  return (
    <Page width="form" title={t('site.title')} requiredRole="staff">
      <SettingsForm
        path="/site"
        resultKey="site"
        fieldLabels={listFieldLabels('site.labels', 'site.choices')}
        toField={toChoiceField}
        without={[
          'menu_code_printed',
          'opening_hours',
          'require_https',
          'updates_check',
          'updates_install',
          'updates_hour',
        ]}
        onSaved={() => void loadMe()}
      />
      <SitePicture kind="logo" />
      <SitePicture kind="background" />
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
