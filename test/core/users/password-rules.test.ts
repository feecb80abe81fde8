import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passwordFault } from '../../../src/core/users/password-rules.ts';

test.each([
  ['', 'length'],
  ['nine-char', 'length'],
  ['x'.repeat(1_025), 'length'],
  ['          ', 'blank'],
  ['\u00a0\u2003\u3000\u200b\u2800\ufeff\t\u00a0\u00a0\u00a0', 'blank'],
  ['aaaaaaaaaaaa', 'repeated'],
  ['AaAaAaAaAaAa', 'repeated'],
  ['aaaaaaaaaaa1', 'repeated'],
  ['abcabcabcabca', 'repeated'],
  ['12341234123412', 'repeated'],
  ['hopshopshops', 'repeated'],
  ['🍺🍻🥨🍕🍺🍻🥨🍕🍺🍻', 'repeated'],
  ['0123456789', 'in a row'],
  ['9876543210', 'in a row'],
  ['ABCDEFGHIJKLM', 'in a row'],
  ['qwertzuiopü', 'in a row'],
  ['mlkjhgfdsq', 'in a row'],
  ['hop-garden', null],
  ['a b c d e f', null],
  ['🍺🍻🥨🍕🌭🍔🍟🥗🍩🍪', null],
])('%j: %s', (password, fault) => expect(passwordFault(password)).toBe(fault));

test('a pattern of at most eight characters is found however often and however it is cut off', () => {
  const pattern = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(pattern, fc.integer({ min: 16, max: 200 }), (text, length) => {
      const password = text.repeat(length).slice(0, length);
      expect(['repeated', 'blank']).toContain(passwordFault(password));
    }),
  );
});

test('the verdict does not depend on case', () => {
  const password = fc.string({ unit: 'grapheme-ascii', minLength: 10, maxLength: 30 });
  fc.assert(
    fc.property(password, (text) => {
      expect(passwordFault(text.toUpperCase())).toBe(passwordFault(text.toLowerCase()));
    }),
  );
});
