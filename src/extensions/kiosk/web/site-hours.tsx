import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { parseOpeningHours } from '../../../core/clock/opening-hours.ts';
import { request } from '../../../web/api/client.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { FlagField } from '../../../web/components/form/form-fields.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { t } from '../../../web/locales/locale.ts';
import { HoursFields, readHours } from './hours-fields.tsx';

/** The opening hours of the site, for all kiosks; `stored` is the setting. */
export function SiteHours({ stored }: { readonly stored: string }) {
  const id = useId();
  const hours = parseOpeningHours(stored);
  const isSet = useSignal(hours !== null);
  const sent = useRef<string | null>(null);
  const version = useFieldsVersion(stored, sent.current);
  useEffect(() => {
    isSet.value = hours !== null;
  }, [version]);
  const { runAction, error, isBusy } = useAction();

  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const data = new FormData(event.currentTarget);
    const opening_hours = data.has('is-set') ? readHours(data) : '';
    sent.current = opening_hours;
    await runAction(
      () => request('PATCH /site', { body: { opening_hours } }),
      (changed) => showUndoable(t('common.saved'), changed),
    );
  }

  return (
    <section class="card" aria-labelledby={id}>
      <h3 id={id}>{t('kiosk.openingHours')}</h3>
      <p class="soft">{t('kiosk.openingHoursWhy')}</p>
      <form
        class="form"
        onSubmit={(event) => void save(event)}
        onChange={({ currentTarget }) => (isSet.value = new FormData(currentTarget).has('is-set'))}
      >
        <FlagField key={version} name="is-set" label={t('kiosk.dim')} value={isSet.value} />
        {isSet.value && <HoursFields key={version} hours={hours} />}
        <ErrorMessage>{error}</ErrorMessage>
        <div class="form-buttons">
          <button type="submit" class="button" aria-disabled={isBusy || undefined}>
            {t('common.save')}
          </button>
        </div>
      </form>
    </section>
  );
}

/** A number that changes when the fields must show another setting than the one that was sent from them, which keeps the focus. */
function useFieldsVersion(stored: string, sent: string | null): number {
  const shown = useRef({ stored, version: 0 });
  if (stored !== shown.current.stored) {
    const { version } = shown.current;
    shown.current = { stored, version: stored === sent ? version : version + 1 };
  }
  return shown.current.version;
}
