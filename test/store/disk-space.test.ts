import { expect, test } from 'vitest';
import { reserveBytes, type WriteKind } from '../../src/core/health/disk-reserve.ts';
import { createDiskSpace } from '../../src/store/disk-space.ts';

const MiB = 1_048_576;
const withFree = (bytes: number) => createDiskSpace('/', () => bytes);

test.each(['pour', 'operation', 'removal'] as const)('a %s is never refused', (kind) => {
  withFree(0).require(kind);
  expect(withFree(0).writable(kind)).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ['change', 50],
  ['temperature', 50],
  ['file', 200],
] as const)('a %s leaves %i MiB free', (kind, reserve) => {
  expect(withFree(reserve * MiB).allows(kind)).toBe(false);
  withFree(reserve * MiB + 1).require(kind);
  withFree((reserve + 3) * MiB).require(kind, 3 * MiB);
  expect(() => withFree((reserve + 3) * MiB - 1).require(kind, 3 * MiB)).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      reason: { name: 'no_disk_space', megabytes: expect.any(Number) },
    }),
  );
  expect(withFree((reserve + 3) * MiB).writable(kind)).toBe(3 * MiB);
  expect(withFree(0).writable(kind)).toBe(0);
});

test('the sentence says what is free, what is needed and what to do', () => {
  expect(() => withFree(10e6).require('file', 5e6)).toThrow(
    'Only 10 MB are free on the disk, and 215 MB are needed: delete old backups or pictures, or use a larger disk. Drinks are still recorded.',
  );
});

test('a database in memory has no reserve', () => {
  for (const kind of Object.keys(reserveBytes) as WriteKind[]) createDiskSpace(null).require(kind, 1e12);
});

test('the free bytes of a folder are read', () => {
  expect(createDiskSpace('/').writable('file')).toBeGreaterThanOrEqual(0);
  expect(() => createDiskSpace('/no such folder').allows('file')).toThrow('ENOENT');
});
