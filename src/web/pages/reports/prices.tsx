import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import { BeerPrices } from '../kegs/prices/beer-prices.tsx';

const sectionId = 'prices';

/** Prices per serving size of the beers on tap, and of those that come next. */
export function PricesOfBeers({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result, error } = useResource('GET /taps');
  const beverages = new Map(
    result?.taps.flatMap(({ beverage, next }) =>
      [beverage, next?.beverage].flatMap((one) => (one ? [[one.id, one] as const] : [])),
    ),
  );
  return (
    <section class="group" id={sectionId} tabIndex={-1} aria-labelledby={`${sectionId}-title`}>
      <h3 id={`${sectionId}-title`}>{t('servings.beerPrices')}</h3>
      <p class="soft">
        {t('servings.beerPricesWhy')} <a href={toHref('/beers')}>{t('reports.otherBeers')}</a>
      </p>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="wiring">
        {[...beverages.values()].map(({ id, name }) => (
          <BeerPrices key={id} beverageId={Number(id)} beer={name} units={snapshot} />
        ))}
      </div>
    </section>
  );
}

/** A link to the section where prices are set. */
export function PricesLink() {
  const show = (event: Event) => {
    // Neither the router nor the browser shall open the address: the document's base differs from it.
    event.preventDefault();
    event.stopPropagation();
    document.getElementById(sectionId)?.focus();
  };
  return (
    <a href={toHref(`/reports#${sectionId}`)} onClick={show}>
      {t('reports.setPrices')}
    </a>
  );
}
