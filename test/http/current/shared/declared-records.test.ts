import request from 'supertest';
import { expect, test } from 'vitest';
import { beverageFields } from '../../../../src/core/kegs/records/beverage-record.ts';
import { kegInputs } from '../../../../src/core/kegs/records/keg-record.ts';
import { producerFields } from '../../../../src/core/kegs/records/producer-record.ts';
import {
  type Fields,
  fieldDefaults,
  jsonName,
  listFields,
  mayBeEmpty,
} from '../../../../src/core/records/fields.ts';
import { tapFields } from '../../../../src/core/taps/tap-record.ts';
import { allowedValues, refusedValues } from '../../../kit/record-samples.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

interface DeclaredRecord {
  readonly name: string;
  readonly path: string;
  /** Its property in replies. */
  readonly item: string;
  readonly fields: Fields;
  /** What a request to create it must have. */
  readonly needs: Readonly<Record<string, unknown>>;
  /** The fields that replies show under another name, or as a text. */
  readonly shownAs?: Readonly<Record<string, string>>;
  /** Values that another record has already, which only one may have. */
  readonly taken?: Readonly<Record<string, unknown>>;
}

/** The law of each record that is declared: stored, shown, changed, bounded, undone. */
const records: readonly DeclaredRecord[] = [
  {
    name: 'producer',
    path: '/beverage-producers',
    item: 'beverage_producer',
    fields: producerFields,
    needs: { name: 'Schwarz' },
  },
  {
    name: 'beverage',
    path: '/beverages',
    item: 'beverage',
    fields: beverageFields,
    needs: { name: 'Coal Cellar', producer_id: 1 },
    shownAs: { style: 'style_id', abv_percent: 'abv', producer_id: 'brewer_id' },
  },
  { name: 'keg', path: '/kegs', item: 'keg', fields: kegInputs, needs: { beverage_id: 1 } },
  {
    name: 'tap',
    path: '/taps',
    item: 'tap',
    fields: tapFields,
    needs: { name: 'Window' },
    taken: { number: 1 },
  },
];

const setUp = ({ path, item, fields, shownAs = {} }: DeclaredRecord) => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const list = listFields(fields).map(([name, field]) => ({ name, field, json: jsonName(name, field) }));
  return {
    anna,
    server,
    list,
    create: async (body: object) => (await anna.create(path, body))[item],
    get: async (id: string | number) => (await anna.send('get', `${path}/${id}`))[item],
    /** The values of the fields in a reply, unknown and empty texts alike. */
    read: (shown: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        list.map(({ json, field }) => {
          const value = shown[shownAs[json] ?? json];
          return [json, field.kind === 'ref' ? Number(value) : value === '' && field.orNull ? null : value];
        }),
      ),
    largest: () => Object.fromEntries(list.map(({ json, field }) => [json, allowedValues(field).at(-1)])),
  };
};

test.each(records)('a new $name has what was sent in every field, and shows it', async (record) => {
  const { create, get, read, largest } = setUp(record);
  const created = await create({ ...record.needs, ...largest() });
  expect(read(created)).toEqual(largest());
  expect(await get(created.id)).toMatchObject(created);
});

test.each(records)('a new $name has defaults where nothing was sent', async (record) => {
  const { create, read, list } = setUp(record);
  const defaults: Readonly<Record<string, unknown>> = fieldDefaults(record.fields);
  const shown = read(await create(record.needs));
  for (const { name, json } of list)
    if (name in defaults) expect([json, shown[json]]).toEqual([json, defaults[name]]);
});

test.each(records)('each field of a $name is changed alone, and that is undone', async (record) => {
  const { anna, create, get, read, list } = setUp(record);
  const before = await create(record.needs);
  for (const { json, field } of list) {
    for (const value of allowedValues(field)) {
      if (record.taken?.[json] === value) continue;
      const { correction_id: id, [record.item]: changed } = await anna.send(
        'patch',
        `${record.path}/${before.id}`,
        {
          [json]: value,
        },
      );
      const expected = { ...read(before), [json]: value === '' && field.orNull ? null : value };
      expect(read(changed)).toEqual(expected);
      if (id !== null) await anna.send('post', `/corrections/${id}/undo`);
      expect(await get(before.id)).toMatchObject(before);
    }
  }
});

test.each(records)('null makes a field of a $name unknown or empty', async (record) => {
  const { anna, create, read, list, largest } = setUp(record);
  const { id } = await create({ ...record.needs, ...largest() });
  const emptied = list.filter(({ field }) => field.orNull || (mayBeEmpty(field) && !('pattern' in field)));
  for (const { json, field } of emptied) {
    const changed = (await anna.send('patch', `${record.path}/${id}`, { [json]: null }))[record.item];
    expect([json, read(changed)[json]]).toEqual([json, field.orNull ? null : '']);
  }
});

test.each(records)('blanks empty a text of a $name that may be empty or unknown', async (record) => {
  const { anna, create, read, list, largest } = setUp(record);
  const { id } = await create({ ...record.needs, ...largest() });
  const texts = list.filter(({ field: { kind } }) => kind === 'text' || kind === 'lines');
  for (const { json, field } of texts.filter(({ field }) => field.orNull || mayBeEmpty(field))) {
    const changed = (await anna.send('patch', `${record.path}/${id}`, { [json]: '   ' }))[record.item];
    expect([json, read(changed)[json]]).toEqual([json, field.orNull ? null : '']);
  }
});

test.each(records)(
  'a value of a $name beyond its limits is refused by name, new or changed',
  async (record) => {
    const { anna, create, list } = setUp(record);
    const { id } = await create(record.needs);
    for (const { json, field } of list) {
      const wrong = [...refusedValues(field), {}, ...(field.kind === 'flag' ? ['yes'] : [])];
      for (const value of wrong) {
        const body = { [json]: value };
        const refusals = [
          await anna.expectError(400, 'post', record.path, { ...record.needs, ...body }),
          await anna.expectError(400, 'patch', `${record.path}/${id}`, body),
        ];
        expect(refusals.map(({ fields }) => Object.keys(fields))).toEqual([[json], [json]]);
      }
    }
  },
);

test.each(records)('a removed $name comes back by undo, as it was', async (record) => {
  const { anna, create, get, largest } = setUp(record);
  const { id } = await create({ ...record.needs, ...largest() });
  const before = await get(id);
  const { correction_id: correction } = await anna.send('delete', `${record.path}/${id}`);
  await anna.expectError(404, 'get', `${record.path}/${id}`);
  await anna.send('post', `/corrections/${correction}/undo`);
  expect(await get(id)).toEqual(before);
});

test.each(records)('guests see no field of a $name that is for staff only', async (record) => {
  const { server, create, list, largest } = setUp(record);
  const { id } = await create({ ...record.needs, ...largest() });
  const reply = await request(server.app)
    .get(`/api${record.path}/${id}`)
    .set('X-Kegbot-Api-Key', server.guestKey)
    .expect(200);
  const secret = list.filter(({ field }) => field.staffOnly).map(({ json }) => json);
  expect(Object.keys(reply.body.result[record.item]).filter((json) => secret.includes(json))).toEqual([]);
});

test('an export of kegs has every field that staff write', async () => {
  const { server, create, list, largest } = setUp(records.find(({ name }) => name === 'keg')!);
  const { id } = await create({ beverage_id: 1, ...largest() });
  const { text } = await request(server.app)
    .get('/api/admin/export/kegs.jsonl')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .buffer()
    .parse((response, done) => {
      let body = '';
      response.on('data', (piece: Buffer) => (body += piece));
      response.on('end', () => done(null, body));
    })
    .expect(200)
    .then(({ body }) => ({ text: String(body) }));
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const row = rows.find((one) => String(one.id) === String(id));
  expect(Object.fromEntries(list.map(({ json }) => [json, row[json]]))).toEqual(largest());
});
