import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/store/make-folder.ts';

test('a cellar three floors down is dug floor by floor, for the daemon alone', () => {
  const ground = mkdtempSync(join(tmpdir(), 'tapster-floors-'));
  const cellar = join(ground, 'a', 'b', 'c');
  makeFolder(cellar);
  makeFolder(cellar);
  expect(statSync(cellar).isDirectory()).toBe(true);
  expect(statSync(cellar).mode & 0o077).toBe(0);
  rmSync(ground, { recursive: true });
});

test('a place where nothing can be dug is refused at once and not dug at for ever', () => {
  expect(() => makeFolder('/proc/nowhere/cellar')).toThrow(/ENOENT/);
});
