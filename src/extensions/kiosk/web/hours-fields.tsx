import { useId } from 'preact/hooks';
import { formatOpeningHours, type OpeningHours } from '../../../core/clock/opening-hours.ts';
import { t } from '../../../web/locales/locale.ts';

/** Opening hours offered first: an evening. */
const usualHours: OpeningHours = { from: '16:00', until: '02:00' };

/** Two fields of a form for opening hours. */
export function HoursFields({ hours }: { readonly hours: OpeningHours | null }) {
  const { from, until } = hours ?? usualHours;
  return (
    <div class="kiosk-hours">
      <TimeField name="from" label={t('kiosk.opens')} value={from} />
      <TimeField name="until" label={t('kiosk.closes')} value={until} />
    </div>
  );
}

/** The hours in the fields of `HoursFields`, as text. */
export function readHours(data: FormData): string {
  const time = (name: keyof OpeningHours) => String(data.get(name) ?? '') || usualHours[name];
  return formatOpeningHours({ from: time('from'), until: time('until') });
}

interface TimeFieldProps {
  readonly name: keyof OpeningHours;
  readonly label: string;
  readonly value: string;
}

function TimeField({ name, label, value }: TimeFieldProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      {label}
      <input id={id} type="time" name={name} defaultValue={value} required />
    </label>
  );
}
