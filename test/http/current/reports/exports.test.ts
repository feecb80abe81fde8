import { inflateRawSync } from 'node:zlib';
import request, { type Response } from 'supertest';
import { expect, test } from 'vitest';
import { toActor } from '../../../../src/engine/engine.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createPopulatedServer, type PopulatedServer } from '../populated-server.ts';

/** Milliseconds of the day 0 of a workbook, 30 December 1899. */
const workbookEpochMs = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

function createServer(settings: { readonly locale?: string } = {}): PopulatedServer {
  const server = createPopulatedServer();
  const { engine, store } = server;
  engine.site.change(
    { timeZone: 'Europe/Berlin', ...settings },
    toActor(engine.users.user('anna')!, 'page'),
    server.now(),
  );
  // 333.3333… mL.
  insertDrink(store, { tap: 'pi.flow0', ticks: 1, volumeMl: 1_000 / 3 }, server.now());
  return server;
}

const get = (server: PopulatedServer, path: string) =>
  request(server.app)
    .get(`/api${path}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .buffer(true)
    .parse((response, done) => readBytes(response, done));

const getText = async (server: PopulatedServer, path: string): Promise<string> =>
  (await get(server, path).expect(200)).body.toString('utf8');

test('the Excel dialect has a byte order mark, semicolons, decimal commas and local times', async () => {
  const server = createServer({ locale: 'de-DE' });
  const text = await getText(server, '/admin/export/drinks.csv?dialect=excel');
  const lines = text.split('\r\n');
  expect(lines[0]).toMatch(/^\uFEFFid;pour_time;duration;/);
  expect(lines[1]).toMatch(/^1;2026-05-02 19:00:00;5;/);
  expect(lines.at(-2)).toContain(';333,33;');
  const standard = await getText(server, '/admin/export/drinks.csv?dialect=standard');
  expect(standard).toBe(await getText(server, '/admin/export/drinks.csv'));
  expect(standard.split('\r\n')[1]).toMatch(/^1,2026-05-02T17:00:00Z,5,/);
  expect(standard).toContain(',333.33,');
});

test('the signs of the Excel dialect follow the locale of the site', async () => {
  const path = '/admin/export/sessions.csv?dialect=excel';
  expect(await getText(createServer(), path)).toMatch(/^\uFEFFid;started_time;/);
  expect(await getText(createServer({ locale: 'en-US' }), path)).toMatch(/^\uFEFFid,started_time,/);
});

test('reports have the Excel dialect, too', async () => {
  const server = createServer({ locale: 'de-DE' });
  for (const path of ['/reports/days/2026-05-03/csv', '/reports/span/csv?first=2026-05-03&last=2026-05-03']) {
    const lines = (await getText(server, `${path}${path.includes('?') ? '&' : '?'}dialect=excel`)).split(
      '\r\n',
    );
    expect(lines[0]).toBe(
      '\uFEFFdate;of;id;name;drinks;poured_ml;poured_uncertainty_ml;spills;spilled_ml;held;held_ml;revenue;unpriced;unpriced_ml;currency',
    );
    expect(lines[1]).toBe('2026-05-03;day;;;3;833,33;193;0;0;1;183,55;;3;833,33;EUR');
    expect(await getText(server, path)).toContain(',833.33,');
  }
});

test.each(['drinks', 'kegs', 'sessions', 'temperatures'])(
  'no %s are exported with more than two decimals of a mL',
  async (kind) => {
    const server = createServer();
    const lines = (await getText(server, `/admin/export/${kind}.jsonl`)).trim().split('\n');
    const volumes = lines.flatMap((line) =>
      Object.entries(JSON.parse(line)).flatMap(([name, value]) =>
        name.endsWith('_ml') ? [value as number] : [],
      ),
    );
    expect(volumes.filter((ml) => Math.round(ml * 100) / 100 !== ml)).toEqual([]);
  },
);

test('a workbook has numbers, times, texts and truth values of their types, and no formula', async () => {
  const server = createServer();
  server.engine.kegs.create(
    {
      beverage: { name: '=1+1', producerName: '@SUM(A1)', styleName: 'x' },
      sizeKey: 'corny',
      notes: 'a<&>"\nb',
    },
    server.now(),
  );
  const { headers, body } = await get(server, '/admin/export/drinks.xlsx').expect(200);
  expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(headers['content-disposition']).toBe('attachment; filename="tapster-drinks.xlsx"');
  const [head, first, ...others] = readSheet(body);
  const drink = Object.fromEntries(head!.map((name, i) => [String(name), first![i]]));
  expect(drink).toMatchObject({ id: 1, volume_ml: 300, user_id: 'anna', is_valid: true, tap: 'Left' });
  expect(workbookEpochMs + Math.round((drink.pour_time as number) * dayMs)).toBe(Date.UTC(2026, 4, 2, 19));
  expect(others).toHaveLength(7);
  expect(others.at(-1)![head!.indexOf('volume_ml')]).toBe(333.33);

  const kegs = (await get(server, '/admin/export/kegs.xlsx').expect(200)).body;
  const [names, ...rows] = readSheet(kegs);
  const newest = Object.fromEntries(names!.map((name, i) => [String(name), rows.at(-1)![i]]));
  expect(newest).toMatchObject({
    beverage: '=1+1',
    producer: '@SUM(A1)',
    notes: 'a<&>"\nb',
    finished_time: null,
  });
  expect(readEntry(kegs, 'xl/worksheets/sheet1.xml')).not.toMatch(/<f[ >]/);
});

test('a dialect is for CSV only, and has to be known', async () => {
  const server = createServer();
  for (const path of [
    'drinks.jsonl?dialect=excel',
    'drinks.xlsx?dialect=excel',
    'drinks.csv?dialect=lotus',
  ]) {
    const { body } = await get(server, `/admin/export/${path}`).expect(400);
    expect(JSON.parse(body.toString()).error.fields).toHaveProperty('dialect');
  }
});

test('a locale is a language tag in its usual form', async () => {
  const server = createServer();
  const change = (locale: string) =>
    request(server.app).patch('/api/site').set('X-Kegbot-Api-Key', server.staffKey).send({ locale });
  await change('pt-BR').expect(200);
  await change('').expect(200);
  for (const locale of ['german', 'de_DE', 'de-de', '*']) {
    const { body } = await change(locale).expect(400);
    expect(body.error.rules).toEqual({ locale: { name: 'language_tag' } });
  }
});

function readBytes(response: Response, done: (fault: Error | null, body: Buffer) => void): void {
  const stream = response as unknown as NodeJS.ReadableStream;
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('end', () => done(null, Buffer.concat(parts)));
}

/** Reads one file of a ZIP archive by its central directory, independently of the library that wrote it. */
function readEntry(archive: Buffer, path: string): string {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = archive.readUInt32LE(end + 16);
  for (let i = archive.readUInt16LE(end + 10); i > 0; i--) {
    const nameLength = archive.readUInt16LE(at + 28);
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === path) {
      const local = archive.readUInt32LE(at + 42);
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const bytes = archive.subarray(start, start + archive.readUInt32LE(at + 20));
      return (archive.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes)).toString('utf8');
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`no ${path} in the archive`);
}

type Cell = string | number | boolean | null;

/** Reads the cells of a workbook's first sheet, row by row. */
function readSheet(archive: Buffer): Cell[][] {
  const xml = readEntry(archive, 'xl/worksheets/sheet1.xml');
  return [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) => {
    const cells: Cell[] = [];
    for (const [, attributes, content = ''] of row!.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs))
      cells[columnOf(/r="([A-Z]+)/.exec(attributes!)![1]!)] = toCell(
        /t="(\w+)"/.exec(attributes!)?.[1],
        content,
      );
    return Array.from(cells, (cell) => cell ?? null);
  });
}

const columnOf = (letters: string): number =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;

function toCell(type: string | undefined, content: string): Cell {
  const text = /<(?:v|t)[^>]*>(.*?)<\/(?:v|t)>/s.exec(content)?.[1];
  if (text === undefined) return null;
  if (type === 'b') return text === '1';
  if (type === 'inlineStr') {
    return text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#10;', '\n')
      .replaceAll('&amp;', '&');
  }
  return Number(text);
}
