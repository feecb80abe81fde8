import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { beverageFields } from '../../../src/core/kegs/records/beverage-record.ts';
import { kegInputs } from '../../../src/core/kegs/records/keg-record.ts';
import { producerFields } from '../../../src/core/kegs/records/producer-record.ts';
import { type Fields, jsonName, listFields, type ValuesOf } from '../../../src/core/records/fields.ts';
import { hardwareTexts } from '../../../src/core/taps/meter-record.ts';
import { tapFields } from '../../../src/core/taps/tap-record.ts';
import { validateFields, validateNew } from '../../../src/engine/shared/bounds.ts';
import { allowedValues, refusedValues } from '../../kit/record-samples.ts';

/** The fields of a record that are refused when one of them has this value. */
function refusedFields(fields: Fields, name: string, value: unknown): readonly string[] {
  const values = Object.fromEntries(
    listFields(fields).map(([one, field]) => [one, allowedValues(field).at(-1)]),
  );
  try {
    validateFields(fields, { ...values, [name]: value } as ValuesOf<Fields>);
    return [];
  } catch (fault) {
    return Object.keys((fault as AppError).fields ?? {});
  }
}

test.each([
  ['producer', producerFields],
  ['beverage', beverageFields],
  ['keg', kegInputs],
  ['tap', tapFields],
  ['meter', hardwareTexts],
] as const)(
  'each field of a %s takes values up to its limits, and is refused by name beyond them',
  (_, fields) => {
    for (const [name, field] of listFields<Fields>(fields)) {
      for (const value of [...allowedValues(field), ...(field.orNull ? [null] : [])])
        expect([name, value, refusedFields(fields, name, value)]).toEqual([name, value, []]);
      const isNumber = field.kind === 'number' || field.kind === 'whole';
      for (const value of [...refusedValues(field), ...(isNumber ? [Number.NaN] : [])])
        expect([name, value, refusedFields(fields, name, value)]).toEqual([
          name,
          value,
          [jsonName(name, field)],
        ]);
    }
  },
);

test('an empty text of a field that may be unknown is stored as unknown, and a short colour in full', () => {
  const beverage = validateNew(beverageFields, {
    name: ' Stout ',
    producerId: 1,
    style: '',
    colorHex: '#2b1',
  });
  expect(beverage).toMatchObject({ name: 'Stout', style: null, colorHex: '#22bb11', beverageType: 'beer' });
});
