import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { BeerType } from '../../api/generated.ts';
import { usePageLoad } from '../../components/page-load.ts';

/** Details of the beverages by tap id; loaded again when a keg or its beverage changes. */
export function useBeveragesByTap(snapshot: SnapshotMessage): ReadonlyMap<string, BeerType> {
  const beverages = useSignal<ReadonlyMap<string, BeerType>>(new Map());
  const { begin } = usePageLoad();
  const kegs = JSON.stringify(snapshot.taps.map(({ id, keg, beverage }) => [id, keg?.id, beverage]));
  useEffect(() => {
    const end = begin();
    void request('GET /taps')
      .then((answer) => {
        if (!answer.ok) return;
        beverages.value = new Map(
          answer.result.taps.flatMap(({ tap, beverage }) => (beverage ? [[tap.id, beverage]] : [])),
        );
      })
      .finally(end);
    return end;
  }, [kegs]);
  return beverages.value;
}
