import type { Store } from '../../store/store.ts';
import { readPage } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { Page, PageRequest } from '../shared/views.ts';
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

/** The site and each user, keg and session with drinks, as rows that the statistics belong to. */
export function createStatisticsRows({ store }: EngineParts) {
  const count = store.cachedUntilWrite(() =>
    store.drinkTotals.pours('site') === 0 ? 0 : store.statistics.subjectCount() + 1,
  );
  return {
    /** A page of rows, ids descending. */
    list: (page: PageRequest): Page<StatisticsRow> =>
      readPage(page, count(), (from, limit) => store.snapshot(() => readRows(store, from, limit))),
    /** Null for an id without drinks. */
    get(id: number): StatisticsRow | null {
      return readRows(store, id, 1).find((row) => row.id === id) ?? null;
    },
  };
}

function readRows(store: Store, from: number, limit: number): readonly StatisticsRow[] {
  const ids = subjectKinds.flatMap((kind) => {
    const newest = Math.floor((from - kinds.indexOf(kind) - 1) / kinds.length);
    return store.statistics.subjects(kind, newest, limit).map((subject) => toRowId(kind, subject));
  });
  const hasSite = store.drinkTotals.pours('site') > 0;
  return [...ids, ...(hasSite ? [1] : [])]
    .sort((one, other) => other - one)
    .slice(0, limit)
    .map((id) => ({ id, view: toView(store, id) }));
}

function toView(store: Store, rowId: number): StatisticsView {
  const kind = kinds[(rowId - 1) % kinds.length]!;
  const id = Math.floor((rowId - 1) / kinds.length);
  if (kind === 'site') return { kind };
  return kind === 'user' ? { kind, username: store.users.byId(id)!.username } : { kind, id };
}
