import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import { AppError } from '../../src/core/app-error.ts';
import { openBar } from '../engine/bar.ts';
import type { SwitchedOn } from './extensions.ts';

export type TwinBar = ReturnType<typeof openBar>;

/** Two bars in which the same is done, while features of the second one are off. */
export function openTwinBars(switchedOn: SwitchedOn) {
  // In memory where the system has a folder there: nothing of it survives the test.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tapster-twins-'));
  const files = ['on', 'off'].map((name) => join(folder, `${name}.db`));
  const [on, switched] = files.map((file) => openBar(file, {}, switchedOn)) as [TwinBar, TwinBar];
  const { loaded } = switchedOn.engine;
  return {
    /** Does it in both; meanwhile these features are off in the second one. Both answer the same, or refuse it for the same reason. */
    both<T>(work: (bar: TwinBar) => T, off: readonly string[] = []): T | AppError {
      switched.engine.useExtensions(loaded.filter(({ name }) => !off.includes(name)));
      const [first, second] = [on, switched].map((bar) => answerOf(() => work(bar)));
      switched.engine.useExtensions(loaded);
      expect(String(second)).toBe(String(first));
      return first!;
    },

    /** Compares every row, and closes both. */
    expectSame(): void {
      const [first, second] = files.map(readRows);
      for (const { engine } of [on, switched]) expect(engine.site.checkDatabase()).toEqual([]);
      expect(second).toEqual(first);
    },

    close(): void {
      for (const { store } of [on, switched]) store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function answerOf<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
    return refusal;
  }
}

/** An id that each database, or each opening of one, makes at random. */
const randomId = /^[0-9a-f]{8}(?:[0-9a-f]{8})?$/;

const withoutRandomIds = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'string' && randomId.test(value) ? 'random' : value,
    ]),
  );

/** All rows of all tables. */
function readRows(file: string): Record<string, readonly unknown[]> {
  const db = new Sqlite(file, { readonly: true });
  try {
    const names = db
      .prepare<[], string>(
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .pluck()
      .all();
    return Object.fromEntries(
      names.map((name) => [
        name,
        db
          .prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}" ORDER BY 1`)
          .all()
          .map(withoutRandomIds),
      ]),
    );
  } finally {
    db.close();
  }
}
