import { useRef } from 'preact/hooks';
import type { HouseMessage } from '../http/live/shapes.ts';
import { formatQuantity, volume } from './format.ts';
import { say } from './words/say.ts';

/** Tells a screen reader of each finished pour, once; the running odometer would only chatter. */
export function Announcer({ snapshot }: { readonly snapshot: HouseMessage | null }) {
  const newestSeen = useRef<number | null>(null);
  const sentence = useRef('');
  if (snapshot) {
    const newest = snapshot.drinks[0];
    const known = newestSeen.current;
    if (newest && known !== null && newest.id > known) {
      const glass = formatQuantity(volume(newest.volume_ml, snapshot));
      const beer = newest.beverage_name ?? say.beer;
      const missed = snapshot.drinks.filter(({ id }) => id > known).length;
      sentence.current =
        missed === 1
          ? say.pouredAloud(glass, beer, newest.tap_name)
          : say.pouredMeanwhile(missed, glass, beer);
    }
    newestSeen.current = Math.max(known ?? 0, newest?.id ?? 0);
  }
  return (
    <p class="unseen" aria-live="polite">
      {sentence.current}
    </p>
  );
}
