import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/store/files.ts';

test('creates missing parent folders, accessible to the owner only', () => {
  const root = mkdtempSync(join(tmpdir(), 'tapster-floors-'));
  const nested = join(root, 'a', 'b', 'c');
  makeFolder(nested);
  makeFolder(nested);
  expect(statSync(nested).isDirectory()).toBe(true);
  expect(statSync(nested).mode & 0o077).toBe(0);
  rmSync(root, { recursive: true });
});

test('throws at once where no folder can be created', () => {
  expect(() => makeFolder('/proc/nowhere/folder')).toThrow(/ENOENT/);
});
