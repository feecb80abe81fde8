import type { LiveDrink } from '../http/live/shapes.ts';
import { barTime, type Units, volume } from './format.ts';
import { say } from './words/say.ts';

interface DrinkListProps {
  readonly drinks: readonly LiveDrink[];
  readonly units: Units;
}

/** The last pours, newest first. */
export function DrinkList({ drinks, units }: DrinkListProps) {
  return (
    <section class="drinks" aria-labelledby="drinks-heading">
      <h2 id="drinks-heading" class="drinks-heading">
        {say.lastDrinks}
      </h2>
      {drinks.length === 0 ? (
        <p class="drinks-none">{say.noDrinks}</p>
      ) : (
        <ol class="drink-rows">
          {drinks.map((drink) => (
            <DrinkRow key={drink.id} drink={drink} units={units} />
          ))}
        </ol>
      )}
    </section>
  );
}

function DrinkRow({ drink, units }: { readonly drink: LiveDrink; readonly units: Units }) {
  const poured = volume(drink.volume_ml, units);
  const when = barTime(drink.pour_time, units);
  return (
    <li class="drink">
      <span class="drink-volume">
        {poured.number}
        <span class="drink-unit"> {poured.unit}</span>
      </span>
      <span class="drink-what">
        <span class="drink-beer">{drink.beverage_name ?? say.noKegOnTap}</span>
        <span class="drink-who">
          {[drink.user_id ?? say.guest, drink.tap_name].filter(Boolean).join(' · ')}
        </span>
        {drink.recovered && <span class="drink-note">{say.savedAfterCut}</span>}
      </span>
      <time class="drink-time" dateTime={drink.pour_time}>
        {!drink.time_certain && <About />}
        {when.clock}
        {when.day !== null && <span class="drink-day"> {when.day}</span>}
      </time>
    </li>
  );
}

/** The clock was not set when this was poured. */
function About() {
  return (
    <>
      <span aria-hidden="true" title={say.clockWasUnset}>
        ≈{' '}
      </span>
      <span class="unseen">{say.about} </span>
    </>
  );
}
