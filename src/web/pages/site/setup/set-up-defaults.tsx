import { useSignal } from '@preact/signals';
import { SelectField } from '../../../components/form/field.tsx';
import { listFieldLabels } from '../../../components/form/schema-fields.ts';
import { t } from '../../../locales/locale.ts';
import { currencyChoices, findSettings, localeChoices, timeZoneChoices } from '../setting-choices.ts';

/** Settings of the set-up that have a default. */
const names = [
  'volume_display_units',
  'temperature_display_units',
  'currency',
  'locale',
  'timezone',
  'privacy',
  'registration_mode',
] as const;

type Name = (typeof names)[number];
type Values = Readonly<Record<Name, string>>;

const offered: Readonly<Partial<Record<Name, readonly string[]>>> = {
  volume_display_units: ['metric', 'us', 'uk'],
  temperature_display_units: ['c', 'f'],
  privacy: ['public', 'members', 'staff'],
  registration_mode: ['staff-invite-only', 'member-invite-only', 'public'],
};

/** Settings that fit most bars: found from the browser, or safe. They are below a heading that names their values. */
export function SetUpDefaults() {
  const { labels: siteLabels, choices } = listFieldLabels('site.labels', 'site.choices');
  const labels: Readonly<Record<string, string>> = { ...siteLabels, currency: t('reports.currency') };
  const values = useSignal<Values>({
    ...findSettings(navigator.language),
    privacy: 'public',
    registration_mode: 'staff-invite-only',
  });

  function change(event: Event) {
    const { target } = event;
    if (!(target instanceof HTMLSelectElement)) return;
    const isUs = target.name === 'volume_display_units' && target.value === 'us';
    values.value = {
      ...values.value,
      ...(target.name === 'volume_display_units' && { temperature_display_units: isUs ? 'f' : 'c' }),
      ...(target.name === 'locale' &&
        target.value !== '' && { currency: findSettings(target.value).currency }),
      [target.name]: target.value,
    };
  }

  function optionsOf(name: Name): Readonly<Record<string, string>> {
    if (name === 'currency') return currencyChoices(values.value.currency);
    if (name === 'locale') return localeChoices(values.value.locale);
    if (name === 'timezone') return timeZoneChoices(values.value.timezone);
    return Object.fromEntries((offered[name] ?? []).map((value) => [value, choices[value] ?? value]));
  }

  return (
    <details class="set-up-defaults" onChange={change}>
      <summary>
        {t('setUp.defaults')}
        <span class="set-up-values">
          {names.map((name) => optionsOf(name)[values.value[name]]).join(' · ')}
        </span>
      </summary>
      <div class="set-up-fields">
        {names.map((name) => (
          <SelectField
            key={name}
            name={name}
            label={labels[name] ?? name}
            options={optionsOf(name)}
            value={values.value[name]}
          />
        ))}
      </div>
      <p class="soft">{t('setUp.changeLater')}</p>
    </details>
  );
}
