import { chownSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestFileName } from '../../src/core/updates/update-request.ts';
import { takeRequest } from '../../src/updater/requests.ts';

const wanted = JSON.stringify({ action: 'switch', version: '0.2.0' });
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-request-'));
  path = join(folder, requestFileName);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const take = () => takeRequest(folder, () => {});

test('a request is taken once', () => {
  writeFileSync(path, wanted);
  expect(take()).toEqual({ action: 'switch', version: '0.2.0' });
  expect(take()).toBeNull();
});

test('a link is not followed', () => {
  const other = join(folder, 'other.json');
  writeFileSync(other, wanted);
  symlinkSync(other, path);
  expect(take()).toBeNull();
  expect(existsSync(other)).toBe(true);
});

test.each([
  ['a large file', `${wanted}${' '.repeat(70_000)}`],
  ['half a file', '{"action":"switch"'],
  ['a version that is a path', JSON.stringify({ action: 'switch', version: '../../tmp' })],
  ['an unknown field', JSON.stringify({ action: 'switch', version: '0.2.0', force: true })],
])('%s is refused and deleted', (_, text) => {
  writeFileSync(path, text);
  expect(take()).toBeNull();
  expect(existsSync(path)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)('a file of another owner is refused', () => {
  writeFileSync(path, wanted);
  chownSync(path, 12_345, 12_345);
  expect(take()).toBeNull();
});
