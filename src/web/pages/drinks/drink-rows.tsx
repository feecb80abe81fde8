import { useSignal } from '@preact/signals';
import type { LiveDrink, SnapshotMessage } from '../../../http/live/shapes.ts';
import { lazyComponent } from '../../app/lazy-page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { dataVersion } from '../../components/toast.tsx';
import { useKegNames } from '../kegs/keg-data.ts';
import { DrinkRow } from './drink-list.tsx';

const DrinkDialog = lazyComponent(() => import('./drink-dialog.tsx').then((module) => module.default));

/** A drink in the API's form. */
export interface Drink {
  readonly id: number;
  readonly volume_ml: number;
  readonly user_id: string | null;
  readonly pour_time: string;
  readonly keg_id: number | null;
}

interface DrinkRowsProps {
  /** Path of the drinks below `/api`. */
  readonly path: string;
  readonly snapshot: SnapshotMessage;
  readonly label: string;
  readonly empty: string;
}

/** A paged list of drinks, newest first; staff open one to correct it. */
export function DrinkRows({ path, snapshot, label, empty }: DrinkRowsProps) {
  const kegName = useKegNames();
  const selected = useSignal<LiveDrink | null>(null);
  return (
    <div class="card">
      <PagedList<Drink>
        path={path}
        itemsKey="drinks"
        label={label}
        empty={empty}
        class="drink-rows"
        reloadKey={`${snapshot.drinks[0]?.id}/${dataVersion.value}`}
        renderItem={(drink) => {
          const liveDrink = toLiveDrink(drink, snapshot, kegName(drink.keg_id));
          return (
            <DrinkRow
              key={drink.id}
              drink={liveDrink}
              units={snapshot}
              onCorrect={() => (selected.value = liveDrink)}
            />
          );
        }}
      />
      {selected.value && (
        <DrinkDialog drink={selected.value} snapshot={snapshot} onClose={() => (selected.value = null)} />
      )}
    </div>
  );
}

/** Converts an API drink to a live drink, with the extra fields of the live list while it is there. */
function toLiveDrink(drink: Drink, snapshot: SnapshotMessage, beverageName: string | null): LiveDrink {
  const recent = snapshot.drinks.find(({ id }) => id === drink.id);
  return {
    tap_name: recent?.tap_name ?? '',
    time_certain: recent?.time_certain ?? true,
    recovered: recent?.recovered ?? false,
    id: drink.id,
    beverage_name: beverageName,
    user_id: drink.user_id,
    volume_ml: drink.volume_ml,
    pour_time: drink.pour_time,
  };
}
