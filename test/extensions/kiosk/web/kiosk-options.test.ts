import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatKioskOptions,
  hoursOfScreen,
  type KioskOptions,
  kioskParts,
  parseKioskOptions,
} from '../../../../src/extensions/kiosk/web/kiosk-options.ts';

const options = (query: string) => parseKioskOptions(new URLSearchParams(query));

const defaults: KioskOptions = {
  taps: null,
  columns: null,
  open: null,
  menu: null,
  hide: new Set(),
  drinkers: false,
  theme: null,
  lang: null,
};

test('shows every tap and the menu link, no drinkers, and never dims by default', () => {
  expect(options('')).toEqual(defaults);
  expect(formatKioskOptions(defaults)).toBe('');
});

test('parses each option', () => {
  expect(options('taps=1,3&columns=3&open=16:00-02:00&menu=http://bar.local/')).toEqual({
    ...defaults,
    taps: ['1', '3'],
    columns: 3,
    open: { from: '16:00', until: '02:00' },
    menu: 'http://bar.local/',
  });
  expect(options('hide=price,logo,everything&drinkers=on&theme=dark&lang=de&menu=off')).toEqual({
    ...defaults,
    hide: new Set(['price', 'logo']),
    drinkers: true,
    theme: 'dark',
    lang: 'de',
    menu: 'off',
  });
});

test.each([
  'taps=',
  'columns=0',
  'columns=99',
  'columns=two',
  'menu=javascript:alert(1)',
  'menu=',
  'open=16-2',
  'open=24:00-02:00',
  'open=never',
  'hide=taps',
  'theme=blue',
  'lang=../de',
  'drinkers=yes',
])('ignores the invalid option %s', (query) => {
  expect(options(query)).toEqual(defaults);
});

test('writes a query that people can read and type', () => {
  expect(
    formatKioskOptions({
      ...defaults,
      taps: ['1', '3'],
      hide: new Set(['price', 'next']),
      open: { from: '16:00', until: '02:00' },
    }),
  ).toBe('?taps=1,3&hide=price,next&open=16:00-02:00');
});

const timeOfDay = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const anyOptions: fc.Arbitrary<KioskOptions> = fc.record({
  taps: fc.option(fc.array(fc.nat().map(String), { minLength: 1, maxLength: 5 })),
  columns: fc.option(fc.integer({ min: 1, max: 8 })),
  open: fc.oneof(fc.constantFrom(null, 'off' as const), fc.record({ from: timeOfDay, until: timeOfDay })),
  menu: fc.constantFrom(null, 'off', 'https://bar.example/menu?a=b&c=%20'),
  hide: fc.subarray([...kioskParts]).map((parts) => new Set(parts)),
  drinkers: fc.boolean(),
  theme: fc.constantFrom(null, 'light', 'dark'),
  lang: fc.constantFrom(null, 'en', 'de'),
});

test('parsing reads what formatting wrote', () => {
  fc.assert(
    fc.property(anyOptions, (wanted) => {
      expect(options(formatKioskOptions(wanted))).toEqual(wanted);
    }),
  );
});

test('accepts any query and keeps the columns within 1 and 8', () => {
  fc.assert(
    fc.property(fc.string(), (query) => {
      const { columns } = options(query);
      expect(columns === null || (columns >= 1 && columns <= 8)).toBe(true);
    }),
  );
});

test('a screen has the hours of its address, else those of the bar', () => {
  const late = { from: '16:00', until: '02:00' };
  expect(hoursOfScreen(options(''), '16:00-02:00')).toEqual(late);
  expect(hoursOfScreen(options('open=16:00-02:00'), '09:00-18:00')).toEqual(late);
  expect(hoursOfScreen(options('open=off'), '09:00-18:00')).toBeNull();
  expect(hoursOfScreen(options(''), '')).toBeNull();
});
