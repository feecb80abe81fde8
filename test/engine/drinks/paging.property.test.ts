import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cursor, ListOrder, Page, PageRequest } from '../../../src/engine/engine.ts';
import { createTestServer, openingMs } from '../../http/test-server.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';

const minute = 60_000;

interface Row {
  readonly id: number;
  readonly timeMs: number;
}

type Change = { readonly pourAtMinute: number } | { readonly cancelIndex: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  // Few times, so that several rows have the same one; ten hours, so that there are several sessions.
  fc.record({ pourAtMinute: fc.integer({ min: 0, max: 20 }).map((half) => half * 30) }),
  fc.record({ cancelIndex: fc.nat({ max: 30 }) }),
);

function createBar() {
  const server = createTestServer();
  const { engine, store } = server;
  const at = (minutes: number) => ({
    monoMs: 100 * 3_600_000,
    wallMs: openingMs + minutes * minute,
    synced: true,
    bootId: 'boot-1',
  });
  const lists: Record<string, (page: PageRequest) => Page<Row>> = {
    drinks: (page) => withTimes(engine.lists.drinks(page), ({ pourTimeMs }) => pourTimeMs),
    'drinks of a tap': (page) =>
      withTimes(engine.lists.drinks({ ...page, tapId: 1 }), (one) => one.pourTimeMs),
    'drinks of a keg': (page) =>
      withTimes(engine.lists.drinks({ ...page, kegId: 1 }), (one) => one.pourTimeMs),
    'drinks of a user': (page) =>
      withTimes(engine.lists.drinks({ ...page, username: 'anna' }), (one) => one.pourTimeMs),
    'drinks of nobody': (page) =>
      withTimes(engine.lists.drinks({ ...page, isUnattributed: true }), (one) => one.pourTimeMs),
    'drinks of a time span': (page) =>
      withTimes(
        engine.lists.drinks({ ...page, sinceMs: at(90).wallMs, untilMs: at(400).wallMs }),
        (one) => one.pourTimeMs,
      ),
    sessions: (page) => withTimes(engine.lists.sessions(page), ({ startTimeMs }) => startTimeMs),
    events: (page) => withTimes(engine.lists.events(page), ({ timeMs }) => timeMs),
    'events of a kind': (page) =>
      withTimes(engine.lists.events({ ...page, kind: 'session_joined' }), ({ timeMs }) => timeMs),
    'events of a user': (page) =>
      withTimes(engine.lists.events({ ...page, username: 'anna' }), ({ timeMs }) => timeMs),
  };
  let pours = 0;
  return {
    lists,
    apply(one: Change): void {
      if ('pourAtMinute' in one) {
        pours += 1;
        const username = [undefined, 'anna', 'bert'][pours % 3];
        const tap = pours % 4 === 0 ? 'pi.flow1' : 'pi.flow0';
        const pour = { tap, ticks: 100, source: 'post', ...(username && { username }) } as const;
        insertDrink(store, pour, at(one.pourAtMinute));
        return;
      }
      const drinks = engine.lists.drinks({ limit: 1_000 }).items;
      const drink = drinks[one.cancelIndex % Math.max(1, drinks.length)];
      if (drink) engine.drinks.cancel(drink.id, { spilled: false }, at(900));
    },
  };
}

const withTimes = <T extends { readonly id: number }>(
  page: Page<T>,
  timeOf: (row: T) => number,
): Page<Row> => ({
  ...page,
  items: page.items.map((row) => ({ id: row.id, timeMs: timeOf(row) })),
});

const toKeys = (rows: readonly Row[]) => rows.map(({ id, timeMs }) => `${timeMs} ${id}`);

const inOrder = (rows: readonly Row[], order: ListOrder) =>
  rows.toSorted((a, b) => (order === 'time' ? b.timeMs - a.timeMs : 0) || b.id - a.id);

const reading = fc.record({
  order: fc.constantFrom<ListOrder>('id', 'time'),
  limit: fc.integer({ min: 1, max: 4 }),
  before: fc.array(change, { minLength: 3, maxLength: 14 }),
  meanwhile: fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }),
});

const names = Object.keys(createBar().lists);

test.each(names)('following next through %s reads each row once that was there all the time', (name) => {
  fc.assert(
    fc.property(reading, ({ order, limit, before, meanwhile }) => {
      const bar = createBar();
      const list = bar.lists[name]!;
      const readAll = () => list({ order, limit: 1_000 }).items;
      before.forEach(bar.apply);
      let there = toKeys(readAll());
      const read: Row[] = [];
      let round = 0;
      for (let cursor: Cursor | null | undefined; cursor !== null; ) {
        const page: Page<Row> = list({ order, limit, ...(cursor && { cursor }) });
        read.push(...page.items);
        cursor = page.next;
        meanwhile[round]?.forEach(bar.apply);
        round += 1;
        const now = new Set(toKeys(readAll()));
        there = there.filter((key) => now.has(key));
      }
      const keys = toKeys(read);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).toEqual(expect.arrayContaining(there));
      expect(keys).toEqual(toKeys(inOrder(read, order)));
    }),
    { numRuns: 6 },
  );
});

test.each(names)('following prev through %s from the end reads all rows the other way round', (name) => {
  fc.assert(
    fc.property(reading, ({ order, limit, before, meanwhile }) => {
      const bar = createBar();
      const list = bar.lists[name]!;
      before.forEach(bar.apply);
      let last: Page<Row> = list({ order, limit });
      while (last.next !== null) last = list({ order, limit, cursor: last.next });
      meanwhile.flat().forEach(bar.apply);
      // Rows of the last page may be gone now; those above its first row are read as they are now.
      const all = list({ order, limit: 1_000 }).items;
      expect(toKeys(all)).toEqual(toKeys(inOrder(all, order)));
      const [first] = last.items;
      if (first === undefined) return;
      const read: Row[] = [];
      const above: Cursor = {
        direction: 'above',
        row: order === 'time' ? first : { id: first.id },
      };
      for (let cursor: Cursor | null = above; cursor !== null; ) {
        const page = list({ order, limit, cursor });
        read.push(...page.items.toReversed());
        cursor = page.prev;
      }
      // A session whose beginning has changed meanwhile stands elsewhere in the order of time.
      const isAbove = (row: Row) =>
        order === 'time' && row.timeMs !== first.timeMs ? row.timeMs > first.timeMs : row.id > first.id;
      const expected = all.filter(isAbove);
      expect(toKeys(read)).toEqual(toKeys(expected).toReversed());
    }),
    { numRuns: 6 },
  );
});
