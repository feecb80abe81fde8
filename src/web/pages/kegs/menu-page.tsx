import type { LiveTap } from '../../../http/live/shapes.ts';
import type { BeerType } from '../../api/generated.ts';
import { formatPrice, strength, type Units } from '../../app/format.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { t } from '../../locales/locale.ts';
import Claims from '../drinks/claims.tsx';
import { BeerGlass } from './beer-glass.tsx';
import { useBeveragesByTap } from './beverages-by-tap.ts';
import { formatRemaining } from './format-remaining.ts';
import '../../styles/menu.css';

/** The beer menu for guests: beverage, facts, price, remaining amount and next keg of each tap. */
export function MenuPage({ snapshot }: PageProps) {
  const beverages = useBeveragesByTap(snapshot);
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
