import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fileSha256,
  formatChecksums,
  parseChecksums,
  pieceBytes,
  sha256,
} from '../../../src/store/archive/checksums.ts';
import { propertyRuns } from '../../kit/slow.ts';

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const picture = fc
  .tuple(hex(32), fc.constantFrom('1024', '128'))
  .map(([name, size]) => `pictures/${name}-${size}.jpg`);
const members = fc
  .tuple(fc.boolean(), fc.uniqueArray(picture, { maxLength: 5 }))
  .map(([hasSettings, pictures]) => [...(hasSettings ? ['settings.json'] : []), 'database.db', ...pictures]);

test('a list is read as it was written', () => {
  fc.assert(
    fc.property(members, fc.infiniteStream(hex(64)), (names, sums) => {
      const checksums = new Map(names.map((name) => [name, sums.next().value as string]));
      expect([...parseChecksums(formatChecksums(checksums))]).toEqual([...checksums]);
    }),
    { numRuns: propertyRuns(200) },
  );
});

const sum = sha256('beer');
const name = `pictures/${'a'.repeat(32)}-128.jpg`;

test.each([
  ['nothing', ''],
  ['no database', `${sum}  settings.json\n`],
  ['no end of the last line', `${sum}  database.db`],
  ['an empty line', `${sum}  database.db\n\n`],
  ['a sum that is too short', `${sum.slice(1)}  database.db\n`],
  ['a sum that is too long', `${sum}0  database.db\n`],
  ['capital letters in a sum', `${sum.toUpperCase()}  database.db\n`],
  ['one space', `${sum} database.db\n`],
  ['another space', `${sum} *database.db\n`],
  ['a path out of the folder', `${sum}  database.db\n${sum}  ../database.db\n`],
  ['another file', `${sum}  database.db\n${sum}  pictures/a.jpg\n`],
  ['a picture before the database', `${sum}  ${name}\n${sum}  database.db\n`],
  ['settings after the database', `${sum}  database.db\n${sum}  settings.json\n`],
  ['two settings', `${sum}  settings.json\n${sum}  settings.json\n${sum}  database.db\n`],
  ['two databases', `${sum}  database.db\n${sum}  database.db\n`],
  ['a picture twice', `${sum}  database.db\n${sum}  ${name}\n${sum}  ${name}\n`],
])('a list with %s is refused', (_what, text) => {
  expect(() => parseChecksums(text)).toThrow('not a Tapster backup');
});

test('the checksum of a file is that of its bytes, however many pieces are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-checksums-'));
  for (const size of [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes]) {
    const bytes = Buffer.alloc(size, 'beer');
    writeFileSync(join(folder, 'file'), bytes);
    expect(await fileSha256(join(folder, 'file'))).toBe(sha256(bytes));
  }
  rmSync(folder, { recursive: true });
});
