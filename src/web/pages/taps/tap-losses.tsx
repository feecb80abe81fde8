import { formatQuantity, type Units, volume } from '../../app/format.ts';
import { useResource } from '../../components/use-resource.ts';
import { locale, t } from '../../locales/locale.ts';
import '../../styles/shared/details.css';

/** Of a date without a time. */
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Days that are listed. */
const shownDays = 7;

/** What dripped from a tap on its last days; nothing for a tap that did not. */
export function TapLosses({ tapId, units }: { readonly tapId: string; readonly units: Units }) {
  const { result } = useResource('GET /taps/{ref}/losses', { path: { ref: tapId } });
  const days = result?.days.filter(({ drips }) => drips > 0).slice(0, shownDays) ?? [];
  if (days.length === 0) return null;
  return (
    <section class="group">
      <h3>{t('taps.losses')}</h3>
      <div class="card">
        <ul class="certainty">
          {days.map(({ date, drips, drip_ml: ml }) => (
            <li key={date}>
              {t('taps.dripsOfDay', {
                date: dayFormat.format(Date.parse(date)),
                drips,
                volume: formatQuantity(volume(ml, units)),
              })}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
