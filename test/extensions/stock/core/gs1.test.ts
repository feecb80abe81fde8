import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseGs1 } from '../../../../src/extensions/stock/core/gs1.ts';

const gs = '\u001d';

test.each([
  ['a reader with its prefix', `]C1010401234567890110L4711${gs}15270531`],
  ['a reader without a prefix', `0104012345678901152705${31}10L4711`],
  ['print with brackets', '(01)04012345678901(10)L4711(15)270531'],
  ['separators that are not needed', `${gs}0104012345678901${gs}15270531${gs}10L4711${gs}`],
])('article, batch and best-before date are read from %s', (_from, code) => {
  expect(parseGs1(code)).toEqual({
    gtin: '04012345678901',
    batch: 'L4711',
    bornOn: null,
    bestBefore: '2027-05-31',
  });
});

test('the day of filling is the production date, else the packaging date', () => {
  expect(parseGs1('11260401')?.bornOn).toBe('2026-04-01');
  expect(parseGs1('13260402')?.bornOn).toBe('2026-04-02');
  expect(parseGs1('1126040113260402')?.bornOn).toBe('2026-04-01');
});

test('an expiry date counts where there is no best-before date', () => {
  expect(parseGs1('17270531')?.bestBefore).toBe('2027-05-31');
  expect(parseGs1('1727053115270430')?.bestBefore).toBe('2027-04-30');
});

test('day 00 is the last day of the month', () => {
  expect(parseGs1('15280200')?.bestBefore).toBe('2028-02-29');
});

test('weights and locations in between are passed over', () => {
  expect(parseGs1('310300495041040123456789010' + '10L1')?.batch ?? null).toBeNull();
  expect(parseGs1('3103004950' + '4104012345678901' + '10L1')?.batch).toBe('L1');
});

test.each([
  '',
  '4012345678901',
  'https://example.org/keg/5',
  '(15)27053',
  '15271332',
  '15270632',
  '99',
  '01',
  gs,
])('of %j only the text is known', (code) => {
  expect(parseGs1(code)?.bestBefore ?? null).toBeNull();
});

test('no text makes the reading fail, and a date is one of the calendar', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 200 }),
        fc.string({ unit: fc.constantFrom(...'0123456789()', gs), maxLength: 80 }),
      ),
      (code) => {
        const facts = parseGs1(code);
        for (const day of [facts?.bornOn, facts?.bestBefore]) {
          if (day == null) continue;
          expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
        }
      },
    ),
  );
});

test('what is written in any order is read again', () => {
  const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2049-12-31'), noInvalidDate: true });
  const batch = fc.stringMatching(/^[A-Z0-9/-]{1,20}$/);
  fc.assert(
    fc.property(day, batch, fc.boolean(), (date, lot, isBatchFirst) => {
      const iso = date.toISOString().slice(0, 10);
      const best = `15${iso.slice(2).replaceAll('-', '')}`;
      const code = isBatchFirst ? `10${lot}${gs}${best}` : `${best}10${lot}`;
      expect(parseGs1(code)).toMatchObject({ batch: lot, bestBefore: iso });
    }),
  );
});
