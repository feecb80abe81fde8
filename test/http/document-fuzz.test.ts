import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstRandomSeed, isSlowRun, randomSeconds } from '../kit/slow.ts';
import { createPopulatedServer } from './current/populated-server.ts';
import { type Caller, callers, createCallers } from './fuzz/callers.ts';
import { type Answer, createAnswerCheck } from './fuzz/check-answer.ts';
import {
  type DocumentRequest,
  documentRequests,
  encodeBody,
  type NamedOperation,
  parametersSchema,
  type Source,
  toAddress,
  toHeaders,
  type Variant,
} from './fuzz/document-requests.ts';
import { createResolver, type Schema } from './fuzz/from-schema.ts';
import { createKnownValues } from './fuzz/known-values.ts';
import { workingServices } from './fuzz/working-services.ts';
import { listen } from './live/streams.ts';
import { ajvFor, type OpenApiDocument, type Operation, operations } from './openapi/openapi-faults.ts';

const firstSeed = firstRandomSeed(2);
/** Requests of a run, of both documents together. */
const requestsPerRun = isSlowRun ? 2_000 : 1_600;
const documentPaths = ['/api/schema', '/api/v1/schema'];
/** Time limit of a request, milliseconds: longer than any answer takes on a busy machine. */
const timeoutMs = 20_000;
/** Faults that one run reports. */
const maxReported = 20;

test('answers requests made from the documents with declared statuses, bodies and headers only', {
  timeout: (randomSeconds + 300) * 1_000,
}, async () => {
  const endMs = performance.now() + randomSeconds * 1_000;
  let seed = firstSeed;
  do await runRound(seed++);
  while (performance.now() < endMs);
});

/** One operation with what is needed to call and to check it. */
interface TestedOperation extends NamedOperation {
  readonly source: Omit<Source, 'known' | 'named'>;
  readonly findFaults: (answer: Answer) => readonly string[];
}

/** Calls every operation of both documents some times in an order given by the seed, with values of earlier answers. */
async function runRound(seed: number): Promise<void> {
  const server = createPopulatedServer({
    services: workingServices(),
    setup: { text: 'K7QM-2RXA', check() {} },
  });
  const { url, close } = await listen(server.app);
  // Answers that wait for an event wait by the app's scheduler.
  const timer = setInterval(() => server.scheduler.advance(60_000), 20);
  try {
    const tested = (await Promise.all(documentPaths.map((path) => readDocument(url + path)))).flat();
    const { credentials, renew } = createCallers(server);
    const known = createKnownValues();
    const used = new Set<string>();
    const succeeded = new Set<string>();
    const faults: string[] = [];
    for (const [i, { one, turn }] of requestOrder(tested, seed).entries()) {
      const variant = variantOf(one.operation, turn);
      const requests = documentRequests(
        one,
        { variant, turn, callers: likelyCallers(one.operation, variant) },
        { ...one.source, known: known.all(), named: (name) => known.named(name, one.path) },
      );
      const request = fc.sample(requests, { seed: seed * 100_000 + i, numRuns: 1 })[0]!;
      noteUse(one, request, used);
      const isSetUp = !(one.path.startsWith('/api/setup/') && variant !== 'random');
      server.engine.users.changeSite({ isSetUp });
      const answer = await send(url, one, request, credentials(request.caller));
      const logged = server.faults.splice(0);
      const found = [
        ...one.findFaults(answer),
        ...logged.map((fault) => JSON.stringify(fault, errorReplacer)),
      ];
      if (found.length > 0) faults.push(`seed ${seed}: ${found.join(', ')}: ${show(one, request, answer)}`);
      if (faults.length >= maxReported) break;
      if (answer.status === 401) renew(request.caller);
      if (answer.status < 300) {
        succeeded.add(one.name);
        if (answer.headers.get('content-type')?.startsWith('application/json'))
          known.collect(JSON.parse(answer.text), one.path);
      }
    }
    expect(faults).toEqual([]);
    expect(allUses(tested).filter((use) => !used.has(use))).toEqual([]);
    // Otherwise only refusals were tested.
    const refused = tested.filter(({ name }) => !succeeded.has(name)).map(({ name }) => name);
    expect(refused.length, refused.join('\n')).toBeLessThan(tested.length * 0.4);
    expect(server.engine.site.checkDatabase()).toEqual([]);
  } finally {
    clearInterval(timer);
    await close(0);
    server.store.close();
  }
}

async function readDocument(address: string): Promise<TestedOperation[]> {
  const document = (await (await fetch(address)).json()) as OpenApiDocument;
  const ajv = ajvFor(document);
  const compiled = new Map<object, (value: unknown) => unknown>();
  const isValid = (schema: Schema, value: unknown): boolean => {
    const check = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, check);
    return check(value) === true;
  };
  const source = { resolve: createResolver(document), isValid };
  const check = createAnswerCheck(document);
  return operations(document).map((one) => ({
    ...one,
    source,
    findFaults: (answer) => check.faults(one.operation, answer),
  }));
}

/** Returns the requests of a round: every operation equally often. */
function requestOrder(tested: readonly TestedOperation[], seed: number) {
  const turns = Math.ceil(requestsPerRun / tested.length);
  const all = tested.flatMap((one) => Array.from({ length: turns }, (_, turn) => ({ one, turn })));
  const shuffled = fc.shuffledSubarray(all, { minLength: all.length });
  return fc.sample(shuffled, { seed, numRuns: 1 })[0]!;
}

/** The first requests have all parameters, one for each media type; then one has only what is required. */
function variantOf({ requestBody }: Operation, turn: number): Variant {
  const full = Math.max(1, Object.keys(requestBody?.content ?? {}).length);
  if (turn < full) return 'full';
  return turn === full ? 'smallest' : 'random';
}

/** Mostly somebody who may use the operation. */
function likelyCallers({ security = [] }: Operation, variant: Variant): fc.Arbitrary<Caller> {
  const schemes = security.flatMap((one) => Object.keys(one));
  const usual: readonly Caller[] = schemes.includes('header')
    ? schemes.includes('login')
      ? ['superuser', 'staff by login', 'staff by bearer key']
      : ['staff by key', 'staff by bearer key']
    : schemes.includes('tablet') && !schemes.includes('login')
      ? ['shared tablet']
      : ['superuser'];
  if (variant !== 'random') return fc.constantFrom(...usual.slice(0, 2));
  return fc.oneof({ arbitrary: fc.constantFrom(...usual), weight: 3 }, fc.constantFrom(...callers));
}

/** Names of everything that must be sent at least once: each parameter and each media type. */
const allUses = (tested: readonly TestedOperation[]): string[] =>
  tested.flatMap(({ name, operation }) => [
    ...(operation.parameters ?? []).map((one) => `${name} ${one.in} ${one.name}`),
    ...Object.keys(operation.requestBody?.content ?? {}).map((mediaType) => `${name} ${mediaType}`),
  ]);

function noteUse({ name, operation }: NamedOperation, request: DocumentRequest, used: Set<string>): void {
  for (const where of ['path', 'query', 'header'] as const) {
    const declared = parametersSchema(operation, where).properties!;
    for (const one of Object.keys(request[where])) if (one in declared) used.add(`${name} ${where} ${one}`);
  }
  if (request.mediaType !== null && request.brokenBody === null) used.add(`${name} ${request.mediaType}`);
}

async function send(
  url: string,
  { method, path }: NamedOperation,
  request: DocumentRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<Answer> {
  const abort = new AbortController();
  const body = encodeBody(request);
  const reply = await fetch(`${url}${toAddress(path, request)}`, {
    method: method.toUpperCase(),
    headers: { ...toHeaders(request), ...credentials },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(timeoutMs)]),
  });
  const { status, headers } = reply;
  // An event stream does not end.
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    abort.abort();
    return { status, headers, text: '' };
  }
  return { status, headers, text: await reply.text() };
}

const show = ({ method, path }: NamedOperation, request: DocumentRequest, answer: Answer): string => {
  const { caller, header, mediaType, body, brokenBody } = request;
  const sent = JSON.stringify({ header, mediaType, body: brokenBody ?? body })?.slice(0, 500);
  return `${method} ${toAddress(path, request)} by ${caller} ${sent} → ${answer.status} ${answer.text.slice(0, 500)}`;
};

const errorReplacer = (_name: string, value: unknown): unknown =>
  value instanceof Error ? `${value.stack}` : value;
