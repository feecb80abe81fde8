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

/** The site and each user, keg and session with drinks, as rows that the statistics belong to. */
export function createStatisticsRows({ store }: EngineParts) {
  const count = store.cachedUntilWrite(() =>
    store.drinkTotals.pours('site') === 0 ? 0 : store.statistics.subjectCount() + 1,
  );
  return {
    /** A page of rows, ids descending. */
    list: (page: PageRequest): Page<StatisticsRow> =>
      readPage(page, count(), (slice) => store.snapshot(() => readRows(store, slice))),
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
    const subjects = store.statistics.subjects(kind, { from: first, upwards, limit });
    return subjects.map((one) => toRowId(kind, one));
  });
  const hasSite = store.drinkTotals.pours('site') > 0 && (!upwards || from.id <= 1);
  const sorted = [...ids, ...(hasSite ? [1] : [])].sort((one, other) => other - one);
  return (upwards ? sorted.slice(-limit) : sorted.slice(0, limit)).map((id) => ({
    id,
    view: toView(store, id),
  }));
}

function toView(store: Store, rowId: number): StatisticsView {
  const kind = kinds[(rowId - 1) % kinds.length]!;
  const id = Math.floor((rowId - 1) / kinds.length);
  if (kind === 'site') return { kind };
  return kind === 'user' ? { kind, username: store.users.byId(id)!.username } : { kind, id };
}
