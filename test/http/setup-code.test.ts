import { expect, test } from 'vitest';
import { createSetupCode } from '../../src/http/setup-code.ts';

const refused = expect.objectContaining({
  code: 'invalid_request',
  fields: { code: expect.any(String) },
});

test('the code has two groups of four unambiguous characters and differs each time', () => {
  const codes = Array.from({ length: 50 }, () => createSetupCode().text);
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
  expect(new Set(codes).size).toBe(50);
});

test('ignores case, blanks and dashes', () => {
  const code = createSetupCode();
  for (const typed of [code.text, code.text.toLowerCase(), code.text.replace('-', ' '), ` ${code.text} `]) {
    expect(() => code.check(typed)).not.toThrow();
  }
  for (const typed of ['', '-', code.text.slice(1), `${code.text}2`, 'é'.repeat(8)]) {
    expect(() => code.check(typed)).toThrow(refused);
  }
});

test('fifty wrong codes replace the code', () => {
  const renewed: string[] = [];
  const code = createSetupCode({ onRenew: (text) => renewed.push(text) });
  const first = code.text;
  for (let i = 0; i < 49; i++) expect(() => code.check('0000-0000')).toThrow(refused);
  expect(() => code.check(first)).not.toThrow();
  expect(() => code.check('0000-0000')).toThrow(refused);
  expect(renewed).toEqual([code.text]);
  expect(() => code.check(first)).toThrow(refused);
  expect(() => code.check(code.text)).not.toThrow();
});

test('a code that was shown before is gone on with', () => {
  const code = createSetupCode({ first: 'K7QM-2RXA' });
  expect(code.text).toBe('K7QM-2RXA');
  expect(() => code.check('k7qm2rxa')).not.toThrow();
});
