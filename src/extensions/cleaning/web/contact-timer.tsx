import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Cleaning } from '../../../web/api/generated.ts';
import { t } from '../../../web/locales/locale.ts';

/**
 * Minutes and seconds until the contact time is over. The daemon tells what is left, so a reload, a restart or a wrong clock of
 * this device changes nothing.
 */
export function ContactTimer({ cleaning }: { readonly cleaning: Pick<Cleaning, 'contact_left_s'> }) {
  const toldS = cleaning.contact_left_s ?? 0;
  // Each reply is a new object.
  const endMs = useMemo(() => performance.now() + toldS * 1_000, [cleaning]);
  const nowMs = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => {
      nowMs.value = performance.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  const leftS = Math.min(toldS, Math.max(0, Math.ceil((endMs - nowMs.value) / 1_000)));
  if (leftS === 0) return <p class="contact-timer">{t('cleaning.contactOver')}</p>;
  const text = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`;
  return (
    <p class="contact-timer" role="timer" aria-label={t('cleaning.contactLeft')}>
      {text}
    </p>
  );
}
