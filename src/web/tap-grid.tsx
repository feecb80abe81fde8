import type { HouseMessage, LiveTap } from '../http/live/shapes.ts';
import type { LiveHouse } from './live.ts';
import { TapCard } from './tap-card.tsx';
import { say } from './words/say.ts';

interface TapGridProps {
  readonly taps: readonly LiveTap[];
  readonly house: HouseMessage;
  readonly live: LiveHouse;
  /** False where nobody can touch the screen. */
  readonly buttons: boolean;
  /** Cards beside each other on a large screen; null to find an even number. */
  readonly columns?: number | null;
}

/** All taps in the bar's own order. */
export function TapGrid({ taps, house, live, buttons, columns = null }: TapGridProps) {
  return (
    <section class="taps" aria-labelledby="taps-heading">
      <h2 id="taps-heading" class="unseen">
        {say.onTap}
      </h2>
      {taps.length === 0 ? (
        <p class="empty-bar">{say.noTaps}</p>
      ) : (
        <ul class="tap-grid" data-columns={columns ?? columnsFor(taps.length)} data-many={taps.length > 3}>
          {taps.map((tap) => (
            <TapCard
              key={tap.id}
              tap={tap}
              pour={live.pourOn(tap.id)}
              lastDrink={house.drinks.find((drink) => drink.tap_name === tap.name)}
              units={house}
              simulated={buttons && house.simulated}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** On a large screen the cards stand in even rows: four taps are two by two, never three and one. */
function columnsFor(taps: number): number {
  if (taps <= 3) return Math.max(1, taps);
  if (taps === 4) return 2;
  return taps <= 9 ? 3 : 4;
}
