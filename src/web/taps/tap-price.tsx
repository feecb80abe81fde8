import type { LiveTap } from '../../http/live/shapes.ts';
import type { Units } from '../format.ts';
import { formatPrice } from '../money.ts';
import { say } from '../words/say.ts';

/** What a glass costs at a tap; nothing where nobody has said so. */
export function TapPrice({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  if (tap.price === null) return null;
  const { sum, serving } = formatPrice(tap.price, units);
  return (
    <p class="tap-price">
      {sum} <span class="tap-serving">{serving}</span>
    </p>
  );
}

/** What comes after this keg, where somebody has said so. */
export function TapNext({ tap }: { readonly tap: LiveTap }) {
  return tap.next && <span class="tap-next"> {say.nextOnTap(tap.next.name)}</span>;
}
