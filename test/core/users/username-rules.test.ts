import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isGuestName,
  toUsername,
  toUsernameKey,
  usernameFault,
} from '../../../src/core/users/username-rules.ts';
import { propertyRuns } from '../../kit/slow.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  // With lone surrogates.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
);

/** Every code point except surrogates. */
const allCharacters = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint));

describe('the form for comparison', () => {
  test.each([
    ['BOSS', 'boss'],
    ['ＢＯＳＳ', 'boss'],
    [' Boss ', 'boss'],
    ['Jo\u0308rg', 'jörg'],
    ['ŁÓDŹ', 'łódź'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['οδυσσευς', 'οδυσσευσ'],
    ['БОРИС', 'борис'],
    ['Straße', 'straße'],
    ['ﾗｶﾞｰ', 'ラガー'],
    ['\u212Bsa', 'åsa'],
  ])('of %s is %s', (name, key) => {
    expect(toUsernameKey(name)).toBe(key);
  });

  test('keeps Latin and Cyrillic letters apart', () => {
    expect(toUsernameKey('b\u043Ess')).not.toBe(toUsernameKey('boss'));
  });

  test('is the form of itself, of the stored name and of its lower case, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const key = toUsernameKey(text);
        expect(toUsernameKey(key)).toBe(key);
        expect(toUsernameKey(toUsername(text))).toBe(key);
        expect(toUsername(toUsername(text))).toBe(toUsername(text));
        usernameFault(text);
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  test('is equal for every pair of a capital and its small letter', () => {
    const unequal = allCharacters.filter(
      (letter) => toUsernameKey(letter) !== toUsernameKey(letter.toLowerCase()),
    );
    expect(unequal).toEqual([]);
    expect(toUsernameKey('ς')).toBe(toUsernameKey('Σ'));
  });

  test('has at most twice as many code points as the stored name', () => {
    const accepted = allCharacters.map(toUsername).filter((name) => usernameFault(name) === null);
    expect(accepted.length).toBeGreaterThan(50_000);
    expect(accepted.filter((name) => [...toUsernameKey(name)].length > 2 * [...name].length)).toEqual([]);
  });
});

test.each([
  ['boss', null],
  ['Zoë', null],
  ['jörg.müller@bar', null],
  ['a+b-c_d.e', null],
  ['anna2', null],
  ['2x4', null],
  ['123', null],
  ['ラガー', null],
  ['東京タワー', null],
  ['王小明', null],
  ['김철수', null],
  ['นิด', null],
  ['दीपक', null],
  ['Олена', null],
  ['יוסף7', null],
  ['محمد٣', null],
  ['b\u043Ess', 'scripts'],
  ['bossα', 'scripts'],
  ['x٣', 'scripts'],
  ['ꭰꭲ', 'scripts'],
  ['boss.', 'ends'],
  ['.', 'ends'],
  ['..', 'ends'],
  ['-boss', 'ends'],
  ['_boss', 'ends'],
  ['boss@', 'ends'],
  ['\u0301boss', 'ends'],
  ['', 'characters'],
  ['two words', 'characters'],
  ['a/b', 'characters'],
  ['bo\u200bss', 'characters'],
  ['bo\u202ess', 'characters'],
  ['boss\u3164', 'characters'],
  ['ﬁn', 'characters'],
  ['𝐛oss', 'characters'],
  ['x²', 'characters'],
  ['mike\ud800', 'characters'],
  ['l·l', 'characters'],
  ['دیـ', 'characters'],
  ['محمد1٣', 'digits'],
  ['7יוסף', 'direction'],
  ['me', 'reserved'],
  ['ME', 'reserved'],
  ['ｍｅ', 'reserved'],
  ['Guest', 'reserved'],
])('the username %s has the fault %s', (name, fault) => {
  expect(usernameFault(toUsername(name))).toBe(fault);
});

test('an accepted name is accepted in its form for comparison too', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'aZß0.-ΣςОоИהא٣ー山'), { maxLength: 6 }), (letters) => {
      const name = letters.join('');
      if (usernameFault(name) === null) expect(usernameFault(toUsernameKey(name))).toBeNull();
    }),
    { numRuns: propertyRuns(10_000) },
  );
});

test.each([
  ['', true],
  [' ', true],
  ['guest', true],
  ['GUEST', true],
  ['guest0', false],
  ['me', false],
])('“%s” as a name means nobody: %s', (name, isGuest) => {
  expect(isGuestName(name)).toBe(isGuest);
});
