import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { BeerType } from '../../api/generated.ts';
import { formatPrice, strength, type Units } from '../../app/format.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { t } from '../../locales/locale.ts';
import Claims from '../drinks/claims.tsx';
import { formatRemaining } from './format-remaining.ts';
import { beerColor } from './keg-drawing.tsx';
import '../../styles/menu.css';

/** The beer menu for guests: beverage, facts, price, remaining amount and next keg of each tap. */
export function MenuPage({ snapshot }: PageProps) {
  const beverages = useBeverages(snapshot);
  const shownTaps = snapshot.taps.filter((tap) => tap.keg !== null || tap.next !== null);
  return (
    <Page title={t('menu.title')}>
      {snapshot.logo_url !== null && <img class="menu-logo" src={snapshot.logo_url} alt="" />}
      <Claims snapshot={snapshot} />
      {shownTaps.length === 0 && <p class="empty-message">{t('menu.nothingOnTap')}</p>}
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
  const name = tap.beverage?.name ?? (tap.keg ? t('kegs.keg', { id: tap.keg.id }) : t('kegs.noKeg'));
  const price = tap.price && formatPrice(tap.price, units);
  return (
    <li class="menu-card" data-empty={tap.keg === null}>
      <BeverageImage tap={tap} beverage={beverage} />
      <div class="menu-text">
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
        {tap.next && (
          <p class="menu-next">{t('menu.next', { beer: tap.next.name, producer: tap.next.producer })}</p>
        )}
        <p class="menu-tap">{t('menu.at', { tap: tap.name })}</p>
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
  const caption =
    picture.caption === '' ? t('menu.pictureOf', { beer: tap.beverage?.name ?? '' }) : picture.caption;
  return <img class="menu-picture" src={picture.resized_url} alt={caption} loading="lazy" />;
}

function formatProducer(producer: string, beverage: BeerType | null): string {
  const origin = beverage?.producer.origin_city || beverage?.producer.origin_state || '';
  return origin === '' ? producer : t('menu.madeBy', { producer, origin });
}

function listFacts({ beverage: live }: LiveTap, beverage: BeerType | null): readonly string[] {
  if (live === null) return [];
  return [
    live.style,
    live.abv === null ? null : strength(live.abv),
    beverage?.ibu == null ? null : t('menu.ibu', { ibu: String(Math.round(beverage.ibu)) }),
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

interface BeerGlassProps {
  readonly color: string | undefined;
  readonly isEmpty: boolean;
}

/** Drawing of a glass in the beer's colour, for beers without a picture. */
function BeerGlass({ color, isEmpty }: BeerGlassProps) {
  return (
    <svg class="beer-glass" viewBox="0 0 60 80" aria-hidden="true">
      {!isEmpty && (
        <path d="M13 22 L17 72 Q17.3 75 20 75 H40 Q42.7 75 43 72 L47 22 Z" fill={beerColor(color)} />
      )}
      {!isEmpty && (
        <path class="beer-head" d="M12 24 Q9 14 18 13 Q21 6 29 9 Q36 4 41 11 Q51 12 48 24 Q30 28 12 24 Z" />
      )}
      <path
        class="beer-edge"
        d="M11 10 L16 72 Q16.4 76.5 20.5 76.5 H39.5 Q43.6 76.5 44 72 L49 10"
        fill="none"
      />
    </svg>
  );
}
