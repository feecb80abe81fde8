import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemActor } from '../../src/engine/engine.ts';
import { firstRandomSeed, propertyRuns, randomSeconds } from '../kit/slow.ts';
import { createPopulatedServer } from './current/populated-server.ts';
import { forms, isForm, toFormData } from './fuzz/forms.ts';
import { createResolver, type Schema, validValues } from './fuzz/from-schema.ts';
import { listen } from './live/streams.ts';
import { ajvFor, type OpenApiDocument, operations } from './openapi/openapi-faults.ts';

const firstSeed = firstRandomSeed(2);
/** Requests per operation and round. */
const requestsEach = propertyRuns(8);

/** An endless stream, and the operation that replaces the test's own key. */
const skippedPaths = ['/api/live', '/api/account/regenerate-api-key'];
/** The query parameter that delays the answer. */
const waitParameter = 'wait';
/** Time limit of a request, milliseconds: longer than any answer takes on a busy machine. */
const timeoutMs = 20_000;

test('the documents are valid OpenAPI 3.1', async () => {
  const { app } = createPopulatedServer();
  const { url, close } = await listen(app);
  for (const path of ['/api/schema', '/api/v1/schema']) {
    const document = (await (await fetch(`${url}${path}`)).json()) as Record<string, unknown>;
    const { valid, errors } = await new Validator().validate(document);
    expect(valid, `${path}: ${JSON.stringify(errors)?.slice(0, 2_000)}`).toBe(true);
  }
  await close(0);
});

test('answers random requests made from the document as the document declares', {
  timeout: (randomSeconds + 300) * 1_000,
}, async () => {
  const endMs = performance.now() + randomSeconds * 1_000;
  let seed = firstSeed;
  do await runRound(seed++);
  while (performance.now() < endMs);
});

interface FuzzRequest {
  readonly method: string;
  readonly address: string;
  readonly body: unknown;
}

/** Calls every operation a few times in an order given by the seed, with values from earlier answers. */
async function runRound(seed: number): Promise<void> {
  const server = createPopulatedServer();
  const { url, close } = await listen(server.app);
  try {
    const document = (await (await fetch(`${url}/api/schema`)).json()) as OpenApiDocument;
    const ajv = ajvFor(document);
    const resolve = createResolver(document);
    const checks = new Map<object, (value: unknown) => unknown>();
    const fits = (schema: object, value: unknown) => {
      const check = checks.get(schema) ?? ajv.compile(schema);
      checks.set(schema, check);
      return check(value) === true;
    };
    const tested = operations(document).filter(({ path }) => !skippedPaths.includes(path));
    const order = fc.sample(
      fc.shuffledSubarray(
        tested.flatMap((one) => Array.from({ length: requestsEach }, () => one)),
        { minLength: tested.length * requestsEach },
      ),
      { seed, numRuns: 1 },
    )[0]!;
    const tablet = server.createTabletCookie('Bar left');
    let key = server.staffKey;
    const done = new Set<string>();
    /** Operations called with a form with files. */
    const filled = new Set<string>();
    const known = new Set<unknown>(['anna', 'pi.flow0', 'core.rfid', '0089f2c4', 'drinks.csv']);
    for (const [i, { method, path, operation, name }] of order.entries()) {
      const { parameters = [], requestBody } = operation;
      const knownValues = [...known];
      const member = (schema: object) =>
        sometimesAnything(validValues(schema as Schema, resolve, knownValues));
      const schemasIn = (where: string) =>
        Object.fromEntries(
          parameters
            .filter((one) => one.in === where && one.name !== waitParameter)
            .map((one) => [one.name, one.schema]),
        );
      const bodySchema = requestBody?.content['application/json']?.schema;
      const formSchema = requestBody?.content['multipart/form-data']?.schema;
      const requests = fc.record({
        params: fc.record(mapValues(schemasIn('path'), member)),
        query: fc.record(mapValues(schemasIn('query'), member), { requiredKeys: [] }),
        body: fc.oneof(
          bodySchema === undefined
            ? fc.constant(undefined)
            : sometimesAnything(validValues(bodySchema as Schema, resolve, knownValues)),
          ...(formSchema === undefined ? [] : [forms(formSchema as Schema, resolve, knownValues)]),
        ),
      });
      const [{ params, query, body }] = fc.sample(requests, { seed: seed * 100_000 + i, numRuns: 1 }) as [
        { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown },
      ];
      const texts = Object.entries(query).map(([key, value]) => [key, String(value)] as [string, string]);
      const filledPath = path.replace(/\{(\w+)\}/g, (_all, part) =>
        encodeURIComponent(toPathText(params[part])),
      );
      const address = `${filledPath}${texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''}`;
      const { status, mediaType, text } = await sendFuzzRequest(
        url,
        { method, address, body },
        path.startsWith('/api/tablet/') ? { Cookie: tablet } : { 'X-Kegbot-Api-Key': key },
      );
      const line = `seed ${seed}: ${method} ${address} ${JSON.stringify(body)?.slice(0, 400)} → ${status} ${text.slice(0, 400)}`;
      if (isForm(body)) filled.add(name);
      // A request may have removed the key or its account; without a new key nothing more would be tested.
      if (status === 401) key = createNewKey(server);
      const declared =
        operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined);
      expect(declared, `${name} does not declare ${status}; ${line}`).toBeDefined();
      expect(status, `${line} ${JSON.stringify(server.faults.at(-1), errorReplacer)}`).not.toBe(500);
      expect(Object.keys(declared!.content!), line).toContain(mediaType);
      const shape = declared!.content![mediaType]?.schema;
      if (mediaType !== 'application/json' || shape === undefined) continue;
      const answer: unknown = JSON.parse(text);
      expect(fits(shape, answer), `${name} differs from its schema; ${line}`).toBe(true);
      if (status < 300) {
        done.add(name);
        collectValues(answer, known);
      }
    }
    // Otherwise only errors were tested.
    expect(done.size).toBeGreaterThan(tested.length / 4);
    expect(filled.size).toBeGreaterThan(0);
    expect(server.faults).toEqual([]);
    expect(server.engine.checkDatabase()).toEqual([]);
  } finally {
    await close(0);
    server.store.close();
  }
}

/** Makes Anna active staff again and returns a new key. */
function createNewKey({ engine, now }: ReturnType<typeof createPopulatedServer>): string {
  engine.accounts.change('anna', { isActive: true, isStaff: true }, systemActor, now());
  return engine.users.createKey('anna', 'test', now()).secret;
}

/** Replaces one value in eight by arbitrary JSON. */
const sometimesAnything = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: good, weight: 7 }, fc.jsonValue({ maxDepth: 2 }));

const mapValues = (
  schemas: Readonly<Record<string, object>>,
  each: (schema: object) => fc.Arbitrary<unknown>,
) => Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, each(schema)]));

/** Converts a value to a path segment; an empty one, `.` and `..` would change the address. */
function toPathText(value: unknown): string {
  const text =
    typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '') : (JSON.stringify(value) ?? 'nothing');
  return text === '' || /^\.\.?$/.test(text) ? 'nothing' : text;
}

async function sendFuzzRequest(
  url: string,
  { method, address, body }: FuzzRequest,
  headers: Readonly<Record<string, string>>,
) {
  const isJson = body !== undefined && !isForm(body);
  const reply = await fetch(`${url}${address}`, {
    method: method.toUpperCase(),
    headers: isJson ? { ...headers, 'Content-Type': 'application/json' } : headers,
    ...(body === undefined ? {} : { body: isForm(body) ? toFormData(body) : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const mediaType = (reply.headers.get('content-type') ?? '').split(';')[0]!;
  return { status: reply.status, mediaType, text: await reply.text() };
}

/** Collects short texts and whole numbers of an answer for later requests. */
function collectValues(value: unknown, known: Set<unknown>): void {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectValues(inner, known);
    return;
  }
  if (known.size > 300) return;
  if (typeof value === 'string' ? value !== '' && value.length <= 64 : Number.isInteger(value))
    known.add(value);
}

const errorReplacer = (_name: string, value: unknown): unknown =>
  value instanceof Error ? `${value.stack}` : value;
