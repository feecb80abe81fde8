import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { dataVersion } from '../../components/toast.tsx';
import { say } from '../../words/say.ts';

/** A keg in the API's form. */
export interface Keg {
  readonly id: number;
  readonly state: 'available' | 'on_tap' | 'finished';
  readonly volume_ml_remain: number;
  readonly percent_full: number;
  readonly full_volume_ml: number;
  readonly served_volume_ml: number;
  readonly spilled_ml: number;
  readonly type_id: string;
  readonly started_time: string;
  readonly finished_time: string | null;
}

/** A beverage in the API's form. */
export interface Beverage {
  readonly id: string;
  readonly name: string;
  readonly style_id: string;
  readonly color_hex: string;
  readonly abv: number | null;
  readonly producer: { readonly name: string };
}

/** Beverages by id; empty until they are loaded. */
export function useBeverages(): ReadonlySignal<ReadonlyMap<string, Beverage>> {
  const beverages = useSignal<ReadonlyMap<string, Beverage>>(new Map());
  useEffect(() => {
    void requestWithPin<{ readonly beverages: readonly Beverage[] }>('GET', '/beverages?limit=1000').then(
      (answer) => {
        if (answer.ok)
          beverages.value = new Map(answer.result.beverages.map((beverage) => [beverage.id, beverage]));
      },
    );
    // Loads again after each action: a new keg may have added a beverage.
  }, [dataVersion.value]);
  return beverages;
}

/** Looks up a keg's beverage name by keg id, for lists of drinks that contain only the keg id. */
export function useKegNames(): (kegId: number | null) => string | null {
  const beverages = useBeverages();
  const typeIds = useSignal<ReadonlyMap<number, string>>(new Map());
  useEffect(() => {
    void requestWithPin<{ readonly kegs: readonly Keg[] }>('GET', '/kegs?limit=1000').then((answer) => {
      if (answer.ok) typeIds.value = new Map(answer.result.kegs.map((keg) => [keg.id, keg.type_id]));
    });
  }, [dataVersion.value]);
  return (kegId) =>
    kegId === null ? null : (beverages.value.get(typeIds.value.get(kegId) ?? '')?.name ?? say.keg(kegId));
}
