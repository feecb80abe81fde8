import type { LiveTap } from '../../http/live/shapes.ts';
import type { Units } from '../format.ts';
import { shownPrice } from '../money.ts';
import { say } from '../words/say.ts';

/** What a glass costs at a tap and what comes after this keg, as far as somebody has said so. */
export function TapOffer({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  const price = tap.price && shownPrice(tap.price, units);
  if (!price && !tap.next) return null;
  return (
    <p class="tap-offer">
      {price && (
        <span class="tap-price">
          {price.sum} <span class="tap-serving">{price.serving}</span>
        </span>
      )}
      {tap.next && <span class="tap-next">{say.nextOnTap(tap.next.name)}</span>}
    </p>
  );
}
