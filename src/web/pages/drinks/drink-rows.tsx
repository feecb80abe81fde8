import { useSignal } from '@preact/signals';
import type { HouseMessage, LiveDrink } from '../../../http/live/shapes.ts';
import { PagedList } from '../../components/paged-list.tsx';
import { lazyComponent } from '../../lazy-page.tsx';
import { DrinkRow } from '../../taps/drink-list.tsx';
import { dataVersion } from '../../toast.tsx';
import { useKegNames } from '../kegs/cellar.ts';

const DrinkSheet = lazyComponent(() =>
  import('../../taps/drink-dialog.tsx').then((module) => module.default),
);

/** A drink as the API tells of it. */
export interface Drink {
  readonly id: number;
  readonly volume_ml: number;
  readonly user_id: string | null;
  readonly pour_time: string;
  readonly keg_id: number | null;
}

interface DrinkRowsProps {
  /** Which drinks, below `/api`. */
  readonly path: string;
  readonly app: HouseMessage;
  readonly label: string;
  readonly empty: string;
}

/** Drinks without end, newest first; staff touch one to put it right. */
export function DrinkRows({ path, app, label, empty }: DrinkRowsProps) {
  const beerIn = useKegNames();
  const open = useSignal<LiveDrink | null>(null);
  return (
    <div class="card">
      <PagedList<Drink>
        path={path}
        itemsKey="drinks"
        label={label}
        empty={empty}
        class="drink-rows"
        reloadKey={`${app.drinks[0]?.id}/${dataVersion.value}`}
        renderItem={(drink) => {
          const shown = liveDrink(drink, app, beerIn(drink.keg_id));
          return <DrinkRow key={drink.id} drink={shown} units={app} onCorrect={() => (open.value = shown)} />;
        }}
      />
      {open.value && <DrinkSheet drink={open.value} house={app} onClose={() => (open.value = null)} />}
    </div>
  );
}

/** The drink as the live list knows it, or as much of that as the books tell. */
function liveDrink(drink: Drink, app: HouseMessage, beer: string | null): LiveDrink {
  const known = app.drinks.find(({ id }) => id === drink.id);
  return {
    tap_name: known?.tap_name ?? '',
    time_certain: known?.time_certain ?? true,
    recovered: known?.recovered ?? false,
    id: drink.id,
    beverage_name: beer,
    user_id: drink.user_id,
    volume_ml: drink.volume_ml,
    pour_time: drink.pour_time,
  };
}
