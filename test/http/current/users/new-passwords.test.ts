import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { createSetupCode } from '../../../../src/http/setup-code.ts';
import { createServerWithMail, type ServerWithMail } from '../server-with-mail.ts';

const setup = createSetupCode();
let server: ServerWithMail;
let anna: string;

beforeEach(async () => {
  server = await createServerWithMail({ setup });
  anna = await server.createConfirmedCookie('anna');
});
afterEach(() => server.close());

/** Easily guessed in each way that the rules name. */
const weak = [
  ['password', 'characters_at_least'],
  ['        ', 'characters_at_least'],
  ['          ', 'not_blank'],
  ['aaaaaaaaaaaa', 'password_repeated'],
  ['abcabcabcabc', 'password_repeated'],
  ['qwertyuiop', 'password_in_a_row'],
  ['Password123', 'password_common'],
] as const;

/** How a request sets a password, by route: what it sends, and the name of the field. */
type Send = (password: string) => ReturnType<ServerWithMail['call']>;

const requestReset = async (): Promise<Send> => {
  await server.call('post', '/auth/password-reset', { body: { email: 'bert@example.org' } }).expect(200);
  const { pathname } = await server.linkTo('bert@example.org', 'Reset password');
  const [uid, token] = pathname.split('/').at(-2)!.split(/-(.*)/s);
  return (new_password) =>
    server.call('post', '/auth/password-reset-confirm', { body: { uid, token, new_password } });
};

const requestActivation = async (): Promise<Send> => {
  const body = { username: 'cleo', email: 'cleo@example.org' };
  await server.call('post', '/users', { cookie: anna, body }).expect(201);
  const link = await server.linkTo('cleo@example.org', 'Choose your password');
  const activation_key = link.pathname.split('/').filter(Boolean).at(-1)!;
  return (password) => server.call('post', '/account/activate', { body: { activation_key, password } });
};

const reopenSetUp = (): Promise<Send> => {
  server.store.transaction(() => {
    server.store.users.change({ ...server.engine.users.user('anna')!, isStaff: false });
    server.store.site.write({ ...server.store.site.read(), isSetUp: false });
  });
  const code = setup.text;
  return Promise.resolve((password) =>
    server.call('post', '/setup/admin-user', { body: { code, username: 'cleo', password } }),
  );
};

const setOwn = async (): Promise<Send> => {
  const password = await server.engine.users.passwords.hash('hop-garden');
  server.engine.users.accounts.setPassword('anna', password, { actor: systemActor, now: server.now() });
  const cookie = server.createLoginCookie('anna');
  return (new_password) =>
    server.call('post', '/account/password', {
      cookie,
      body: { current_password: 'hop-garden', new_password },
    });
};

test.each<[route: string, field: string, prepare: () => Promise<Send>]>([
  [
    'register',
    'password',
    async () => (password) =>
      server.call('post', '/auth/register', {
        body: { username: 'cleo', email: 'cleo@example.org', password },
      }),
  ],
  [
    'createUser',
    'password',
    async () => (password) =>
      server.call('post', '/users', { cookie: anna, body: { username: 'cleo', password } }),
  ],
  ['changePassword', 'new_password', setOwn],
  ['confirmPasswordReset', 'new_password', requestReset],
  ['activateAccount', 'password', requestActivation],
  ['setupAdminUser', 'password', reopenSetUp],
])('%s refuses easily guessed passwords and names the rule', async (_route, field, prepare) => {
  const send = await prepare();
  for (const [password, rule] of weak) {
    const { body } = await send(password).expect(400);
    expect(body.error.rules[field], password).toMatchObject({ name: rule });
  }
  const accepted = await send('malt-garden');
  expect([200, 201]).toContain(accepted.status);
});
