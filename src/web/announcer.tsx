import { useRef } from 'preact/hooks';
import type { HouseMessage } from '../http/live/shapes.ts';
import { inWords, volume } from './format.ts';

/** Tells a screen reader of each finished pour, once; the running odometer would only chatter. */
export function Announcer({ house }: { readonly house: HouseMessage | null }) {
  const newestSeen = useRef<number | null>(null);
  const sentence = useRef('');
  if (house) {
    const newest = house.drinks[0];
    const known = newestSeen.current;
    if (newest && known !== null && newest.id > known) {
      const beer = newest.beverage_name ?? 'beer';
      const tap = newest.tap_name ? ` at ${newest.tap_name}` : '';
      sentence.current = `${inWords(volume(newest.volume_ml, house))} of ${beer} poured${tap}.`;
    }
    newestSeen.current = Math.max(known ?? 0, newest?.id ?? 0);
  }
  return (
    <p class="unseen" aria-live="polite">
      {sentence.current}
    </p>
  );
}
