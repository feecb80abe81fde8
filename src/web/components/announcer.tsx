import { useRef } from 'preact/hooks';
import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { formatQuantity, volume } from '../app/format.ts';
import { t } from '../locales/locale.ts';

/**
 * Announces each finished pour once to screen readers. The running odometer changes too often to be read
 * aloud.
 */
export function Announcer({ snapshot }: { readonly snapshot: SnapshotMessage | null }) {
  const lastAnnouncedId = useRef<number | null>(null);
  const sentence = useRef('');
  if (snapshot) {
    const [newest] = [...snapshot.drinks].sort((one, other) => other.id - one.id);
    const lastId = lastAnnouncedId.current;
    if (newest && lastId !== null && newest.id > lastId) {
      const amount = formatQuantity(volume(newest.volume_ml, snapshot));
      const beer = newest.beverage_name ?? t('kegs.beer');
      const newCount = snapshot.drinks.filter(({ id }) => id > lastId).length;
      sentence.current =
        newCount > 1
          ? t('drinks.announcePours', { pours: newCount, glass: amount, beer })
          : newest.tap_name === null
            ? t('drinks.announcePour', { glass: amount, beer })
            : t('drinks.announcePourAt', { glass: amount, beer, tap: newest.tap_name });
    }
    lastAnnouncedId.current = Math.max(lastId ?? 0, newest?.id ?? 0);
  }
  return (
    <p class="visually-hidden" aria-live="polite">
      {sentence.current}
    </p>
  );
}
