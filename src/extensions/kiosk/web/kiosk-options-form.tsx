import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { showsDrinkers } from '../../../web/app/me.ts';
import { SelectField } from '../../../web/components/form/field.tsx';
import { FlagField } from '../../../web/components/form/form-fields.tsx';
import { languages, nameLanguage, t } from '../../../web/locales/locale.ts';
import { HoursFields, readHours } from './hours-fields.tsx';
import { type KioskOptions, kioskParts, maxColumns, parseKioskOptions } from './kiosk-options.ts';

interface KioskOptionsFormProps {
  readonly options: KioskOptions;
  /** Address of another menu for the QR code; null for this site's. */
  readonly customMenu: string | null;
  readonly snapshot: SnapshotMessage;
  /** Called after each change; `taps` is empty when none is chosen. */
  onChange(options: KioskOptions): void;
}

/** The fields of a kiosk's options. Each change is shown at once, so there is nothing to save. */
export function KioskOptionsForm({ options, customMenu, snapshot, onChange }: KioskOptionsFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const dim = useSignal(options.open === null ? 'site' : options.open === 'off' ? 'never' : 'screen');

  function update() {
    if (!form.current) return;
    const data = new FormData(form.current);
    dim.value = String(data.get('dim'));
    onChange({ ...readOptions(data, snapshot), menu: data.has('menu') ? customMenu : 'off' });
  }

  return (
    <form class="form" ref={form} onChange={update} onSubmit={(event) => event.preventDefault()}>
      <fieldset class="kiosk-choices">
        <legend>{t('kiosk.taps')}</legend>
        {snapshot.taps.map(({ id, name }) => (
          <FlagField
            key={id}
            name={`tap-${id}`}
            label={name}
            value={options.taps === null || options.taps.includes(id)}
          />
        ))}
      </fieldset>
      <fieldset class="kiosk-choices">
        <legend>{t('kiosk.show')}</legend>
        {kioskParts.map((part) => (
          <FlagField
            key={part}
            name={part}
            label={t(`kiosk.parts.${part}`)}
            value={!options.hide.has(part)}
          />
        ))}
        <FlagField name="menu" label={t('kiosk.menuCode')} value={options.menu !== 'off'} />
        {showsDrinkers.value && (
          <FlagField name="drinkers" label={t('kiosk.drinkers')} value={options.drinkers} />
        )}
      </fieldset>
      <SelectField
        name="columns"
        label={t('kiosk.columns')}
        options={{
          auto: t('kiosk.automatic'),
          ...Object.fromEntries(
            Array.from({ length: maxColumns }, (_, index) => [index + 1, String(index + 1)]),
          ),
        }}
        value={options.columns === null ? 'auto' : String(options.columns)}
      />
      <SelectField
        name="theme"
        label={t('theme.title')}
        options={{ device: t('kiosk.ofDevice'), light: t('theme.light'), dark: t('theme.dark') }}
        value={options.theme ?? 'device'}
      />
      <SelectField
        name="lang"
        label={t('kiosk.language')}
        options={{
          device: t('kiosk.ofDevice'),
          ...Object.fromEntries(languages.map((tag) => [tag, nameLanguage(tag)])),
        }}
        value={options.lang ?? 'device'}
      />
      <SelectField
        name="dim"
        label={t('kiosk.dimScreen')}
        options={{
          site: t('kiosk.dimChoices.site'),
          screen: t('kiosk.dimChoices.screen'),
          never: t('kiosk.dimChoices.never'),
        }}
        value={dim.value}
      />
      {dim.value === 'screen' && <HoursFields hours={options.open === 'off' ? null : options.open} />}
    </form>
  );
}

function readOptions(data: FormData, { taps }: SnapshotMessage): Omit<KioskOptions, 'menu'> {
  const ids = taps.map(({ id }) => id).filter((id) => data.has(`tap-${id}`));
  const text = (name: string) => String(data.get(name) ?? '');
  const query = new URLSearchParams({ columns: text('columns'), theme: text('theme'), lang: text('lang') });
  const open = { site: null, never: 'off', screen: readHours(data) }[text('dim')] ?? null;
  if (open !== null) query.set('open', open);
  return {
    ...parseKioskOptions(query),
    lang: languages.includes(text('lang')) ? text('lang') : null,
    taps: ids.length === taps.length ? null : ids,
    hide: new Set(kioskParts.filter((part) => !data.has(part))),
    drinkers: data.has('drinkers'),
  };
}
