import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { BeerType } from '../../../api/generated.ts';
import { strength } from '../../../app/format.ts';
import { toHref } from '../../../app/routing.ts';
import { SearchField } from '../../../components/form/search-field.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { useDebounced } from '../../../components/use-debounced.ts';
import { t } from '../../../locales/locale.ts';
import { CatalogueRow, CatalogueTabs } from './catalogue-list.tsx';
import '../../../styles/kegs/beers.css';

type Use = 'on_tap' | 'in_stock' | 'unused';

const uses: readonly Use[] = ['on_tap', 'in_stock', 'unused'];

/** All beers, newest first, by search and use. */
export function BeersPage({ query }: PageProps) {
  const id = useId();
  const search = useSignal(query.get('search') ?? '');
  const use = useSignal(uses.find((one) => one === query.get('use')) ?? null);
  const settled = useDebounced(search.value.trim());
  const isFiltered = settled !== '' || use.value !== null;
  const showAll = () => {
    search.value = '';
    use.value = null;
  };
  return (
    <Page title={t('beers.title')} requiredRole="staff">
      <CatalogueTabs current="beers" />
      <p>
        <a class="button" href={toHref('/beers/new')}>
          {t('beers.newBeer')}
        </a>
      </p>
      <div class="filters">
        <SearchField label={t('beers.search')} search={search} />
        <label class="field" for={`${id}-use`}>
          {t('beers.show')}
          <select
            id={`${id}-use`}
            value={use.value ?? ''}
            onChange={({ currentTarget: { value } }) => {
              use.value = uses.find((one) => one === value) ?? null;
            }}
          >
            <option value="">{t('common.all')}</option>
            <option value="on_tap">{t('beers.uses.on_tap')}</option>
            <option value="in_stock">{t('beers.uses.in_stock')}</option>
            <option value="unused">{t('beers.uses.unused')}</option>
          </select>
        </label>
      </div>
      <div class="card">
        <PagedList
          operation="GET /beverages"
          input={{
            query: {
              ...(settled !== '' && { search: settled }),
              ...(use.value !== null && { use: use.value }),
            },
          }}
          itemsKey="beverages"
          label={t('beers.title')}
          emptyPicture="glass"
          empty={isFiltered ? t('beers.noneFound') : t('beers.none')}
          emptyAction={
            isFiltered
              ? { label: t('common.showAll'), onAct: showAll }
              : { label: t('beers.addFirst'), path: '/beers/new' }
          }
          renderItem={(beer) => <BeerRow key={beer.id} beer={beer} />}
        />
      </div>
    </Page>
  );
}

function BeerRow({ beer }: { readonly beer: BeerType }) {
  return (
    <CatalogueRow
      href={toHref(`/beers/${beer.id}`)}
      name={beer.name}
      facts={[beer.producer.name, beer.style_id, beer.abv === null ? '' : strength(beer.abv)]}
      picture={beer.picture?.thumbnail_url ?? null}
      color={beer.color_hex}
    />
  );
}
