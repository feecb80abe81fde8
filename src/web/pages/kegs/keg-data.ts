import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { BeerType } from '../../api/generated.ts';
import { usePageLoad } from '../../components/page-load.ts';
import { dataVersion } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';

/** Beverages by id; empty until they are loaded. */
export function useBeverages(): ReadonlySignal<ReadonlyMap<string, BeerType>> {
  const beverages = useSignal<ReadonlyMap<string, BeerType>>(new Map());
  const { begin } = usePageLoad();
  useEffect(() => {
    const end = begin();
    void request('GET /beverages', { query: { limit: 1000 } })
      .then((answer) => {
        if (answer.ok)
          beverages.value = new Map(answer.result.beverages.map((beverage) => [beverage.id, beverage]));
      })
      .finally(end);
    return end;
    // Loads again after each action: a new keg may have added a beverage.
  }, [dataVersion.value]);
  return beverages;
}

/** Looks up a keg's beverage name by keg id, for lists of drinks that contain only the keg id. */
export function useKegNames(): (kegId: number | null) => string | null {
  const beverages = useBeverages();
  const typeIds = useSignal<ReadonlyMap<number, string>>(new Map());
  const { begin } = usePageLoad();
  useEffect(() => {
    const end = begin();
    void request('GET /kegs', { query: { limit: 1000 } })
      .then((answer) => {
        if (answer.ok) typeIds.value = new Map(answer.result.kegs.map((keg) => [keg.id, keg.type_id]));
      })
      .finally(end);
    return end;
  }, [dataVersion.value]);
  return (kegId) =>
    kegId === null
      ? null
      : (beverages.value.get(typeIds.value.get(kegId) ?? '')?.name ?? t('kegs.keg', { id: kegId }));
}
