import { matchesSearch, toSearchText } from '../../../../core/text/text-search.ts';
import type { BeerType, Producer } from '../../../api/generated.ts';
import { strength } from '../../../app/format.ts';
import type { ComboboxOption } from '../../../components/form/combobox.tsx';
import { useDebounced } from '../../../components/use-debounced.ts';
import { useResource } from '../../../components/use-resource.ts';

/** Found beers and breweries; the best of them are shown. */
const maxFound = 50;
/** More would hide the rest of the form. */
const maxShown = 7;

/** A suggested beer or brewery. */
export interface Suggested<R> extends ComboboxOption {
  readonly record: R;
}

interface Suggestions<R> {
  readonly options: readonly Suggested<R>[];
  /** True when what is known was searched for this text, so that a name without an option is new. */
  readonly isSearched: boolean;
}

/** Beers with these words in their name, style or brewery; the newest for an empty text. */
export function useBeerSuggestions(text: string): Suggestions<BeerType> {
  const search = useDebounced(text.trim());
  const { result, isCurrent } = useResource('GET /beverages', { query: { search, limit: maxFound } });
  // What was found for the text before is shown until the answer arrives.
  const beers = (result?.beverages ?? []).filter((beer) => matchesSearch(beerText(beer), text));
  const options = toOptions(beers, text, (beer) =>
    [beer.producer.name, beer.style_id, beer.abv === null ? '' : strength(beer.abv)]
      .filter(Boolean)
      .join(' · '),
  );
  return { options, isSearched: isCurrent && search === text.trim() };
}

/** Breweries with these words in their name or city; the newest for an empty text. */
export function useBrewerySuggestions(text: string): Suggestions<Producer> {
  const search = useDebounced(text.trim());
  const { result, isCurrent } = useResource('GET /beverage-producers', {
    query: { search, limit: maxFound },
  });
  const breweries = (result?.beverage_producers ?? []).filter((brewery) =>
    matchesSearch(`${brewery.name} ${brewery.origin_city}`, text),
  );
  const options = toOptions(breweries, text, ({ origin_city: city }) => city);
  return { options, isSearched: isCurrent && search === text.trim() };
}

/** Names of a fixed list that contain the text, for a text that may also be something else. */
export const suggestNames = (names: readonly string[], text: string): readonly ComboboxOption[] =>
  names
    .filter((name) => name !== text && matchesSearch(name, text))
    .sort(bestFirst(text, (name) => name))
    .slice(0, maxShown)
    .map((name) => ({ key: name, text: name }));

const beerText = ({ name, producer, style_id: style }: BeerType) => `${name} ${producer.name} ${style}`;

/** True for texts that differ only in case, accents and punctuation. */
export const isSameName = (one: string, other: string): boolean => toSearchText(one) === toSearchText(other);

function toOptions<R extends { readonly id: string | number; readonly name: string }>(
  records: readonly R[],
  text: string,
  describe: (record: R) => string,
): readonly Suggested<R>[] {
  return [...records]
    .sort(bestFirst(text, ({ name }) => name))
    .slice(0, maxShown)
    .map((record) => {
      const detail = describe(record);
      return { key: String(record.id), text: record.name, record, ...(detail !== '' && { detail }) };
    });
}

/** Names that begin with the text stand before those that only contain it. */
function bestFirst<R>(text: string, nameOf: (record: R) => string) {
  const search = toSearchText(text);
  const rank = (record: R) => Number(!toSearchText(nameOf(record)).startsWith(search));
  return (one: R, other: R) => rank(one) - rank(other);
}
