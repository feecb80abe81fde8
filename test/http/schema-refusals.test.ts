import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { parseTexts } from '../../src/http/body/form-values.ts';
import { createPopulatedServer } from './editions/current/populated-server.ts';
import { fitting, misfitsOf, resolverOf, type Schema } from './fuzz/from-schema.ts';
import { listen } from './live/streams.ts';
import { ajvFor, type OpenApiDocument, type Operation, operations } from './routes/openapi-faults.ts';

const server = createPopulatedServer();
const { url, close } = await listen(server.app);
afterAll(() => close(0));
const headers = { 'X-Kegbot-Api-Key': server.staffKey };
const onTablet = { Cookie: server.createTabletCookie('Bar left') };
const document = (await (await fetch(`${url}/api/schema`)).json()) as OpenApiDocument;
const resolve = resolverOf(document);
const ajv = ajvFor(document);

// That the key is used is written down once in a while, and has been now.
await (await fetch(`${url}/api/users/me`, { headers })).arrayBuffer();

/** What is written in one transaction is counted here; nothing that does not fit gets so far. */
let written = 0;
const { store } = server;
const transaction = store.transaction.bind(store);
store.transaction = ((work: () => unknown) => {
  written++;
  return transaction(work);
}) as typeof store.transaction;

const sample = (schema: Schema) =>
  fc.sample(fitting(schema, resolve), { seed: 7, numRuns: 1 })[0] as Readonly<Record<string, unknown>>;

const checks = new Map<Schema, (value: unknown) => unknown>();

function isFit(schema: Schema, value: unknown): boolean {
  const check = checks.get(schema) ?? ajv.compile(schema);
  checks.set(schema, check);
  return check(value) === true;
}

/** Whether a text of an address fits, read as the house reads it. */
function isFitText(schema: Schema, value: unknown): boolean {
  const object = { type: 'object', properties: { it: resolve(schema) } };
  const read = parseTexts(object as never, { it: value });
  return !('it' in read) || isFit(schema, read.it);
}

const asObject = (operation: Operation, where: string): Schema => {
  const places = (operation.parameters ?? []).filter((one) => one.in === where);
  return { type: 'object', properties: Object.fromEntries(places.map(({ name, schema }) => [name, schema])) };
};

const addressOf = (path: string, places: Readonly<Record<string, unknown>>) =>
  path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(places[name])));

const every = operations(document).map((one) => ({
  ...one,
  places: sample({
    ...asObject(one.operation, 'path'),
    required: Object.keys(asObject(one.operation, 'path').properties!),
  }),
  body: one.operation.requestBody?.content['application/json']?.schema as Schema | undefined,
}));

async function mustRefuse(
  asked: { method: string; address: string; body?: unknown },
  field: string,
  why: string,
): Promise<void> {
  written = 0;
  const hasBody = asked.body !== undefined;
  const carried = asked.address.startsWith('/api/tablet/') ? onTablet : headers;
  const reply = await fetch(`${url}${asked.address}`, {
    method: asked.method.toUpperCase(),
    headers: hasBody ? { ...carried, 'Content-Type': 'application/json' } : carried,
    ...(hasBody ? { body: JSON.stringify(asked.body) } : {}),
  });
  const text = await reply.text();
  const said = `${field} ${why}: ${JSON.stringify(asked).slice(0, 300)} → ${reply.status} ${text.slice(0, 300)}`;
  expect(reply.status, said).toBe(400);
  const { fields = {} } = JSON.parse(text).error;
  expect(
    Object.keys(fields).map((name) => name.split('.')[0]),
    said,
  ).toContain(field);
  expect(written, said).toBe(0);
}

test.each(every.filter(({ body }) => body !== undefined))(
  '$name refuses a body that does not fit, by the field’s name, and keeps nothing',
  async ({ method, path, places, body }) => {
    const isEarly = path.startsWith('/api/setup/');
    if (isEarly) server.engine.users.changeSite({ isSetUp: false });
    try {
      const misfits = misfitsOf(body!, { good: sample(body!), isFit, resolve });
      expect(misfits.length).toBeGreaterThan(0);
      for (const { field, why, value } of misfits) {
        await mustRefuse({ method, address: addressOf(path, places), body: value }, field, why);
      }
    } finally {
      if (isEarly) server.engine.users.changeSite({ isSetUp: true });
    }
  },
);

const withQuery = every.filter(({ operation }) => operation.parameters?.some((one) => one.in === 'query'));

test.each(withQuery)(
  '$name refuses a query that does not fit',
  async ({ method, path, places, operation }) => {
    const query = asObject(operation, 'query');
    for (const { field, why, value } of misfitsOf(query, { good: {}, isFit: isFitText, resolve })) {
      const text = value[field];
      if (typeof text === 'object') continue;
      const asked = new URLSearchParams({ [field]: String(text) });
      if (isFitText(query.properties![field]!, String(text))) continue;
      await mustRefuse({ method, address: `${addressOf(path, places)}?${asked}` }, field, why);
    }
  },
);

const withPlaces = every.filter(({ path }) => path.includes('{') && !path.startsWith('/api/docs/'));

test.each(withPlaces)(
  '$name refuses an address that does not fit',
  async ({ method, path, places, operation }) => {
    const inPath = asObject(operation, 'path');
    for (const { field, why, value } of misfitsOf(inPath, { good: places, isFit: isFitText, resolve })) {
      const text = value[field];
      if (typeof text === 'object' || isFitText(inPath.properties![field]!, String(text))) continue;
      await mustRefuse({ method, address: addressOf(path, value) }, field, why);
    }
  },
);
