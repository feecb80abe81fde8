import { expect, test } from 'vitest';
import { lockInstance } from '../../src/system/single-instance.ts';

test('a second daemon does not get the lock of the same database', async () => {
  const first = await lockInstance('/tmp/bar/a.db');
  expect(first).not.toBeNull();
  expect(await lockInstance('/tmp/bar/../bar/a.db')).toBeNull();
  first!.release();
});

test('two databases on one Pi have separate locks', async () => {
  const upstairs = await lockInstance('/tmp/bar/up.db');
  const downstairs = await lockInstance('/tmp/bar/down.db');
  expect(upstairs && downstairs).not.toBeNull();
  upstairs!.release();
  downstairs!.release();
});

test('a released lock can be acquired again', async () => {
  const first = await lockInstance('/tmp/bar/b.db');
  first!.release();
  const second = await lockInstance('/tmp/bar/b.db');
  expect(second).not.toBeNull();
  second!.release();
});
