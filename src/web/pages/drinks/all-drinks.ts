import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Drink } from '../../api/generated.ts';
import { usePageLoad } from '../../components/page-load.ts';
import { pageQuery } from '../../components/paging.ts';
import { dataVersion } from '../../components/use-resource.ts';

/** Requests at most, of 1000 drinks each; more are left out of the chart. */
const maxPages = 5;

/** What one person, or one keg, has of a list of drinks. */
export interface DrinkShare<K> {
  readonly key: K;
  readonly volumeMl: number;
  readonly pours: number;
}

/** All drinks of a session or a keg, the earliest first; null before they are loaded. */
export function useAllDrinks(
  subject: { readonly session: number } | { readonly keg: number },
  reloadKey: string | number,
): readonly Drink[] | null {
  const drinks = useSignal<readonly Drink[] | null>(null);
  const { begin } = usePageLoad();
  const key = JSON.stringify(subject);
  useEffect(() => {
    let isCancelled = false;
    const end = begin();
    void readDrinks(subject)
      .then((all) => {
        if (!isCancelled && all !== null) drinks.value = all;
      })
      .finally(end);
    return () => {
      end();
      isCancelled = true;
    };
  }, [key, reloadKey, dataVersion.value]);
  return drinks.value;
}

async function readDrinks(subject: Parameters<typeof useAllDrinks>[0]): Promise<readonly Drink[] | null> {
  const drinks: Drink[] = [];
  let page: object = {};
  for (let count = 0; count < maxPages; count += 1) {
    const query = { ...subject, order: 'time', limit: 1000, ...page } as const;
    const answer = await request('GET /drinks', { query });
    if (!answer.ok) return null;
    drinks.push(...answer.result.drinks);
    const { next } = answer.result.paging;
    if (next === null) break;
    page = pageQuery(next);
  }
  return drinks.reverse();
}

/** Sums drinks by a key, the largest volume first. */
export function sumDrinks<K>(drinks: readonly Drink[], keyOf: (drink: Drink) => K): readonly DrinkShare<K>[] {
  const shares = new Map<K, DrinkShare<K>>();
  for (const drink of drinks) {
    const key = keyOf(drink);
    const { volumeMl, pours } = shares.get(key) ?? { volumeMl: 0, pours: 0 };
    shares.set(key, { key, volumeMl: volumeMl + drink.volume_ml, pours: pours + 1 });
  }
  return [...shares.values()].sort((one, other) => other.volumeMl - one.volumeMl);
}
