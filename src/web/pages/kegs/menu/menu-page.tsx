import { SiteBackground } from '../../../app/frame/site-background.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { t } from '../../../locales/locale.ts';
import Claims from '../../drinks/claims.tsx';
import { useBeveragesByTap } from '../beverages-by-tap.ts';
import { pricesNowText } from '../prices/prices-now.ts';
import { MenuCard } from './menu-card.tsx';
import '../../../styles/kegs/menu.css';
import '../../../styles/kegs/menu-print.css';

/** Up to this number of beers, cards are printed in large type, one below the other. */
const mostLarge = 4;
/** From this number of beers on, cards are printed without descriptions, so that the menu stays one page. */
const leastSmall = 9;

const toDensity = (beers: number): string =>
  beers <= mostLarge ? 'large' : beers < leastSmall ? 'medium' : 'small';

/** The beer menu for guests: beverage, facts, prices, remaining amount and next keg of each tap. Prints as one page. */
export function MenuPage({ snapshot }: PageProps) {
  const beverages = useBeveragesByTap(snapshot);
  const prices = pricesNowText(snapshot);
  const shownTaps = snapshot.taps.filter((tap) => tap.keg !== null || tap.next !== null);
  return (
    <Page width="wide" title={t('menu.title')}>
      <SiteBackground url={snapshot.background_url} />
      {snapshot.logo_url !== null && <img class="menu-logo" src={snapshot.logo_url} alt="" />}
      <p class="menu-bar-name">{snapshot.title}</p>
      {prices !== null && <p class="menu-prices-now">{prices}</p>}
      <Claims snapshot={snapshot} />
      {shownTaps.length === 0 && <p class="empty-message">{t('menu.nothingOnTap')}</p>}
      <ul class="menu" data-density={toDensity(shownTaps.length)}>
        {shownTaps.map((tap) => (
          <MenuCard
            key={tap.id}
            tap={tap}
            beverage={beverages.get(tap.id) ?? null}
            units={snapshot}
            showsCleaning={snapshot.show_days_since_cleaning}
          />
        ))}
      </ul>
      {snapshot.allergen_note !== '' && <p class="menu-note">{snapshot.allergen_note}</p>}
    </Page>
  );
}
