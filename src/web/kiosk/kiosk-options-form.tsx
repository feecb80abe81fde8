import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { showsDrinkers } from '../app/me.ts';
import { SelectField } from '../components/form/field.tsx';
import { FlagField } from '../components/form/form-fields.tsx';
import { languages, nameLanguage, t } from '../locales/locale.ts';
import { type KioskOptions, kioskParts, maxColumns, parseKioskOptions } from './kiosk-options.ts';

/** Opening hours offered first: an evening. */
const usualHours = { from: '16:00', until: '02:00' };

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
  const isDimmed = useSignal(options.open !== null);
  const hours = options.open ?? usualHours;

  function update() {
    if (!form.current) return;
    const data = new FormData(form.current);
    isDimmed.value = data.has('dim');
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
      <FlagField name="dim" label={t('kiosk.dim')} value={options.open !== null} />
      {isDimmed.value && (
        <div class="kiosk-hours">
          <TimeField name="from" label={t('kiosk.opens')} value={hours.from} />
          <TimeField name="until" label={t('kiosk.closes')} value={hours.until} />
        </div>
      )}
    </form>
  );
}

interface TimeFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

function TimeField({ name, label, value }: TimeFieldProps) {
  return (
    <label class="field" for={`kiosk-${name}`}>
      {label}
      <input id={`kiosk-${name}`} type="time" name={name} defaultValue={value} required />
    </label>
  );
}

function readOptions(data: FormData, { taps }: SnapshotMessage): Omit<KioskOptions, 'menu'> {
  const ids = taps.map(({ id }) => id).filter((id) => data.has(`tap-${id}`));
  const text = (name: string) => String(data.get(name) ?? '');
  const from = text('from') || usualHours.from;
  const until = text('until') || usualHours.until;
  const query = new URLSearchParams({ columns: text('columns'), theme: text('theme'), lang: text('lang') });
  if (data.has('dim')) query.set('open', `${from}-${until}`);
  return {
    ...parseKioskOptions(query),
    lang: languages.includes(text('lang')) ? text('lang') : null,
    taps: ids.length === taps.length ? null : ids,
    hide: new Set(kioskParts.filter((part) => !data.has(part))),
    drinkers: data.has('drinkers'),
  };
}
