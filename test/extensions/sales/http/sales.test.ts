import { fileURLToPath } from 'node:url';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { createPopulatedServer } from '../../../http/current/populated-server.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';

const sample = (name: string): string => fileURLToPath(new URL(`../engine/samples/${name}`, import.meta.url));

const newSale = {
  external_id: '1',
  time: '2026-05-01T18:05:00Z',
  item_name: 'Lager',
  variant: 'Pint',
  net_minor: 800,
};

async function createBar() {
  const server = createPopulatedServer();
  const client = createStaffClient(server);
  const headers = { 'X-Kegbot-Api-Key': server.staffKey };
  const { presets } = await client.send('get', '/sales-presets');
  const generic = presets.find(({ preset }: { preset: string }) => preset === 'generic');
  const format = {
    ...generic,
    delimiter: ';',
    decimal_sign: ',',
    date_order: 'dmy',
    time_meaning: 'ring',
    time_zone: 'Europe/Berlin',
  };
  const upload = (path: string, file: string, fields: Record<string, unknown>, transactions?: string) => {
    const sent = request(server.app).post(`/api${path}`).set(headers);
    for (const [name, value] of Object.entries(fields)) sent.field(name, String(value));
    sent.attach('file', sample(file));
    if (transactions !== undefined) sent.attach('transactions', sample(transactions));
    return sent;
  };
  return { server, headers, ...client, presets, format, upload };
}

describe('POST /api/sales', () => {
  test('stores lines once, however often they are sent, and changes a voided one', async () => {
    const { send } = await createBar();
    const body = { till: 'Front', sales: [newSale, { ...newSale, external_id: '2' }] };
    expect(await send('post', '/sales', body)).toMatchObject({
      new_lines: 2,
      changed_lines: 0,
      known_lines: 0,
    });
    expect(await send('post', '/sales', body)).toMatchObject({
      new_lines: 0,
      changed_lines: 0,
      known_lines: 2,
    });
    const voided = { till: 'Front', sales: [{ ...newSale, kind: 'void' }] };
    expect(await send('post', '/sales', voided)).toMatchObject({ new_lines: 0, changed_lines: 1 });
    const { sales, paging } = await send('get', '/sales');
    expect(paging.total).toBe(2);
    expect(sales).toMatchObject([{ kind: 'void' }, { kind: 'sale' }]);
    expect((await send('get', '/tills')).tills).toMatchObject([{ name: 'Front', format: null }]);
  });

  test('stores none of the lines when one is wrong, and names its field', async () => {
    const { server, headers, send } = await createBar();
    const post = (sales: unknown[]) =>
      request(server.app).post('/api/sales').set(headers).send({ till: 'Front', sales });
    const wrong = await post([newSale, { ...newSale, quantity: 10_001 }]).expect(400);
    expect(JSON.stringify(wrong.body)).toContain('sales.1.quantity');
    await post([]).expect(400);
    await post(Array.from({ length: 201 }, () => newSale)).expect(400);
    expect((await send('get', '/sales')).sales).toEqual([]);
    expect((await send('get', '/tills')).tills).toEqual([]);
    expect((await send('get', '/sales-imports')).imports).toEqual([]);
  });

  test('is written to the audit log once for its import, and for each request that changes lines', async () => {
    const { send } = await createBar();
    const record = (sales: unknown[]) => send('post', '/sales', { till: ' Front ', sales });
    await record([newSale]);
    await record([newSale, { ...newSale, external_id: '2' }]);
    const changed = await record([
      { ...newSale, kind: 'void' },
      { ...newSale, external_id: '2', quantity: 0 },
    ]);
    const { entries } = await send('get', '/audit');
    const shown = entries.map(({ action, after }: { action: string; after: unknown }) => [action, after]);
    expect(shown.slice(0, 3)).toMatchObject([
      ['sales.changed', { till: 'Front', new_lines: 0, changed_lines: 2 }],
      ['sales.imported', { till: 'Front', new_lines: 1, changed_lines: 0 }],
      ['till.created', { name: 'Front' }],
    ]);
    expect(entries[0]).toMatchObject({
      subject_kind: 'sales_import',
      subject_id: String(changed.import_id),
    });
  });

  test('is for staff', async () => {
    const { server } = await createBar();
    await request(server.app)
      .post('/api/sales')
      .send({ till: 'Front', sales: [newSale] })
      .expect(401);
  });
});

test('whether the amounts of a till contain tax is said when it is created, and changed', async () => {
  const { server, headers, send } = await createBar();
  const { till } = await send('post', '/tills', { name: 'Front', included_tax_basis_points: 1_900 }, 201);
  expect(till).toMatchObject({ included_tax_basis_points: 1_900 });
  const { till: other } = await send('post', '/tills', { name: 'Garden' }, 201);
  expect(other).toMatchObject({ included_tax_basis_points: null });
  const change = (tax: number) =>
    request(server.app).patch(`/api/tills/${other.id}`).set(headers).send({ included_tax_basis_points: tax });
  expect((await change(0).expect(200)).body.result.till).toMatchObject({ included_tax_basis_points: 0 });
  expect(JSON.stringify((await change(10_001).expect(400)).body)).toContain('included_tax_basis_points');
});

describe('import of a file', () => {
  test('is previewed with what it changes at the till', async () => {
    const { send, format, upload } = await createBar();
    const { till } = await send('post', '/tills', { name: 'Front' }, 201);
    const fields = { till_id: till.id, format: JSON.stringify({ ...format, is_complete: true }) };
    const { body } = await upload('/sales-previews', 'generic.csv', fields).expect(200);
    expect(body.result.changes).toEqual({
      new_lines: 5,
      changed_lines: 0,
      gone_lines: 0,
      changed: [],
      gone: [],
    });
    const without = await upload('/sales-previews', 'generic.csv', { format: fields.format }).expect(200);
    expect(without.body.result.changes).toBeNull();
    for (const path of ['/sales-previews', '/sales-imports'])
      await upload(path, 'generic.csv', {
        ...fields,
        ...(path === '/sales-imports' && { file_name: 'a.csv' }),
        till_id: 99,
      }).expect(404);
  });

  test('previews, imports, lists and undoes it', async () => {
    const { send, format, upload } = await createBar();
    const preview = await upload('/sales-previews', 'generic.csv', { format: JSON.stringify(format) }).expect(
      200,
    );
    expect(preview.body.result).toMatchObject({
      missing: [],
      lines: 5,
      bad_rows: 2,
      faults: [
        { line: 7, fault: 'time' },
        { line: 8, fault: 'quantity' },
      ],
      categories: [
        { name: 'Draught', lines: 4, products: 2, is_draught: true },
        { name: 'Soft drinks', lines: 1, products: 1, is_draught: false },
      ],
    });
    expect((await send('get', '/sales')).sales).toEqual([]);
    const { till } = await send('post', '/tills', { name: 'Front' }, 201);
    const fields = { till_id: till.id, file_name: 'day.csv', format: JSON.stringify(format) };
    const created = await upload('/sales-imports', 'generic.csv', fields).expect(200);
    expect(created.body.result).toMatchObject({
      repeated: false,
      import: { lines: 5, state: 'complete', till: 'Front' },
    });
    const again = await upload('/sales-imports', 'generic.csv', fields).expect(200);
    expect(again.body.result).toMatchObject({
      repeated: true,
      import: { id: created.body.result.import.id },
    });
    expect((await send('get', `/tills/${till.id}`)).till.format).toEqual(format);
    expect((await send('get', '/sales?kind=comp')).sales).toHaveLength(1);
    const undone = await send('post', `/sales-imports/${created.body.result.import.id}/undo`);
    expect(undone.import.state).toBe('undone');
    expect((await send('get', '/sales')).sales).toEqual([]);
  });

  test('reads both files of DSFinV-K', async () => {
    const { presets, upload } = await createBar();
    const preset = presets.find((one: { preset: string }) => one.preset === 'dsfinvk');
    const answer = await upload(
      '/sales-previews',
      'dsfinvk-lines.csv',
      { format: JSON.stringify({ ...preset, time_zone: 'Europe/Berlin' }) },
      'dsfinvk-transactions.csv',
    ).expect(200);
    expect(answer.body.result).toMatchObject({ lines: 5, skipped_rows: 1, bad_rows: 1 });
  });

  test('refuses a wrong format and a missing file by their fields', async () => {
    const { upload, server, headers, format } = await createBar();
    const wrong = await upload('/sales-previews', 'generic.csv', { format: '{"preset":"other"}' }).expect(
      400,
    );
    expect(JSON.stringify(wrong.body)).toContain('format');
    const none = await request(server.app)
      .post('/api/sales-previews')
      .set(headers)
      .field('format', JSON.stringify(format))
      .expect(400);
    expect(JSON.stringify(none.body)).toContain('file');
  });
});

describe('products of a till', () => {
  test('are proposed, mapped also for the past, ignored and forgotten', async () => {
    const { send } = await createBar();
    const sizes = (await send('get', '/serving-sizes')).serving_sizes;
    const beverage = (await send('get', '/beverages')).beverages[0];
    const half = sizes.at(-1);
    await send('post', '/sales', {
      till: 'Front',
      sales: [
        { ...newSale, item_name: `${beverage.name} ${half.volume_ml} mL`, variant: '', item_key: '101' },
      ],
    });
    const [item] = (await send('get', '/tills/1/items')).items;
    const component = {
      beverage_id: beverage.id,
      serving_size_id: half.id,
      count: 1,
      liquid_ml: null,
    };
    expect(item).toMatchObject({ state: 'unknown', lines: 1, proposal: [component] });
    const mapped = await send('put', `/till-items/${item.id}/mapping`, { components: item.proposal });
    expect(mapped.item).toMatchObject({
      state: 'mapped',
      mappings: [{ since: null, components: [{ ...component, liquid_ml: half.volume_ml }] }],
    });
    expect((await send('post', `/till-items/${item.id}/ignore`)).item).toMatchObject({
      state: 'ignored',
      mappings: [],
    });
    expect((await send('post', `/till-items/${item.id}/reset`)).item.state).toBe('unknown');
  });

  test('of an ignored category are ignored at once', async () => {
    const { send } = await createBar();
    await send('post', '/sales', { till: 'Front', sales: [{ ...newSale, category: 'Food' }] });
    await send('patch', '/tills/1', { ignored_categories: ['Food'] });
    expect((await send('get', '/tills/1/items')).items).toMatchObject([{ state: 'ignored' }]);
    await send('patch', '/tills/1', { ignored_categories: [] });
    expect((await send('get', '/tills/1/items')).items).toMatchObject([{ state: 'unknown' }]);
  });
});

test('servings of a beverage hold beer, tax and codes, and can be undone', async () => {
  const { send } = await createBar();
  const [size] = (await send('get', '/serving-sizes')).serving_sizes;
  const before = (await send('get', '/beverages/1/servings')).servings;
  const { servings, correction_id } = await send('put', '/beverages/1/servings', {
    servings: [{ serving_size_id: size.id, liquid_ml: 100, tax_basis_points: 1900, codes: ['PLU 7'] }],
  });
  expect(servings[0]).toMatchObject({
    liquid_ml: 100,
    effective_ml: 100,
    tax_basis_points: 1900,
    codes: ['PLU 7'],
  });
  await send('post', '/sales', { till: 'Front', sales: [{ ...newSale, item_key: 'PLU 7' }] });
  expect((await send('get', '/tills/1/items')).items).toMatchObject([
    {
      state: 'mapped',
      mappings: [{ since: null, components: [{ beverage_id: '1', serving_size_id: size.id }] }],
    },
  ]);
  await send('post', `/corrections/${correction_id}/undo`);
  expect((await send('get', '/beverages/1/servings')).servings).toEqual(before);
});

describe('POST /api/sales-previews', () => {
  const preview = async (text: string | Buffer, changes: object = {}) => {
    const { server, headers, format } = await createBar();
    return request(server.app)
      .post('/api/sales-previews')
      .set(headers)
      .field('format', JSON.stringify({ ...format, ...changes }))
      .attach('file', Buffer.from(text), 'sales.csv');
  };

  test.each([
    ['an empty file', '', /The file is empty/],
    ['blank lines', '\ufeff\r\n;;\r\n  \r\n', /The file is empty/],
    ['zero bytes', Buffer.alloc(4_096), /The file is no text/],
  ])('refuses %s', async (_what, text, sentence) => {
    const { status, body } = await preview(text);
    expect(status).toBe(400);
    expect(body.error.fields.file).toMatch(sentence);
  });

  test.each([
    [
      'English',
      'Date;Item;Qty;Gross Sales',
      { date: 'Date', item_name: 'Item', quantity: 'Qty', gross: 'Gross Sales' },
    ],
    [
      'German',
      'Datum;Artikel;Menge;Betrag',
      { date: 'Datum', item_name: 'Artikel', quantity: 'Menge', net: 'Betrag' },
    ],
    [
      'German with turnover',
      'Datum;Artikel;Menge;Umsatz',
      { date: 'Datum', item_name: 'Artikel', quantity: 'Menge', net: 'Umsatz' },
    ],
    [
      'French',
      'Date;Article;Qté;Montant',
      { date: 'Date', item_name: 'Article', quantity: 'Qté', net: 'Montant' },
    ],
    [
      'Spanish',
      'Fecha;Producto;Cantidad;Importe',
      { date: 'Fecha', item_name: 'Producto', quantity: 'Cantidad', net: 'Importe' },
    ],
    [
      'Dutch',
      'Datum;Omschrijving;Aantal;Bedrag',
      { date: 'Datum', item_name: 'Omschrijving', quantity: 'Aantal', net: 'Bedrag' },
    ],
  ])('guesses the columns of a head in %s, and applies none of them', async (_language, head, guessed) => {
    const columns = { date: 'When', item_name: 'What', quantity: 'How many' };
    const { body } = await preview(`Report\n${head};Kellner\n01.05.2026 18:00;Helles;2;9,00;Zoe\n`, {
      columns,
    });
    expect(body.result).toMatchObject({
      guessed_columns: guessed,
      missing: ['date', 'item_name', 'quantity'],
      head_line: 2,
      lines: 0,
    });
  });
});
