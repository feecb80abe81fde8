import { describe, expect, test } from 'vitest';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { extensionCases } from '../../kit/extension-cases.ts';
import { type Bar, exampleHeaders, prepareExample, sendExample } from '../openapi/record-examples.ts';
import { type CredentialCase, credentialCases } from './credential-routes.ts';
import { openWatchedStore, otherHashes, watched } from './credential-watch.ts';
import { current, openBar, requestOf, routeOf } from './watched-bar.ts';

/** Every route of every API. */
const routes = [...current.routes, ...legacyApi.routes];

describe('the table', () => {
  test('lists every route that declares that it writes a credential, with its proof', () => {
    const declared = routes.flatMap(({ id, writesCredential }) =>
      writesCredential === undefined ? [] : [`${id}: ${writesCredential.proof}`],
    );
    const listed = new Set(credentialCases.map(({ id, proof }) => `${id}: ${proof}`));
    expect([...listed].toSorted()).toEqual(declared.toSorted());
  });

  test('has a case for each credential among the fields of a route', () => {
    for (const { id, writesCredential } of current.routes) {
      for (const field of writesCredential?.fields ?? []) {
        const [outer, inner] = field.split('.') as [string, string?];
        const has = (body: Readonly<Record<string, unknown>> = {}) =>
          inner === undefined ? outer in body : Object.hasOwn(Object(body[outer]), inner);
        const cases = credentialCases.filter((one) => one.id === id && has(one.request?.body));
        expect(cases.length, `${id} ${field}`).toBeGreaterThan(0);
      }
    }
  });

  test('knows every column that stores the hash of a secret', () => {
    const known = watched.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
    for (const column of openWatchedStore().hashColumns())
      expect([...known, ...otherHashes]).toContain(column);
  });

  test('knows every field of a body by the name of a credential', () => {
    const fields = routes.flatMap((route) =>
      fieldNames(route.accepts.body).map((field) => ({ route, field })),
    );
    const missing = fields.filter(
      ({ route, field }) =>
        /pass|pin$|email$|is_staff|is_superuser|is_active|invite|role|api_key|is_admin|privacy|registration|https$/.test(
          field,
        ) &&
        !route.writesCredential &&
        !otherFields.has(`${route.id}.${field}`),
    );
    expect(missing.map(({ route, field }) => `${route.id}.${field}`)).toEqual([]);
  });
});

/** Fields that are named like a credential and are none, or are only compared. */
const otherFields: ReadonlySet<string> = new Set([
  'confirmPassword.current_password',
  'startPinUnlock.pin',
  // Cards and iButtons open a tap; they do not log in.
  'createToken.pin',
  'replaceToken.pin',
  'changeToken.pin',
  'replaceTokenOfDevice.pin',
  'changeTokenOfDevice.pin',
  // Pins of the machine.
  'addPinMeter.pin',
  'changePinMeter.pin',
  'addPinRelay.pin',
  'changePinRelay.pin',
  // For other servers; these routes are for superusers with a confirmed password.
  'changeMailSettings.password',
  ...extensionCases.flatMap(({ foreignSecrets = [] }) => foreignSecrets),
]);

/** The names of the properties of a schema and of the objects in it. */
function fieldNames(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const inner = Object.values(schema).filter((value) => typeof value === 'object' && value !== properties);
  return [
    ...Object.entries(properties).flatMap(([name, value]) => [name, ...fieldNames(value)]),
    ...inner.flatMap((value) => (Array.isArray(value) ? value.flatMap(fieldNames) : fieldNames(value))),
  ];
}

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Who proves nothing: anonymous callers, keys, logins whose password was not entered again, shared tablets. */
function unproven({ server }: Bar): readonly Caller[] {
  const { engine, now } = server;
  const key = (secret: string) => ({ 'X-Kegbot-Api-Key': secret });
  return [
    { name: 'nobody', headers: {} },
    { name: 'a wrong key', headers: key('0'.repeat(32)) },
    { name: 'a key of the superuser', headers: key(engine.users.createKey('root', '', now()).secret) },
    { name: 'a key of staff', headers: key(server.staffKey) },
    { name: 'a key of a guest', headers: key(server.guestKey) },
    { name: 'a key in the body’s place', headers: { Authorization: `Bearer ${server.staffKey}` } },
    ...['root', 'anna', 'bert'].map((username) => ({
      name: `a login of ${username} that was not confirmed`,
      headers: { Cookie: server.createLoginCookie(username) },
    })),
    { name: 'a tablet with a PIN', headers: server.createUnlockedTablet('Bar right', 'root') },
  ];
}

/** A key together with a confirmed login is a key. */
const keyBesideLogin = ({ server, root }: Bar): Caller => ({
  name: 'a key beside a confirmed login',
  headers: {
    Cookie: root,
    'X-Kegbot-Api-Key': server.engine.users.createKey('root', '', server.now()).secret,
  },
});

const isRefused = (status: number) => status === 401 || status === 403;

/** Sends a case with the given credentials, and returns its status and what was written. */
async function open({ id, request: given }: CredentialCase) {
  const route = routeOf(id);
  const { bar, takeWrites } = openBar(route);
  const made = await prepareExample(bar, route, given ?? requestOf(current, id));
  const example = { api: current, route, form: 'example', made };
  const proper = exampleHeaders(bar, example);
  const send = async (headers: Readonly<Record<string, string>>, changes: object = {}) => {
    takeWrites();
    const body = made.body === undefined ? {} : { body: { ...made.body, ...changes } };
    const { status } = await sendExample(bar, { ...example, made: { ...made, ...body }, headers });
    return { status, writes: takeWrites() };
  };
  return { bar, proper, send };
}

const casesWith = (...proofs: readonly string[]) =>
  credentialCases.filter(({ proof }) => proofs.includes(proof));
const named = (cases: readonly CredentialCase[]) =>
  cases.map((one) => ({ name: `${one.id} (${one.writes.join(', ')})`, one }));

describe('every case of the table', () => {
  test.each(named(credentialCases))('$name writes what it says with its proof', async ({ one }) => {
    const { proper, send, bar } = await open(one);
    const { status, writes } = await send(proper);
    expect({ status: status < 300, writes }).toEqual({ status: true, writes: one.writes });
    bar.server.store.close();
  });

  test.each(named(casesWith('confirmed-login', 'correction')))(
    '$name refuses keys and logins that were not confirmed',
    async ({ one }) => {
      const { bar, send } = await open(one);
      for (const { name, headers } of [...unproven(bar), keyBesideLogin(bar)]) {
        const { status, writes } = await send(headers);
        expect({ name, isRefused: isRefused(status), writes }).toEqual({ name, isRefused: true, writes: [] });
      }
      bar.server.store.close();
    },
  );

  test.each(named(casesWith('current-password')))(
    '$name refuses keys also with the password, and logins without',
    async ({ one }) => {
      const { bar, send } = await open(one);
      const isLogin = (name: string) => name.startsWith('a login');
      for (const { name, headers } of [...unproven(bar), keyBesideLogin(bar)]) {
        const { status, writes } = await send(headers, isLogin(name) ? one.wrong : {});
        expect({ name, writes }).toEqual({ name, writes: [] });
        expect(status, name).toBeGreaterThanOrEqual(400);
        if (!isLogin(name)) expect(isRefused(status), name).toBe(true);
      }
      bar.server.store.close();
    },
  );

  test.each(named(casesWith('login')))('$name refuses keys', async ({ one }) => {
    const { bar, send } = await open(one);
    for (const { name, headers } of [...unproven(bar), keyBesideLogin(bar)]) {
      if (name.startsWith('a login of root')) continue;
      const { status, writes } = await send(headers);
      expect({ name, writes }).toEqual({ name, writes: [] });
      expect(status, name).toBeGreaterThanOrEqual(400);
    }
    bar.server.store.close();
  });

  test.each(named(casesWith('own-cookie')))('$name writes nothing by key', async ({ one }) => {
    const { bar, send } = await open(one);
    for (const { name, headers } of [...unproven(bar), keyBesideLogin(bar)]) {
      if (name.startsWith('a login')) continue;
      expect({ name, writes: (await send(headers)).writes }).toEqual({ name, writes: [] });
    }
    bar.server.store.close();
  });

  test.each(named(credentialCases.filter(({ wrong }) => wrong !== undefined)))(
    '$name writes nothing with a wrong secret, whoever sends it',
    async ({ one }) => {
      const { bar, proper, send } = await open(one);
      for (const { name, headers } of [...unproven(bar), { name: 'who may', headers: proper }]) {
        const { status, writes } = await send(headers, one.wrong);
        expect({ name, writes }).toEqual({ name, writes: [] });
        expect(status, name).toBeGreaterThanOrEqual(400);
      }
      bar.server.store.close();
    },
  );

  test('asks for a secret in the request where it does not ask for a session', () => {
    const bySession = ['confirmed-login', 'correction', 'login', 'own-cookie'];
    // A mail to the stored address; a demo is open.
    const open = new Set(['requestPasswordReset', 'logInToDemo', 'resetDemo']);
    for (const { id, proof, wrong } of credentialCases)
      expect(bySession.includes(proof) || open.has(id) || wrong !== undefined, id).toBe(true);
  });
});
