import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHiddenCharacter } from '../../src/core/text/text-rules.ts';
import { createResolver, type Schema, validValues } from './fuzz/from-schema.ts';
import { type OpenApiDocument, operations } from './openapi/openapi-faults.ts';
import { createTestServer, type TestServer } from './test-server.ts';

/** A right-to-left override, a zero width space and a bell. */
const hidden = '\u202e\u200b\x07';

/** Valid inputs that are tried for each operation. */
const inputsEach = 2;

let folder: string;
let server: TestServer;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bar-'));
  server = createTestServer({ database: join(folder, 'tapster.db') });
});
afterEach(() => {
  server.store.close();
  rmSync(folder, { recursive: true });
});

test.each(['/api/schema', '/api/v1/schema'])(
  'no operation of %s stores a text with hidden characters',
  { timeout: 120_000 },
  async (path) => {
    const document = (await request(server.app).get(path)).body as OpenApiDocument;
    const resolve = createResolver(document);
    let sent = 0;
    for (const { method, path, operation } of operations(document)) {
      const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
      if (schema === undefined) continue;
      const known = ['anna', 'pi.flow0', 'core.rfid', 'pi', 'corny'];
      const inputs = fc.sample(validValues(schema, resolve, known), { seed: 5, numRuns: inputsEach });
      for (const input of inputs as Record<string, unknown>[]) {
        for (const [field, value] of Object.entries(input)) {
          if (typeof value !== 'string') continue;
          const body = { ...input, [field]: `Hel${hidden}les${value.slice(0, 2)}` };
          await request(server.app)
            [method as 'post'](path.replace(/\{ref\}/, 'pi.flow0').replace(/\{\w+\}/g, '1'))
            .set('X-Api-Key', server.staffKey)
            .set('X-Kegbot-Api-Key', server.staffKey)
            .send(body);
          sent += 1;
        }
      }
    }
    expect(sent).toBeGreaterThan(20);
    expect(server.faults).toEqual([]);
    expect(
      storedTexts(join(folder, 'tapster.db')).filter(({ text }) => findHiddenCharacter(text, 'lines')),
    ).toEqual([]);
  },
);

test('a name with a hidden character is refused by the current API, which names the field and the character', async () => {
  const reply = await request(server.app)
    .post('/api/taps')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .send({ name: 'Left\u202etnuocca' })
    .expect(400);
  expect(reply.body.error.fields.name).toContain('U+202E');
  expect(reply.body.error.rules.name).toEqual({ name: 'hidden_character', character: 'U+202E' });
});

test('a drink with hidden characters is recorded without them by the legacy API', async () => {
  const reply = await request(server.app)
    .post(`/api/v1/taps/pi.flow0${encodeURIComponent('\u200b')}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .type('form')
    .send({ ticks: 600, username: 'ber\u202et', shout: 'Prost\u202e!\r\n👨‍👩‍👧\x07', pour_id: 'a\u200b1' })
    .expect(200);
  expect(reply.body.object).toMatchObject({ user_id: 'bert', shout: 'Prost!\n👨‍👩‍👧' });
});

/** Every text in the database. */
function storedTexts(
  file: string,
): { readonly table: string; readonly column: string; readonly text: string }[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    const tables = db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .pluck()
      .all() as string[];
    return tables.flatMap((table) => {
      const rows = db.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[];
      return rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, text]) =>
          typeof text === 'string' ? [{ table, column, text }] : [],
        ),
      );
    });
  } finally {
    db.close();
  }
}
