import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../../locales/locale.ts';

/** Minutes and seconds until the contact time is over. The daemon knows its end, so a reload or a restart changes nothing. */
export function ContactTimer({ endsIso }: { readonly endsIso: string }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  const leftS = Math.max(0, Math.ceil((Date.parse(endsIso) - now.value) / 1_000));
  if (leftS === 0) return <p class="contact-timer">{t('cleaning.contactOver')}</p>;
  const text = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`;
  return (
    <p class="contact-timer" role="timer" aria-label={t('cleaning.contactLeft')}>
      {text}
    </p>
  );
}
