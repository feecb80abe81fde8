import { numberBeforeName } from '../../../../core/taps/tap-names.ts';
import { isTapClosed } from '../../../../core/taps/tap-state.ts';
import type { LiveTap } from '../../../../http/live/shapes.ts';
import type { BeerType } from '../../../api/generated.ts';
import { formatPriceMinor, strength, type Units } from '../../../app/format.ts';
import { servingText } from '../../../app/serving-sizes.ts';
import { t } from '../../../locales/locale.ts';
import { BeerGlass } from '../beer-glass.tsx';
import { formatRemaining } from './format-remaining.ts';

/** A name of more characters is printed in smaller type. */
const longNameLength = 22;

interface MenuCardProps {
  readonly tap: LiveTap;
  /** Details of the beverage; null until they are loaded and for a keg without beverage. */
  readonly beverage: BeerType | null;
  readonly units: Units;
  /** Whether guests see how long ago the line was cleaned. */
  readonly showsCleaning: boolean;
}

/** One beer of the menu with its facts, its prices by size and what comes next. */
export function MenuCard({ tap, beverage, units, showsCleaning }: MenuCardProps) {
  const at = t('menu.at', { tap: `${numberBeforeName(tap)}${tap.name}` });
  if (isTapClosed(tap.state)) {
    return (
      <li class="menu-card">
        <BeerGlass isEmpty />
        <div class="menu-text">
          <h3 class="menu-beer menu-closed" data-long>
            {t(`menu.closed.${tap.state}`)}
          </h3>
          <p class="menu-tap">{at}</p>
        </div>
      </li>
    );
  }
  const name = tap.beverage?.name ?? (tap.keg ? t('kegs.keg', { id: tap.keg.id }) : t('kegs.noKeg'));
  return (
    <li class="menu-card" data-empty={tap.keg === null}>
      <BeverageImage tap={tap} beverage={beverage} />
      <div class="menu-text">
        <h3 class="menu-beer" data-long={name.length > longNameLength}>
          {name}
        </h3>
        {tap.beverage && <p class="menu-maker">{formatProducer(tap.beverage.producer, beverage)}</p>}
        <p class="menu-facts">
          {listFacts(tap, beverage).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {beverage !== null && beverage.description !== '' && (
          <p class="menu-description">{beverage.description}</p>
        )}
        {beverage !== null && beverage.allergens !== '' && (
          <p class="menu-allergens">{t('menu.allergens', { allergens: beverage.allergens })}</p>
        )}
        {tap.keg && (
          <p class="menu-left" data-low={tap.keg.percent_full <= 0.15}>
            {formatRemaining(tap.keg, tap.price?.serving_ml ?? null)}
          </p>
        )}
        {showsCleaning && tap.days_since_cleaning !== null && (
          <p class="menu-cleaning">{t('taps.daysSinceCleaning', { days: tap.days_since_cleaning })}</p>
        )}
        {tap.next && (
          <p class="menu-next">{t('menu.next', { beer: tap.next.name, producer: tap.next.producer })}</p>
        )}
        <p class="menu-tap">{at}</p>
      </div>
      {tap.keg && tap.prices.length > 0 && (
        <ul class="menu-prices">
          {tap.prices.map((price) => (
            <li key={price.serving_size_id} class="menu-price">
              <span class="menu-serving">{servingText(price, units)}</span>{' '}
              <span class="menu-sum">{formatPriceMinor(price.price_minor, price.currency)}</span>
            </li>
          ))}
        </ul>
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
  // Not lazy: a picture that was never scrolled to would be missing on paper.
  return <img class="menu-picture" src={picture.resized_url} alt={caption} />;
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
