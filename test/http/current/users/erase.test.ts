import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import sharp from 'sharp';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { extensionCases } from '../../../kit/extension-cases.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let file: string;
let root: string;

const password = 'quince-garden';

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'erase-')), 'tapster.db');
  server = createTestServer({ database: file });
  const hash = await server.engine.users.passwords.hash(password);
  server.engine.users.addUser({ username: 'root', isSuperuser: true, password: hash }, server.now());
  root = server.createConfirmedCookie('root');
});
afterEach(() => server.store.close());

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, cookie: string, body?: object) =>
  request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);

/** Everything by which the person of these tests can be found, lower case. */
const needles = ['zebedee', 'zebulon', 'quist', 'feedc0ffee', 'lovely quenched'];

/** Each text column that holds one of them, as `table.column`. */
function findTraces(): readonly string[] {
  const db = new Sqlite(file, { readonly: true });
  const tables = db
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all();
  const found = tables.flatMap((table) =>
    db
      .prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`)
      .all()
      .flatMap((row) =>
        Object.entries(row)
          .filter(([, value]) => needles.some((needle) => String(value).toLowerCase().includes(needle)))
          .map(([column]) => `${table}.${column}`),
      ),
  );
  db.close();
  return [...new Set(found)].sort();
}

const pictures = () => readdirSync(join(file, '..', 'pictures')).filter((name) => name.endsWith('.jpg'));

/** Zebedee drinks, is renamed to Zebulon, and leaves traces wherever a person can. */
async function leaveTraces() {
  const { engine, store } = server;
  const now = server.now();
  engine.notifications.mail.change(
    { host: '127.0.0.1', port: 9, security: 'none', fromAddress: 'bar@example.org' },
    systemActor,
    now,
  );
  const anna = server.createConfirmedCookie('anna');
  let pours = 0;
  const pour = (username?: string, authToken?: string) =>
    engine.drinks.pours.reportInFull(
      {
        tap: 'pi.flow0',
        ticks: 200,
        source: 'post',
        pourId: `pour-${++pours}`,
        ...(username && { username }),
        ...(authToken && { authToken }),
      },
      server.now(),
    ).drink.id;
  // Before there is an account or a token.
  pour('ZEBEDEE');
  pour(undefined, 'core.rfid|FEEDC0FFEE01');
  pour(undefined, 'feedc0ffee01');
  const fields = {
    username: 'zebedee',
    password,
    email: 'zeb@quist.example',
    display_name: 'Zebedee Quist',
  };
  await call('post', '/users', anna, fields).expect(201);
  await call('post', '/auth-tokens', anna, {
    auth_device: 'core.rfid',
    token_value: 'FEEDC0FFEE01',
    other_values: ['FEEDC0FFEE03'],
    nice_name: 'the fob of Quist',
    user: 'zebedee',
  }).expect(201);
  await call('post', '/auth-tokens', anna, {
    auth_device: 'core.rfid',
    token_value: 'FEEDC0FFEE02',
    nice_name: 'the lost fob of Quist',
    user: 'zebedee',
  }).expect(201);
  await call('delete', '/auth-tokens/core.rfid.feedc0ffee02', anna).expect(200);
  const own = pour('zebedee');
  const byToken = pour(undefined, 'core.rfid|feedc0ffee01');
  const other = pour('bert');
  const cancelled = pour('zebedee', 'feedc0ffee01');
  const zebedee = server.createConfirmedCookie('zebedee');
  await call('patch', `/drinks/${own}`, zebedee, { shout: 'Lovely quenched!' }).expect(200);
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const upload = (path: string) =>
    request(server.app).post(`/api${path}`).set('Cookie', zebedee).attach('image', png, 'a.png').expect(200);
  await upload('/account/mugshot');
  await upload(`/drinks/${own}/picture`);
  await upload(`/drinks/${cancelled}/picture`);
  await call('patch', `/drinks/${cancelled}`, zebedee, { shout: 'Lovely quenched!' }).expect(200);
  await call('delete', `/drinks/${cancelled}`, anna).expect(200);
  await call('post', `/drinks/${other}/reassign`, anna, { username: 'zebedee' }).expect(200);
  await call('post', `/drinks/${other}/reassign`, anna, { username: 'bert' }).expect(200);
  await call('post', '/api-keys', zebedee, { description: 'Quist’s phone' }).expect(201);
  await call('post', '/notification-settings', zebedee, { keg_tapped: true }).expect(201);
  engine.users.changeSite({ registrationMode: 'public' });
  const user = engine.users.user('zebedee')!;
  const siteUrl = 'http://bar.example';
  engine.users.invitations.create(user, { forEmail: 'friend@example.org', siteUrl }, now);
  engine.users.invitations.create(
    engine.users.user('anna')!,
    { forEmail: 'zeb@quist.example', siteUrl },
    now,
  );
  engine.users.accountLinks.requestEmailChange(user, { email: 'new@quist.example', siteUrl }, now);
  engine.users.accountLinks.requestReset({ email: 'zeb@quist.example', siteUrl }, now);
  engine.access.grants.present({ controller: 'pi', authDevice: 'core.rfid', token: 'feedc0ffee01' }, now);
  for (const { personTraces } of extensionCases)
    personTraces?.leave(store, { token: 'feedc0ffee01', username: 'Zebedee' });
  await call('patch', '/users/zebedee', anna, { username: 'zebulon' }).expect(200);
  await call('patch', '/users/zebulon', anna, { display_name: 'Zebulon Quist' }).expect(200);
  pour('zebulon');
  const traces = extensionCases.flatMap(
    ({ leaveTraces: leave }) => leave?.(server, ['Zebedee', 'ZEBULON']) ?? [],
  );
  return { own, byToken, other, cancelled, traces };
}

test('after the erasure no column of the database holds the name, address, token or comment', async () => {
  const drinks = await leaveTraces();
  expect(findTraces()).toEqual(
    [
      ...drinks.traces,
      'api_keys.description',
      'audit_entries.after',
      'audit_entries.before',
      'audit_entries.subject_id',
      'auth_tokens.nice_name',
      'auth_tokens.token_value',
      'cancelled_pours.drink',
      'corrections.after',
      'corrections.before',
      'drinks.auth_token',
      'drinks.claimed_username',
      'drinks.claimed_username_key',
      'drinks.shout',
      'grants.token_value',
      'mailed_secrets.email',
      'outbox.payload',
      'outbox.target',
      'presented_tokens.token_value',
      'token_forms.token_value',
      'user_aliases.username',
      'user_aliases.username_key',
      'users.display_name',
      'users.email',
      'users.username',
      'users.username_key',
      ...extensionCases.flatMap(({ personTraces }) => personTraces?.columns ?? []),
    ].sort(),
  );
  const [before, files] = [server.engine.reports.statistics.get({ kind: 'site' }), pictures()];
  expect(files).not.toEqual([]);
  await call('post', '/users/ZEBEDEE/erase', root).expect(200);
  expect(findTraces()).toEqual([]);
  expect(server.engine.site.checkDatabase()).toEqual([]);
  expect(server.store.faults()).toEqual([]);
  expect(server.engine.reports.statistics.get({ kind: 'site' })?.volumeMl).toBe(before?.volumeMl);
  expect(pictures()).toEqual([]);
  for (const name of ['zebedee', 'zebulon']) await call('get', `/users/${name}`, root).expect(404);
  for (const id of [drinks.own, drinks.byToken]) {
    const { drink } = (await call('get', `/drinks/${id}`, root).expect(200)).body.result;
    expect(drink).toMatchObject({ user_id: null, volume_ml: 100 });
  }
  expect(server.engine.audit.list({ action: 'user.erased' }).items).toMatchObject([
    { username: 'root', subject: { kind: 'user', id: expect.stringMatching(/^#\d+$/) } },
  ]);
});

test('names and addresses stay nowhere that were changed and undone, also if another account has the name by now', async () => {
  await leaveTraces();
  const change = async (username: string, body: object) =>
    (await call('patch', `/users/${username}`, root, body).expect(200)).body.result.correction_id as number;
  const undo = (id: number) => call('post', `/corrections/${id}/undo`, root, {}).expect(200);
  await change('zebulon', { email: 'other@quist.example' });
  await undo(await change('zebulon', { username: 'quist2', display_name: 'Quist the Second' }));
  await undo(await change('zebulon', { username: 'plain', display_name: 'Quist the Plain' }));
  await call('post', '/users', root, { username: 'plain', password }).expect(201);
  await call('post', '/users/zebulon/erase', root).expect(200);
  expect(findTraces()).toEqual([]);
  await call('get', '/users/plain', root).expect(200);
});

test('the deleted values are overwritten in the database file and its log', async () => {
  await leaveTraces();
  await call('post', '/users/zebulon/erase', root).expect(200);
  for (const name of readdirSync(join(file, '..')).filter((entry) => entry.startsWith('tapster.db'))) {
    const bytes = readFileSync(join(file, '..', name))
      .toString('latin1')
      .toLowerCase();
    expect(
      needles.filter((needle) => bytes.includes(needle)),
      name,
    ).toEqual([]);
  }
});

test('corrections can still be undone, without bringing the person back', async () => {
  const { other, cancelled } = await leaveTraces();
  await call('post', '/users/zebulon/erase', root).expect(200);
  await call('post', `/drinks/${cancelled}/undo`, root, {}).expect(200);
  await call('post', `/drinks/${other}/undo`, root, {}).expect(200);
  for (const id of [other, cancelled]) {
    const { drink } = (await call('get', `/drinks/${id}`, root).expect(200)).body.result;
    expect(drink.user_id).toBeNull();
    expect(drink.shout ?? null).toBeNull();
  }
  expect(findTraces()).toEqual([]);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('every access of the person ends at once, and the name is free', async () => {
  await leaveTraces();
  const cookie = server.createConfirmedCookie('zebulon');
  const { secret } = server.engine.users.createKey('zebulon', '', server.now());
  await call('post', '/users/zebulon/erase', root).expect(200);
  expect((await call('get', '/users/me', cookie)).body.result.user).toBeNull();
  await request(server.app).get('/api/api-keys').set('X-Kegbot-Api-Key', secret).expect(401);
  await call('post', '/auth/login', '', { username: 'zebulon', password }).expect(400);
  const presented = { controller: 'pi', authDevice: 'core.rfid', token: 'feedc0ffee01' };
  expect(server.engine.access.grants.present(presented, server.now()).kind).toBe('denied');
  await call('post', '/users', root, { username: 'zebedee', password }).expect(201);
  expect((await call('get', '/users/zebedee/drinks', root)).body.result.paging.total).toBe(0);
});

test('a user erases the own account with the password', async () => {
  await leaveTraces();
  const cookie = server.createConfirmedCookie('zebulon');
  const wrong = await call('post', '/users/me/erase', cookie, { current_password: 'wrong-one' }).expect(400);
  expect(wrong.body.error.fields).toHaveProperty('current_password');
  await call('post', '/users/me/erase', '', { current_password: password }).expect(401);
  const done = await call('post', '/users/me/erase', cookie, { current_password: password }).expect(200);
  expect(done.headers['set-cookie']?.[0]).toMatch(/^sessionid=;/);
  expect(findTraces()).toEqual([]);
  expect(server.engine.audit.list({ action: 'user.erased' }).items).toMatchObject([
    { username: null, via: 'page' },
  ]);
});

test('only a superuser with a confirmed password erases others', async () => {
  await call('post', '/users/bert/erase', server.createConfirmedCookie('anna')).expect(403);
  await call('post', '/users/bert/erase', server.createConfirmedCookie('bert')).expect(403);
  const unconfirmed = await call('post', '/users/bert/erase', server.createLoginCookie('root')).expect(403);
  expect(unconfirmed.body.error.reason.name).toBe('password_needed');
  await call('post', '/users/nobody-here/erase', root).expect(404);
  await call('post', '/users/bert/erase', root).expect(200);
});

test('neither the last superuser nor the last staff account is erased', async () => {
  const refused = await call('post', '/users/root/erase', root).expect(409);
  expect(refused.body.error.reason.name).toBe('last_superuser');
  await call('post', '/users/me/erase', root, { current_password: password }).expect(409);
  server.engine.users.addUser({ username: 'deputy', isSuperuser: true }, server.now());
  await call('post', '/users/deputy/erase', root).expect(200);
  expect(server.engine.users.user('root')).not.toBeNull();
});
