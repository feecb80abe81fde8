import { expect, test } from 'vitest';
import { beverageFields } from '../../../../src/core/kegs/records/beverage-record.ts';
import { kegInputs } from '../../../../src/core/kegs/records/keg-record.ts';
import { producerFields } from '../../../../src/core/kegs/records/producer-record.ts';
import { type Fields, jsonName, listFields } from '../../../../src/core/records/fields.ts';
import { hardwareTexts } from '../../../../src/core/taps/meter-record.ts';
import { tapFields } from '../../../../src/core/taps/tap-record.ts';
import { allRecordInputs, recordInputs } from '../../../../src/web/components/form/record-fields.ts';
import { findText, loadAllTexts } from '../../../../src/web/locales/locale.ts';

await loadAllTexts();

const beer = recordInputs(beverageFields, 'beers.fields', 'beers.types');

test('an input has the limits of its field, and the value of the record', () => {
  expect(beer('name', { name: 'Stout' })).toEqual({
    kind: 'text',
    name: 'name',
    label: 'Name',
    value: 'Stout',
    minLength: 1,
    maxLength: 255,
  });
  expect(beer('abvPercent', { abv_percent: 5.2 })).toEqual({
    kind: 'number',
    name: 'abv_percent',
    label: 'Alcohol',
    value: 5.2,
    unit: '%',
    min: 0,
    max: 100,
    optional: 'null',
  });
  expect(beer('originalGravity', null)).toMatchObject({ min: 0.99, max: 1.2, digits: 3, value: null });
});

test('the input of a new record has the default of its field', () => {
  expect(beer('beverageType', null)).toMatchObject({
    kind: 'choice',
    value: 'beer',
    options: { beer: 'Beer', wine: 'Wine', soda: 'Soda', kombucha: 'Kombucha', other: 'Other' },
  });
  expect(beer('allergens', null)).toMatchObject({ value: '', maxLength: 255, optional: 'empty' });
  expect(recordInputs(producerFields, 'beers.fields')('isHomebrew', null)).toEqual({
    kind: 'flag',
    name: 'is_homebrew',
    label: 'Home brewer',
    value: false,
  });
});

test('a form has an input for each declared field, named as in the change log unless it has a label of its own', () => {
  const { fullVolumeMl, description } = kegInputs;
  const inputs = allRecordInputs({ fullVolumeMl, description }, 'kegs.fields', {
    full_volume_ml: 30_000,
    description: 'Helles',
  });
  expect(inputs.map(({ name, label, value }) => [name, label, value])).toEqual([
    ['full_volume_ml', 'Full volume', 30_000],
    ['description', 'Description (for everyone)', 'Helles'],
  ]);
});

test.each<[string, Fields]>([
  ['producer', producerFields],
  ['beverage', beverageFields],
  ['keg', kegInputs],
  ['tap', tapFields],
  ['meter', hardwareTexts],
])('the change log and refusals name each field of a %s in the reader’s language', (_record, fields) => {
  const written = listFields(fields).filter(([, { kind }]) => kind !== 'ref');
  const names = written.map(([name, field]) => jsonName(name, field));
  expect(names.filter((name) => findText('audit.fields', name) === null)).toEqual([]);
});
