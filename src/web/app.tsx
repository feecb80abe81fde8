import { useEffect } from 'preact/hooks';
import { Announcer } from './announcer.tsx';
import { Banners } from './banners.tsx';
import { DrinkList } from './drink-list.tsx';
import type { LiveHouse } from './live.ts';
import { TapCard } from './tap-card.tsx';
import { say } from './words/say.ts';

/** The page at `/`: what is on tap, what was poured last, and what needs a hand. */
export function App({ live }: { readonly live: LiveHouse }) {
  const house = live.house.value;
  const away = live.away.value;
  const title = house?.title;
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);

  return (
    <div class={away ? 'house is-away' : 'house'}>
      <header class="masthead">
        <h1 class="masthead-title">{title ?? 'Tapster'}</h1>
        <p class={away || !house ? 'pulse' : 'pulse is-live'}>
          {away ? say.notLive : house ? say.live : say.joining}
        </p>
      </header>
      <Banners house={house} away={away} />
      <main class="bar">
        {house ? (
          <>
            <section class="taps" aria-labelledby="taps-heading">
              <h2 id="taps-heading" class="unseen">
                {say.onTap}
              </h2>
              {house.taps.length === 0 ? (
                <p class="empty-bar">{say.noTaps}</p>
              ) : (
                <ul
                  class="tap-grid"
                  data-columns={columnsFor(house.taps.length)}
                  data-many={house.taps.length > 3}
                >
                  {house.taps.map((tap) => (
                    <TapCard
                      key={tap.id}
                      tap={tap}
                      pour={live.pourOn(tap.id)}
                      lastDrink={house.drinks.find((drink) => drink.tap_name === tap.name)}
                      units={house}
                      simulated={house.simulated}
                    />
                  ))}
                </ul>
              )}
            </section>
            <DrinkList drinks={house.drinks} units={house} />
          </>
        ) : (
          <p class="empty-bar">{away ? say.nothingYet : say.looking}</p>
        )}
      </main>
      <Announcer house={house} />
    </div>
  );
}

/** On a large screen the cards stand in even rows: four taps are two by two, never three and one. */
function columnsFor(taps: number): number {
  if (taps <= 3) return Math.max(1, taps);
  if (taps === 4) return 2;
  return taps <= 9 ? 3 : 4;
}
