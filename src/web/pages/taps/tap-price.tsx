import type { LiveTap } from '../../../http/live/shapes.ts';
import type { Units } from '../../app/format.ts';
import { formatPrice } from '../../app/money.ts';
import { say } from '../../words/say.ts';

/** Price of a serving at a tap; renders nothing without a price. */
export function TapPrice({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  if (tap.price === null) return null;
  const { sum, serving } = formatPrice(tap.price, units);
  return (
    <p class="tap-price">
      {sum} <span class="tap-serving">{serving}</span>
    </p>
  );
}

/** Next beer of a tap; renders nothing when none is set. */
export function TapNext({ tap }: { readonly tap: LiveTap }) {
  return tap.next && <span class="tap-next"> {say.nextOnTap(tap.next.name)}</span>;
}
