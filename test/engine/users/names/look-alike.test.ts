import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookAlikeForms } from '../../../../src/engine/users/names/look-alike.ts';

const lookAlike = (one: string, other: string) =>
  lookAlikeForms(one).some((form) => lookAlikeForms(other).includes(form));

test.each([
  ['Anna', 'anna'],
  ['Anna', 'ANNA '],
  ['Anna', 'A n-n.a'],
  ['Anna', 'Ａｎｎａ'],
  ['Anna', '𝐀𝐧𝐧𝐚'],
  ['Anna', 'Аnnа'],
  ['Anna', 'An\u200bna'],
  ['Alex', 'AIex'],
  ['Alex', 'A1ex'],
  ['BOSS', 'B0SS'],
  ['boss', 'b0ss'],
  ['boss', 'Воss'],
  ['Zoé', 'Zoe\u0301'],
  ['Modern', 'Modem'],
  ['Νίκος', 'ΝΊΚΟΣ'],
  ['Anna', 'Anna ✓'],
  ['Anna', '🍺Anna™'],
  ['Anna', 'Anna✔️'],
  ['🍺', '🍺 '],
  ['...', '...'],
])('%j can be taken for %j', (one, other) => expect(lookAlike(one, other)).toBe(true));

test.each([
  ['Anna', 'Anne'],
  ['Anna', 'Anna B.'],
  ['Zoé', 'Zoe'],
  ['Jon', 'John'],
  ['Андрей', 'Андрій'],
  ['美咲', '美桜'],
  ['🍺', '🍻'],
  ['...', '!!!'],
])('%j is not %j', (one, other) => expect(lookAlike(one, other)).toBe(false));

test('every name can be taken for itself, in any case and width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (name) => {
      expect(lookAlikeForms(name).length).toBeGreaterThan(0);
      expect(lookAlikeForms(name).every((form) => form !== '' || name.trim() === '')).toBe(true);
      expect(lookAlike(name, ` ${name}`)).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9 ]{1,30}$/), (name) => {
      expect(lookAlike(name, name.toUpperCase())).toBe(true);
      expect(lookAlike(name, name.toLowerCase())).toBe(true);
    }),
  );
});
