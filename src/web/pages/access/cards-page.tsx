import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { SearchField } from '../../components/form/search-field.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { useDebounced } from '../../components/use-debounced.ts';
import { t } from '../../locales/locale.ts';
import { CardRow, type CardState } from './card-row.tsx';
import { NewCard } from './new-card.tsx';
import { UnknownCards } from './unknown-cards.tsx';

const states = ['assigned', 'unassigned', 'disabled', 'expired'] as const satisfies readonly CardState[];
const filters = ['all', 'unknown', ...states] as const;

/** All cards and tokens of users: unknown ones first, then those in the list, by search and state. */
export function CardsPage({ snapshot, query }: PageProps) {
  const id = useId();
  const search = useSignal(query.get('search') ?? '');
  const settled = useDebounced(search.value.trim());
  const filter = useSignal<(typeof filters)[number]>(
    filters.find((one) => one === query.get('state')) ?? 'all',
  );
  const state = states.find((one) => one === filter.value);
  const isFiltered = settled !== '' || state !== undefined;
  const showAll = () => {
    search.value = '';
    filter.value = 'all';
  };
  return (
    <Page title={t('tokens.title')} requiredRole="staff">
      <p class="soft">{t('tokens.why')}</p>
      <div class="filters">
        <SearchField label={t('tokens.find')} search={search} />
        <label class="field" for={id}>
          {t('tokens.show')}
          <select
            id={id}
            value={filter.value}
            onChange={(event) => {
              const { value } = event.currentTarget;
              filter.value = filters.find((one) => one === value) ?? 'all';
            }}
          >
            {filters.map((one) => (
              <option key={one} value={one}>
                {t(`tokens.filters.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <NewCard />
      {(filter.value === 'all' || filter.value === 'unknown') && (
        <UnknownCards units={snapshot} search={settled} />
      )}
      {filter.value !== 'unknown' && (
        <section class="group" aria-labelledby="cards">
          <h3 id="cards">{t('tokens.list')}</h3>
          <div class="card">
            <PagedList
              operation="GET /auth-tokens"
              input={{ query: { ...(settled !== '' && { search: settled }), ...(state && { state }) } }}
              itemsKey="tokens"
              label={t('tokens.list')}
              empty={isFiltered ? t('tokens.noneFound') : t('tokens.none')}
              emptyAction={
                isFiltered
                  ? { label: t('common.showAll'), onAct: showAll }
                  : { label: t('tokens.checkReaders'), path: '/wiring' }
              }
              emptyPicture="people"
              renderItem={(card) => <CardRow key={card.id} card={card} units={snapshot} />}
            />
          </div>
        </section>
      )}
    </Page>
  );
}
