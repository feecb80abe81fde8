import { BeerDetails } from '../../../app/slots.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { BeerPrices } from '../prices/beer-prices.tsx';
import { BeerEditor } from './beer-editor.tsx';

/** The editor of one beer; the id `new` adds one. */
export function BeerPage({ id, snapshot }: PageProps) {
  const isNew = id === 'new';
  const { result, error } = useResource('GET /beverages/{id}', isNew ? null : { path: { id: Number(id) } });
  const beer = result?.beverage ?? null;
  return (
    <Page
      width="form"
      title={isNew ? t('beers.newBeer') : (beer?.name ?? t('beers.beer'))}
      requiredRole="staff"
    >
      {error !== null && (
        <p class="refusal" role="alert">
          {error}
        </p>
      )}
      {(isNew || beer) && <BeerEditor key={beer?.id ?? 'new'} beer={beer} />}
      {beer && (
        <section class="group">
          <h3>{t('servings.beerPrices')}</h3>
          <p class="soft">{t('servings.beerPricesWhy')}</p>
          <BeerPrices beverageId={Number(beer.id)} beer={beer.name} units={snapshot} />
        </section>
      )}
      {beer && <BeerDetails beverageId={Number(beer.id)} beer={beer.name} units={snapshot} />}
    </Page>
  );
}
