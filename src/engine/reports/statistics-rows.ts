import type { Slice } from '../../store/shared/slice.ts';
import type { Store } from '../../store/store.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { StatisticsView } from './statistics.ts';

/** What statistics are kept about: the whole site, or one user, keg or session with drinks. */
export interface StatisticsRow {
  /** Stable: made of the kind and the id of the subject. */
  readonly id: number;
  readonly view: StatisticsView;
}

/** The kind of a row, by its id modulo 4 after subtracting 1. The site has one row, with the id 1. */
const kinds = ['site', 'user', 'keg', 'session'] as const;
type Kind = (typeof kinds)[number];
const subjectKinds = ['user', 'keg', 'session'] as const;

const toRowId = (kind: Kind, subject: number): number => subject * kinds.length + kinds.indexOf(kind) + 1;

/**
 * Drinks that the rows of a page may sum up together: some 100 ms on a workstation. A row alone may have more, since a
 * regular or a tank may.
 */
const maxDrinks = 50_000;

/** The site and each user, keg and session with drinks, as rows that the statistics belong to. */
export function createStatisticsRows({ store }: EngineParts) {
  const count = store.cachedUntilWrite(() =>
    store.drinks.totals.pours('site') === 0 ? 0 : store.reports.statistics.subjectCount() + 1,
  );
  return {
    /** A page of rows, ids descending. It has fewer rows than its limit if these would sum up more than 50 000 drinks. */
    list(request: PageRequest): Page<StatisticsRow> {
      const page = readPage(request, count(), (slice) => store.snapshot(() => readRows(store, slice)));
      return limitCost(page, {
        upwards: request.cursor?.direction === 'above',
        most: maxDrinks,
        // The row of the site is made of stored totals.
        costOf: ({ id, view }) =>
          view.kind === 'site' ? 0 : store.drinks.totals.pours(view.kind, subjectOf(id)),
      });
    },
    /** Null for an id without drinks. */
    get(id: number): StatisticsRow | null {
      const slice = { from: { id }, upwards: false, limit: 1 };
      return readRows(store, slice).find((row) => row.id === id) ?? null;
    },
  };
}

function readRows(store: Store, { from, upwards, limit }: Slice): readonly StatisticsRow[] {
  const ids = subjectKinds.flatMap((kind) => {
    const subject = (from.id - kinds.indexOf(kind) - 1) / kinds.length;
    const first = { id: upwards ? Math.ceil(subject) : Math.floor(subject) };
    const subjects = store.reports.statistics.subjects(kind, { from: first, upwards, limit });
    return subjects.map((one) => toRowId(kind, one));
  });
  const hasSite = store.drinks.totals.pours('site') > 0 && (!upwards || from.id <= 1);
  const sorted = [...ids, ...(hasSite ? [1] : [])].sort((one, other) => other - one);
  return (upwards ? sorted.slice(-limit) : sorted.slice(0, limit)).map((id) => ({
    id,
    view: toView(store, id),
  }));
}

/**
 * Shortens a page to the rows that cost no more than `most` together, but at least one. The rows that are left out are on the
 * page that follows in the direction of reading.
 */
export function limitCost<T extends { readonly id: number }>(
  page: Page<T>,
  { upwards, most, costOf }: { readonly upwards: boolean; readonly most: number; costOf(row: T): number },
): Page<T> {
  const inOrder = upwards ? page.items.toReversed() : page.items;
  let cost = 0;
  const count = inOrder.findIndex((row, i) => {
    cost += costOf(row);
    return i > 0 && cost > most;
  });
  if (count === -1) return page;
  const kept = inOrder.slice(0, count);
  const row = { id: kept.at(-1)!.id };
  return upwards
    ? { ...page, items: kept.toReversed(), prev: { direction: 'above', row } }
    : { ...page, items: kept, next: { direction: 'below', row } };
}

const kindOf = (rowId: number): Kind => kinds[(rowId - 1) % kinds.length]!;
const subjectOf = (rowId: number): number => Math.floor((rowId - 1) / kinds.length);

function toView(store: Store, rowId: number): StatisticsView {
  const [kind, id] = [kindOf(rowId), subjectOf(rowId)];
  if (kind === 'site') return { kind };
  return kind === 'user' ? { kind, username: store.users.byId(id)!.username } : { kind, id };
}
