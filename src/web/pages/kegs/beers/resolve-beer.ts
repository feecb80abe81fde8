import { type ChangeKeys, withChangeKeys } from '../../../api/change-keys.ts';
import { type Answer, request } from '../../../api/client.ts';
import { t } from '../../../locales/locale.ts';
import type { BreweryChoice } from '../breweries/brewery-chooser.tsx';
import type { BeerChooserState } from './beer-chooser.tsx';
import { isSameName } from './suggestions.ts';

/** Most records compared with a typed name. */
const maxCompared = 1000;

/** Returns the id of the chosen brewery; creates a new one unless one of that name exists. */
export async function resolveBrewery({ id, name }: BreweryChoice): Promise<Answer<number>> {
  if (id !== null) return { ok: true, result: id };
  const search = name.trim();
  const found = await request('GET /beverage-producers', { query: { search, limit: maxCompared } });
  if (!found.ok) return found;
  const same = found.result.beverage_producers.find((one) => isSameName(one.name, search));
  if (same) return { ok: true, result: same.id };
  const created = await request('POST /beverage-producers', { body: { name: search } });
  return created.ok ? { ok: true, result: created.result.beverage_producer.id } : created;
}

/**
 * Returns the id of the chosen beer. A new one is created with its name and brewery, unless that brewery has a beer of that
 * name.
 */
export async function resolveBeer({ choice, brewery }: BeerChooserState): Promise<Answer<string>> {
  const { beer, name } = choice.value;
  if (beer !== null) return { ok: true, result: beer.id };
  const search = name.trim();
  const found = await request('GET /beverages', { query: { search, limit: maxCompared } });
  if (!found.ok) return found;
  const same = found.result.beverages.filter((one) => isSameName(one.name, search));
  const maker = brewery.value.name.trim();
  if (maker === '') {
    // Sent before the suggestions arrived.
    if (same.length === 1) return { ok: true, result: same[0]!.id };
    return { ok: false, status: 0, sentence: t('beers.breweryNeeded'), fields: {} };
  }
  const known = same.find((one) => isSameName(one.producer.name, maker));
  if (known) return { ok: true, result: known.id };
  const producer = await resolveBrewery(brewery.value);
  if (!producer.ok) return producer;
  const created = await request('POST /beverages', { body: { name: search, producer_id: producer.result } });
  return created.ok ? { ok: true, result: created.result.beverage.id } : created;
}

/** Sends a request with the id of the chosen beer; a repeated one has the same idempotency key from `keys`. */
export async function sendWithBeer<R>(
  state: BeerChooserState,
  keys: ChangeKeys,
  send: (beverageId: string) => Promise<Answer<R>>,
): Promise<Answer<R>> {
  const beer = await resolveBeer(state);
  return beer.ok ? withChangeKeys(keys, () => send(beer.result)) : beer;
}
