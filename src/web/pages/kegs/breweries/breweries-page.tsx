import { useSignal } from '@preact/signals';
import { toHref } from '../../../app/routing.ts';
import { SearchField } from '../../../components/form/search-field.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { useDebounced } from '../../../components/use-debounced.ts';
import { language, t } from '../../../locales/locale.ts';
import { CatalogueRow, CatalogueTabs } from '../beers/catalogue-list.tsx';
import { countryNames } from './country-names.ts';
import '../../../styles/kegs/beers.css';

/** All breweries, newest first, by search. */
export function BreweriesPage({ query }: PageProps) {
  const search = useSignal(query.get('search') ?? '');
  const settled = useDebounced(search.value.trim());
  const countries = countryNames(language);
  return (
    <Page title={t('beers.breweries')} requiredRole="staff">
      <CatalogueTabs current="breweries" />
      <p>
        <a class="button" href={toHref('/breweries/new')}>
          {t('beers.newBrewery')}
        </a>
      </p>
      <div class="filters is-one">
        <SearchField label={t('beers.searchBreweries')} search={search} />
      </div>
      <div class="card">
        <PagedList
          operation="GET /beverage-producers"
          input={{ query: settled === '' ? {} : { search: settled } }}
          itemsKey="beverage_producers"
          label={t('beers.breweries')}
          emptyPicture="keg"
          empty={settled === '' ? t('beers.noBreweries') : t('beers.noneFound')}
          emptyAction={
            settled === ''
              ? { label: t('beers.addFirstBrewery'), path: '/breweries/new' }
              : { label: t('common.showAll'), onAct: () => (search.value = '') }
          }
          renderItem={(brewery) => (
            <CatalogueRow
              key={brewery.id}
              href={toHref(`/breweries/${brewery.id}`)}
              name={brewery.name}
              facts={[
                brewery.origin_city,
                brewery.origin_state,
                countries.get(brewery.country) ?? brewery.country,
              ]}
              picture={brewery.picture?.thumbnail_url ?? null}
              color={null}
            />
          )}
        />
      </div>
    </Page>
  );
}
