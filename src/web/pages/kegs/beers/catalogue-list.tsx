import { toHref } from '../../../app/routing.ts';
import { t } from '../../../locales/locale.ts';
import { BeerGlass } from '../beer-glass.tsx';

/** Links between the lists of beers and breweries. */
export function CatalogueTabs({ current }: { readonly current: 'beers' | 'breweries' }) {
  const tabs = [
    { key: 'beers', path: '/beers', label: t('beers.title') },
    { key: 'breweries', path: '/breweries', label: t('beers.breweries') },
  ];
  return (
    <nav class="catalogue-tabs" aria-label={t('beers.lists')}>
      {tabs.map(({ key, path, label }) => (
        <a key={key} class="chip" href={toHref(path)} aria-current={key === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

interface CatalogueRowProps {
  readonly href: string;
  readonly name: string;
  /** Empty ones are left out. */
  readonly facts: readonly string[];
  /** Address of the thumbnail; null without a picture. */
  readonly picture: string | null;
  /** Colour of the drawn glass that stands for a missing picture; null draws none. */
  readonly color: string | null;
}

/** A row of a list of beers or breweries: the whole row opens the editor. */
export function CatalogueRow({ href, name, facts, picture, color }: CatalogueRowProps) {
  return (
    <li class="catalogue-row">
      <a class="catalogue-link" href={href}>
        <span class="catalogue-picture">
          {picture !== null ? (
            <img src={toHref(picture)} alt="" width={56} height={56} loading="lazy" />
          ) : (
            color !== null && <BeerGlass color={color} isEmpty={false} />
          )}
        </span>
        <span class="row-text">
          <span class="row-name">{name}</span>
          <span class="soft catalogue-facts">{facts.filter(Boolean).join(' · ')}</span>
        </span>
      </a>
    </li>
  );
}
