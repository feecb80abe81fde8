import { useSignal } from '@preact/signals';
import type { LiveDrink, SnapshotMessage } from '../../../http/live/shapes.ts';
import type { Drink, Operations } from '../../api/generated.ts';
import { newestDrinkId } from '../../app/live.ts';
import { lazyComponent } from '../../app/routing.ts';
import type { EmptyPictureName } from '../../components/empty-picture.tsx';
import type { EmptyAction } from '../../components/empty-state.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { DrinkRow } from './drink-list.tsx';
import { toLiveDrink } from './to-live-drink.ts';

const DrinkDialog = lazyComponent(() => import('./drink-dialog.tsx').then((module) => module.default));

interface DrinkRowsProps {
  /** Lists only the drinks of this keg. */
  readonly kegId?: number;
  /** Filters of the list of all drinks. */
  readonly query?: Operations['GET /drinks']['query'];
  readonly snapshot: SnapshotMessage;
  readonly label: string;
  readonly empty: string;
  /** Picture of an empty list that is all of its page. */
  readonly emptyPicture?: EmptyPictureName;
  /** What fills an empty list. */
  readonly emptyAction?: EmptyAction | undefined;
  /** Drinks per request, where other lists are on the page. */
  readonly pageSize?: number;
}

/** A paged list of drinks, newest first; staff open one to correct it. */
export function DrinkRows(props: DrinkRowsProps) {
  const { kegId, query = {}, snapshot, label, empty, emptyPicture, emptyAction } = props;
  const selected = useSignal<LiveDrink | null>(null);
  const list = {
    itemsKey: 'drinks',
    label,
    empty,
    ...(emptyPicture !== undefined && { emptyPicture }),
    emptyAction,
    class: 'drink-rows',
    pageSize: props.pageSize,
    reloadKey: newestDrinkId(snapshot),
    renderItem(drink: Drink) {
      const liveDrink = toLiveDrink(drink, snapshot);
      return (
        <DrinkRow
          key={drink.id}
          drink={liveDrink}
          claimedName={drink.claimed_username}
          units={snapshot}
          onCorrect={() => (selected.value = liveDrink)}
        />
      );
    },
  } as const;
  return (
    <div class="card">
      {kegId === undefined ? (
        <PagedList operation="GET /drinks" input={{ query: { ...query, order: 'time' } }} {...list} />
      ) : (
        <PagedList
          operation="GET /kegs/{id}/drinks"
          input={{ path: { id: kegId }, query: { order: 'time' } }}
          {...list}
        />
      )}
      {selected.value && (
        <DrinkDialog drink={selected.value} snapshot={snapshot} onClose={() => (selected.value = null)} />
      )}
    </div>
  );
}
