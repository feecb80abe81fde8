import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachineIdentity, readMachineIdentity } from '../../src/system/machine-identity.ts';

const id = '0123456789abcdef0123456789abcdef';
const here = createMachineIdentity(id);
const folder = mkdtempSync(join(tmpdir(), 'machine-'));
const there = createMachineIdentity('f'.repeat(32));

test('a mark is of the machine that made it and of no other one', () => {
  const mark = here.createMark();
  expect([here.isOther(mark), there.isOther(mark)]).toEqual([false, true]);
});

test('marks are salted and do not contain the id of the machine', () => {
  const [one, two] = [here.createMark(), here.createMark()];
  expect(one).not.toBe(two);
  expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{64}$/);
  expect(one).not.toContain(id);
});

test.each([null, '', ':', 'x', `${'0'.repeat(32)}:${'0'.repeat(64)}`])(
  'the mark %j is of another machine',
  (mark) => {
    expect(here.isOther(mark)).toBe(true);
  },
);

test('a machine without an id makes no marks and takes every one for its own', () => {
  const unknown = createMachineIdentity(null);
  expect([unknown.isKnown, unknown.createMark()]).toEqual([false, null]);
  expect([unknown.isOther(null), unknown.isOther(there.createMark())]).toEqual([false, false]);
});

test.each([
  [`${id}\n`, true],
  ['', false],
  ['uninitialized\n', false],
  [id.slice(1), false],
])('a file with %j makes the identity known: %s', (text, isKnown) => {
  const file = join(folder, 'machine-id');
  writeFileSync(file, text);
  expect(readMachineIdentity(file).isKnown).toBe(isKnown);
  if (isKnown) expect(here.isOther(readMachineIdentity(file).createMark())).toBe(false);
});

test('a missing file makes the identity unknown', () => {
  expect(readMachineIdentity(join(folder, 'missing')).isKnown).toBe(false);
});
