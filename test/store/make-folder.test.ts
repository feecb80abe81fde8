import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/store/make-folder.ts';

test('a cellar three floors down is dug floor by floor, for the daemon alone', () => {
  const root = mkdtempSync(join(tmpdir(), 'tapster-floors-'));
  const nested = join(root, 'a', 'b', 'c');
  makeFolder(nested);
  makeFolder(nested);
  expect(statSync(nested).isDirectory()).toBe(true);
  expect(statSync(nested).mode & 0o077).toBe(0);
  rmSync(root, { recursive: true });
});

test('a place where nothing can be dug is refused at once and not dug at for ever', () => {
  expect(() => makeFolder('/proc/nowhere/cellar')).toThrow(/ENOENT/);
});
