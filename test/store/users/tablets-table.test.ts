import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { newestRows } from '../../../src/store/shared/slice.ts';
import { tabletsTable } from '../../../src/store/users/tablets-table.ts';

let db: Database;
let tablets: ReturnType<typeof tabletsTable>;
let userId: number;

beforeEach(() => {
  db = openDatabase(':memory:');
  tablets = tabletsTable(db);
  userId = db
    .prepare<[], number>(
      `INSERT INTO users (username, username_key, display_name, is_staff, is_superuser, is_active, joined_time_ms)
       VALUES ('anna', 'anna', 'Anna', 1, 0, 1, 0) RETURNING id`,
    )
    .pluck()
    .get()!;
});
afterEach(() => db.close());

const hashOf = (token: string) => createHash('sha256').update(token).digest();
const add = (name: string, ms: number) => tablets.add({ name, hash: hashOf(name), userId, ms });

test('a tablet is found by its token and its id, with who registered it while that account exists', () => {
  const id = add('Bar', 5);
  const expected = { id, name: 'Bar', enrolledBy: 'anna', createdTimeMs: 5, seenTimeMs: 5 };
  expect(tablets.byHash(hashOf('Bar'))).toEqual(expected);
  tablets.seen(id, 9);
  tablets.rename(id, 'Garden');
  expect(tablets.byId(id)).toEqual({ ...expected, name: 'Garden', seenTimeMs: 9 });
  db.prepare('DELETE FROM users').run();
  expect(tablets.byId(id)?.enrolledBy).toBeNull();
});

test('an unknown token or id finds none', () => {
  add('Bar', 5);
  expect(tablets.byHash(hashOf('Other'))).toBeNull();
  expect(tablets.byId(99)).toBeNull();
});

test('tablets are listed newest first and removed one by one or all', () => {
  const ids = ['a', 'b', 'c'].map(add);
  const listed = () => tablets.page(newestRows(2)).map(({ id }) => id);
  expect(listed()).toEqual([ids[2], ids[1]]);
  tablets.remove(ids[1]!);
  expect(listed()).toEqual([ids[2], ids[0]]);
  expect(tablets.count()).toBe(2);
  tablets.removeAll();
  expect(tablets.count()).toBe(0);
});
