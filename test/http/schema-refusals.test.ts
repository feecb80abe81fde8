import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { parseTexts } from '../../src/http/pipeline/body/form-values.ts';
import { createPopulatedServer } from './current/populated-server.ts';
import { createResolver, invalidInputs, type Schema, validValues } from './fuzz/from-schema.ts';
import { listen } from './live/streams.ts';
import { ajvFor, type OpenApiDocument, type Operation, operations } from './openapi/openapi-faults.ts';

const server = createPopulatedServer();
const { url, close } = await listen(server.app);
afterAll(() => close(0));
server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
// May use every route, also those that refuse keys.
const headers = { Cookie: server.createConfirmedCookie('root') };
const tabletHeaders = { Cookie: server.createTabletCookie('Bar left') };
const document = (await (await fetch(`${url}/api/schema`)).json()) as OpenApiDocument;
const resolve = createResolver(document);
const ajv = ajvFor(document);

// The first use of the login writes its last-used time; later requests within the interval do not.
await (await fetch(`${url}/api/users/me`, { headers })).arrayBuffer();

/** Number of transactions; invalid input must not start any. */
let writes = 0;
const { store } = server;
const transaction = store.transaction.bind(store);
store.transaction = ((work: () => unknown) => {
  writes++;
  return transaction(work);
}) as typeof store.transaction;

const sample = (schema: Schema) =>
  fc.sample(validValues(schema, resolve), { seed: 7, numRuns: 1 })[0] as Readonly<Record<string, unknown>>;

const checks = new Map<Schema, (value: unknown) => unknown>();

function isValid(schema: Schema, value: unknown): boolean {
  const check = checks.get(schema) ?? ajv.compile(schema);
  checks.set(schema, check);
  return check(value) === true;
}

/** True if a text of an address is valid after conversion. */
function isValidText(schema: Schema, value: unknown): boolean {
  const object = { type: 'object', properties: { it: resolve(schema) } };
  const read = parseTexts(object as never, { it: value });
  return !('it' in read) || isValid(schema, read.it);
}

const toObjectSchema = (operation: Operation, where: string): Schema => {
  const params = (operation.parameters ?? []).filter((one) => one.in === where);
  return { type: 'object', properties: Object.fromEntries(params.map(({ name, schema }) => [name, schema])) };
};

const toAddress = (path: string, params: Readonly<Record<string, unknown>>) =>
  path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(params[name])));

const allOperations = operations(document).map((one) => ({
  ...one,
  params: sample({
    ...toObjectSchema(one.operation, 'path'),
    required: Object.keys(toObjectSchema(one.operation, 'path').properties!),
  }),
  body: one.operation.requestBody?.content['application/json']?.schema as Schema | undefined,
}));

async function expectRefusal(
  request: { method: string; address: string; body?: unknown },
  field: string,
  why: string,
): Promise<void> {
  writes = 0;
  const hasBody = request.body !== undefined;
  const requestHeaders = request.address.startsWith('/api/tablet/') ? tabletHeaders : headers;
  const reply = await fetch(`${url}${request.address}`, {
    method: request.method.toUpperCase(),
    headers: hasBody ? { ...requestHeaders, 'Content-Type': 'application/json' } : requestHeaders,
    ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
  });
  const text = await reply.text();
  const message = `${field} ${why}: ${JSON.stringify(request).slice(0, 300)} → ${reply.status} ${text.slice(0, 300)}`;
  expect(reply.status, message).toBe(400);
  const { error, detail } = JSON.parse(text);
  // Device events have their protocol's own form of errors.
  const fields = error.fields ?? detail ?? {};
  expect(
    Object.keys(fields).map((name) => name.split(/[.[]/)[0]),
    message,
  ).toContain(field);
  expect(writes, message).toBe(0);
}

test.each(allOperations.filter(({ body }) => body !== undefined))(
  '$name rejects an invalid body with the field’s name and writes nothing',
  async ({ method, path, params, body }) => {
    const isSetupRoute = path.startsWith('/api/setup/');
    if (isSetupRoute) server.engine.users.changeSite({ isSetUp: false });
    try {
      const invalid = invalidInputs(body!, { good: sample(body!), isValid, resolve });
      expect(invalid.length).toBeGreaterThan(0);
      for (const { field, why, value } of invalid) {
        await expectRefusal({ method, address: toAddress(path, params), body: value }, field, why);
      }
    } finally {
      if (isSetupRoute) server.engine.users.changeSite({ isSetUp: true });
    }
  },
);

const withQuery = allOperations.filter(({ operation }) =>
  operation.parameters?.some((one) => one.in === 'query'),
);

test.each(withQuery)('$name rejects an invalid query', async ({ method, path, params, operation }) => {
  const query = toObjectSchema(operation, 'query');
  for (const { field, why, value } of invalidInputs(query, { good: {}, isValid: isValidText, resolve })) {
    const text = value[field];
    if (typeof text === 'object') continue;
    const parameters = new URLSearchParams({ [field]: String(text) });
    if (isValidText(query.properties![field]!, String(text))) continue;
    await expectRefusal({ method, address: `${toAddress(path, params)}?${parameters}` }, field, why);
  }
});

const withParams = allOperations.filter(({ path }) => path.includes('{') && !path.startsWith('/api/docs/'));

test.each(withParams)(
  '$name rejects invalid path parameters',
  async ({ method, path, params, operation }) => {
    const inPath = toObjectSchema(operation, 'path');
    for (const { field, why, value } of invalidInputs(inPath, {
      good: params,
      isValid: isValidText,
      resolve,
    })) {
      const text = value[field];
      if (typeof text === 'object' || isValidText(inPath.properties![field]!, String(text))) continue;
      await expectRefusal({ method, address: toAddress(path, value) }, field, why);
    }
  },
);
