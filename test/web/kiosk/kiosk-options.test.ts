import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNight, parseKioskOptions } from '../../../src/web/kiosk/kiosk-options.ts';

const options = (query: string) => parseKioskOptions(new URLSearchParams(query));

test('shows every tap and the menu link and dims from one to nine by default', () => {
  expect(options('')).toEqual({
    taps: null,
    columns: null,
    night: { from: 1, until: 9 },
    menu: null,
    hide: new Set(),
  });
});

test('parses taps, columns, night, menu and hidden parts', () => {
  expect(options('taps=1,3&columns=3&night=23-8&menu=http://bar.local/')).toEqual({
    taps: ['1', '3'],
    columns: 3,
    night: { from: 23, until: 8 },
    menu: 'http://bar.local/',
    hide: new Set(),
  });
  expect([...options('hide=price,logo').hide]).toEqual(['price', 'logo']);
  expect(options('night=off&menu=off')).toMatchObject({ night: null, menu: 'off' });
});

test.each(['columns=0', 'columns=99', 'columns=two', 'menu=javascript:alert(1)', 'menu='])(
  'ignores the invalid option %s',
  (query) => {
    expect(options(query)).toEqual(options(''));
  },
);

test('accepts any query and keeps the columns within 1 and 8', () => {
  fc.assert(
    fc.property(fc.string(), (query) => {
      const { columns } = options(query);
      expect(columns === null || (columns >= 1 && columns <= 8)).toBe(true);
    }),
  );
});

test('a night may cross midnight', () => {
  const late = { from: 23, until: 8 };
  expect(['22:59', '23:00', '02:00', '07:59', '08:00'].map((clock) => isNight(late, clock))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  const small = { from: 1, until: 9 };
  expect(['00:59', '01:00', '08:59', '09:00'].map((clock) => isNight(small, clock))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(isNight(null, '03:00')).toBe(false);
});
