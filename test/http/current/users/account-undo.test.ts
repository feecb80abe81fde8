import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let anna: string;
let root: string;

beforeEach(() => {
  server = createTestServer();
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  anna = server.createConfirmedCookie('anna');
  root = server.createConfirmedCookie('root');
});

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, cookie: string, body?: object) =>
  request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);
/** Changes a user, and returns the id by which that is undone. */
const change = async (username: string, body: object, cookie = anna) =>
  (await call('patch', `/users/${username}`, cookie, body).expect(200)).body.result.correction_id as number;
const undo = (id: number, cookie = anna) => call('post', `/corrections/${id}/undo`, cookie, {});
const refusal = async (id: number, cookie: string, status: number) =>
  (await undo(id, cookie).expect(status)).body.error.reason.name as string;
const get = (username: string) => server.engine.users.user(username)!;
const newestEntry = async () => (await call('get', '/audit?limit=1', anna)).body.result.entries[0];

test.each([
  ['the role', { is_staff: true }],
  ['a deactivation', { is_active: false }],
  ['the display name', { display_name: 'Berti' }],
  ['the e-mail address', { email: 'bert@new.example' }],
  ['the language of mails', { notification_language: 'de' }],
  ['all at once', { is_staff: true, email: 'b@new.example', username: 'bertram', display_name: 'B' }],
])('undoes a change of %s, once', async (_what, body) => {
  server.engine.users.accounts.change('bert', { email: 'bert@old.example' }, systemActor, server.now());
  const before = get('bert');
  const id = await change('bert', body);
  expect(get('bert')).not.toEqual(before);
  // What staff may do is taken back by superusers only.
  const who = 'is_staff' in body ? root : anna;
  const { entries } = (await call('get', '/audit?limit=1', who)).body.result;
  expect(entries).toMatchObject([{ id, can_undo: true, subject_kind: 'user' }]);
  await undo(id, who).expect(200);
  expect(get('bert')).toEqual(before);
  const entry = await newestEntry();
  expect(entry).toMatchObject({ action: 'correction.undone', subject_kind: 'user', subject_id: 'bert' });
  expect(entry.before.correction_id).toBe(id);
  expect(await refusal(id, who, 409)).toBe('already_undone');
});

test('a change that changes nothing has no undo', async () => {
  expect(await change('bert', { is_staff: false })).toBeNull();
});

test('the change log tells that an address was changed, and nobody reads it there', async () => {
  const id = await change('bert', { email: 'bert@secret.example' });
  expect(await newestEntry()).toMatchObject({ id, action: 'user.email_changed', after: { hasEmail: true } });
  await undo(id).expect(200);
  for (const cookie of [anna, root]) {
    expect((await call('get', '/audit', cookie)).text).not.toContain('secret.example');
  }
});

test('an undone rename gives the earlier name back, and the other name is free', async () => {
  const id = await change('bert', { username: 'bertram' });
  expect(await newestEntry()).toMatchObject({
    action: 'user.renamed',
    subject_id: 'bertram',
    before: { username: 'bert', displayName: 'bert' },
    after: { username: 'bertram', displayName: 'bertram' },
  });
  await undo(id).expect(200);
  expect(get('bert')).toMatchObject({ username: 'bert', displayName: 'bert' });
  expect(server.engine.users.aliases(get('bert'))).toEqual([]);
  expect(await newestEntry()).toMatchObject({ before: { username: 'bertram' }, after: { username: 'bert' } });
  await call('post', '/users', anna, { username: 'bertram', password: 'hop-garden' }).expect(201);
});

test('a name taken from the aliases returns to them as it was written', async () => {
  await call('post', '/users/bert/aliases', root, { username: 'BERTRAM' }).expect(201);
  const id = await change('bert', { username: 'bertram' });
  expect(server.engine.users.aliases(get('bert'))).toEqual(['bert']);
  await undo(id).expect(200);
  expect(get('bertram').username).toBe('bert');
  expect(server.engine.users.aliases(get('bert'))).toEqual(['BERTRAM']);
});

test('a rename is not undone when another account has the earlier name by now', async () => {
  const id = await change('bert', { username: 'bertram' });
  await call('delete', '/users/bertram/aliases/bert', root).expect(200);
  await call('post', '/users', anna, { username: 'bert', password: 'hop-garden' }).expect(201);
  expect(await refusal(id, anna, 409)).toBe('name_taken_since');
  expect(get('bertram').username).toBe('bertram');
});

test('an undo is no rename: it is possible after the third of a day, and allows no fourth', async () => {
  for (const name of ['b1', 'b2']) await change('bert', { username: name });
  await undo(await change('bert', { username: 'b3' })).expect(200);
  expect(get('bert').username).toBe('b2');
  const { body } = await call('patch', '/users/bert', anna, { username: 'b4' }).expect(429);
  expect(body.error.reason.name).toBe('renamed_too_often');
});

test('a change is undone after the later ones of the same field only', async () => {
  const first = await change('bert', { email: 'b@one.example', display_name: 'Berti' });
  await change('bert', { notification_language: 'de' });
  const second = await change('bert', { display_name: 'Bertl' });
  expect(await refusal(first, anna, 409)).toBe('record_changed_since');
  await undo(second).expect(200);
  await undo(first).expect(200);
  expect(get('bert')).toMatchObject({ email: '', displayName: 'bert', notificationLanguage: 'de' });
});

test('an undone activation ends logins and grants like a deactivation', async () => {
  await change('bert', { is_active: false });
  const id = await change('bert', { is_active: true });
  const cookie = server.createLoginCookie('bert');
  await undo(id).expect(200);
  expect(get('bert').isActive).toBe(false);
  expect((await call('get', '/users/me', cookie)).body.result.user).toBeNull();
});

test('only a superuser undoes a change of a superuser', async () => {
  await change('anna', { is_superuser: true }, root);
  const renamed = await change('root', { display_name: 'Ruth' }, root);
  const demoted = await change('anna', { is_superuser: false }, root);
  expect(await refusal(renamed, anna, 403)).toBe('superusers_only');
  expect(await refusal(demoted, anna, 403)).toBe('superuser_needed');
  expect(get('root').displayName).toBe('Ruth');
  await undo(renamed, root).expect(200);
  expect(get('root').displayName).toBe('root');
});

test('staff cannot undo what was changed of a superuser who is a member by now', async () => {
  const named = await change('root', { display_name: 'Ruth' }, root);
  server.engine.users.addUser({ username: 'ada', isSuperuser: true }, server.now());
  await change('root', { is_superuser: false }, server.createConfirmedCookie('ada'));
  expect(await refusal(named, anna, 403)).toBe('superusers_only');
});

test('the undo of a superuser’s right asks for the password, and refuses keys', async () => {
  const id = await change('anna', { is_superuser: true }, root);
  expect(await refusal(id, server.createLoginCookie('root'), 403)).toBe('password_needed');
  const { secret } = server.engine.users.createKey('root', '', server.now());
  const byKey = await request(server.app)
    .post(`/api/corrections/${id}/undo`)
    .set('X-Kegbot-Api-Key', secret)
    .send({})
    .expect(403);
  expect(byKey.body.error.reason.name).toBe('no_keys');
  await undo(id, root).expect(200);
  expect(get('anna').isSuperuser).toBe(false);
});

test('neither the last superuser nor the last staff account is lost by an undo', async () => {
  const promoted = await change('anna', { is_superuser: true }, root);
  await change('root', { is_active: false }, server.createConfirmedCookie('anna'));
  expect(await refusal(promoted, server.createConfirmedCookie('anna'), 409)).toBe('last_superuser');
  expect(get('anna').isSuperuser).toBe(true);

  const other = createTestServer();
  const { engine } = other;
  const { correctionId } = engine.users.accounts.change('bert', { isStaff: true }, systemActor, other.now());
  engine.users.accounts.change('anna', { isActive: false }, systemActor, other.now());
  expect(() => engine.corrections.undo(correctionId!, { actor: systemActor }, other.now())).toThrow(
    expect.objectContaining({ reason: { name: 'last_staff_account' } }),
  );
});

test('a shared tablet undoes no change of a user', async () => {
  const id = await change('bert', { is_staff: true });
  const { body } = await request(server.app)
    .post(`/api/corrections/${id}/undo`)
    .set(server.createUnlockedTablet('Bar', 'anna'))
    .send({})
    .expect(403);
  expect(body.error.reason.name).toBe('not_on_tablets');
});

test('the owner’s own change of the display name can be undone by staff', async () => {
  const cookie = server.createLoginCookie('bert');
  await call('patch', '/users/me', cookie, { display_name: 'The Boss' }).expect(200);
  await undo((await newestEntry()).id).expect(200);
  expect(get('bert').displayName).toBe('bert');
});
