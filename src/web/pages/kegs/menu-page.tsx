import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { BeerType } from '../../api/operations.ts';
import { strength, type Units } from '../../app/format.ts';
import { formatPrice } from '../../app/money.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { words } from '../../words/guests.ts';
import { say } from '../../words/say.ts';
import Claims from '../drinks/claims.tsx';
import { BeerGlass } from './beer-glass.tsx';
import { formatRemaining } from './format-remaining.ts';
import '../../styles/menu.css';

/** The beer menu for guests: beverage, facts, price, remaining amount and next keg of each tap. */
export function MenuPage({ snapshot }: PageProps) {
  const beverages = useBeverages(snapshot);
  const shownTaps = snapshot.taps.filter((tap) => tap.keg !== null || tap.next !== null);
  return (
    <Page title={words.menu}>
      {snapshot.logo_url !== null && <img class="menu-logo" src={snapshot.logo_url} alt="" />}
      <Claims snapshot={snapshot} />
      {shownTaps.length === 0 && <p class="empty-message">{words.nothingOnTap}</p>}
      <ul class="menu">
        {shownTaps.map((tap) => (
          <MenuCard key={tap.id} tap={tap} beverage={beverages.get(tap.id) ?? null} units={snapshot} />
        ))}
      </ul>
    </Page>
  );
}

interface MenuCardProps {
  readonly tap: LiveTap;
  /** Details of the beverage; null until they are loaded and for a keg without beverage. */
  readonly beverage: BeerType | null;
  readonly units: Units;
}

function MenuCard({ tap, beverage, units }: MenuCardProps) {
  const name = tap.beverage?.name ?? (tap.keg ? say.keg(tap.keg.id) : say.noKeg);
  const price = tap.price && formatPrice(tap.price, units);
  return (
    <li class="menu-card" data-empty={tap.keg === null}>
      <BeverageImage tap={tap} beverage={beverage} />
      <div class="menu-words">
        <h3 class="menu-beer">{name}</h3>
        {tap.beverage && <p class="menu-maker">{formatProducer(tap.beverage.producer, beverage)}</p>}
        <p class="menu-facts">
          {listFacts(tap, beverage).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {beverage !== null && beverage.description !== '' && (
          <p class="menu-description">{beverage.description}</p>
        )}
        {tap.keg && (
          <p class="menu-left" data-low={tap.keg.percent_full <= 0.15}>
            {formatRemaining(tap.keg, tap.price?.serving_ml ?? null)}
          </p>
        )}
        {tap.next && <p class="menu-next">{words.next(tap.next.name, tap.next.producer)}</p>}
        <p class="menu-tap">{words.at(tap.name)}</p>
      </div>
      {price && tap.keg && (
        <p class="menu-price">
          <span class="menu-sum">{price.sum}</span> <span class="menu-serving">{price.serving}</span>
        </p>
      )}
    </li>
  );
}

/** The beverage's picture, else the producer's, else a drawn glass in the beer's colour. */
function BeverageImage({ tap, beverage }: Pick<MenuCardProps, 'tap' | 'beverage'>) {
  const picture = beverage?.picture ?? beverage?.producer.picture ?? null;
  if (picture === null) return <BeerGlass color={tap.beverage?.color_hex} isEmpty={tap.keg === null} />;
  const caption = picture.caption === '' ? words.pictureOf(tap.beverage?.name ?? '') : picture.caption;
  return <img class="menu-picture" src={picture.resized_url} alt={caption} loading="lazy" />;
}

function formatProducer(producer: string, beverage: BeerType | null): string {
  const origin = beverage?.producer.origin_city || beverage?.producer.origin_state || '';
  return words.madeBy(producer, origin);
}

function listFacts({ beverage: live }: LiveTap, beverage: BeerType | null): readonly string[] {
  if (live === null) return [];
  return [
    live.style,
    live.abv === null ? null : strength(live.abv),
    beverage?.ibu == null ? null : words.ibu(String(Math.round(beverage.ibu))),
  ].filter((fact): fact is string => fact !== null && fact !== '');
}

/** Details of the beverages by tap id; loaded again when a keg changes. */
function useBeverages(snapshot: SnapshotMessage): ReadonlyMap<string, BeerType> {
  const beverages = useSignal<ReadonlyMap<string, BeerType>>(new Map());
  const kegs = snapshot.taps.map(({ id, keg, beverage }) => `${id}:${keg?.id}:${beverage?.name}`).join();
  useEffect(() => {
    void request('GET /taps').then((answer) => {
      if (!answer.ok) return;
      beverages.value = new Map(
        answer.result.taps.flatMap(({ tap, beverage }) => (beverage ? [[tap.id, beverage]] : [])),
      );
    });
  }, [kegs]);
  return beverages.value;
}
