import { createSecret } from '../../../../src/engine/users/mailed-secrets.ts';
import type { PopulatedServer } from '../../current/populated-server.ts';
import { type ExampleRequests, password, setPassword } from './example-request.ts';

const mail = { host: 'mail.example.org', port: 587, security: 'starttls', from_address: 'bar@example.org' };
const withMail = [['patch', '/admin/mail', { ...mail, base_url: 'http://bar.example' }]] as const;
const withAlias = [['post', '/users/bert/aliases', { username: 'berti' }]] as const;
const withKey = [['post', '/api-keys', { description: 'Till' }]] as const;
const tokenBody = { auth_device: 'core.rfid', token_value: '0089f2c4', nice_name: 'Blue fob', user: 'bert' };

/** Creates the secret of a link in a mail. */
function mailedSecret(
  { store, engine, now }: PopulatedServer,
  purpose: 'password_reset' | 'activation' | 'confirm_email',
  username: string,
): string {
  const { id: userId, email } = engine.users.user(username)!;
  const input = { purpose, userId, email, lifeMs: 3_600_000, keep: 1 };
  return store.transaction(() => createSecret(store, input, now())).secret;
}

/** Users, logins, API keys, tablets, invitations and auth tokens. */
export const peopleRequests: ExampleRequests = {
  changeMe: { body: { display_name: 'Rosa' } },
  eraseMe: {
    by: 'member',
    prepare: (server) => setPassword(server, 'bert'),
    body: { current_password: password },
  },
  logIn: { prepare: setPassword, body: { username: 'root', password } },
  confirmPassword: { prepare: setPassword, body: { current_password: password } },
  register: {
    before: [['patch', '/site', { registration_mode: 'public' }]],
    body: { username: 'carla', email: 'carla@example.org', password },
  },
  activateAccount: {
    prepare: (server) => ({
      body: { activation_key: mailedSecret(server, 'activation', 'bert'), password },
    }),
  },
  createUser: { body: { username: 'carla', email: 'carla@example.org', display_name: 'Carla' } },
  changeUser: { params: { username: 'bert' }, body: { display_name: 'Berthold' } },
  listAliases: { params: { username: 'bert' }, before: withAlias },
  addAlias: { params: { username: 'bert' }, body: { username: 'berti' } },
  removeAlias: { params: { username: 'bert', alias: 'berti' }, before: withAlias },
  listUserLogins: {
    params: { username: 'bert' },
    prepare: (server) => {
      server.createLoginCookie('bert');
      return {};
    },
  },
  endUserLogins: { params: { username: 'bert' } },
  removeUserPin: { params: { username: 'bert' } },
  requestUserEmailChange: {
    params: { username: 'bert' },
    before: withMail,
    body: { email: 'bert@example.org' },
  },
  listUsers: { query: { limit: 2 } },
  setUserPassword: { params: { username: 'bert' }, body: { password } },
  sendActivation: {
    params: { username: 'bert' },
    before: [...withMail, ['patch', '/users/bert', { email: 'bert@example.org' }]],
  },
  changePassword: {
    prepare: setPassword,
    body: { current_password: password, new_password: 'a longer horse battery' },
  },
  setMugshot: { files: ['image'] },
  createApiKey: { body: { description: 'Till' } },
  listApiKeys: { before: withKey },
  getApiKey: { params: { id: 3 }, before: withKey },
  replaceApiKey: { params: { id: 3 }, before: withKey, body: { description: 'Till', is_active: true } },
  changeApiKey: { params: { id: 3 }, before: withKey, body: { is_active: false } },
  deleteApiKey: { params: { id: 3 }, before: withKey },
  listUserApiKeys: { params: { username: 'bert' } },
  deleteUserApiKey: { params: { username: 'bert', id: 2 } },
  requestPasswordReset: { before: withMail, body: { email: 'bert@example.org' } },
  confirmPasswordReset: {
    prepare: (server) => ({
      body: {
        uid: String(server.engine.users.user('bert')!.id),
        token: mailedSecret(server, 'password_reset', 'bert'),
        new_password: password,
      },
    }),
  },
  requestEmailChange: { before: withMail, body: { email: 'rosa@example.org' } },
  confirmEmailChange: {
    prepare: (server) => ({ body: { token: mailedSecret(server, 'confirm_email', 'root') } }),
  },
  listTablets: { prepare: withTablet },
  enrolTablet: { body: { name: 'Bar left' } },
  renameTablet: {
    prepare: withTablet,
    body: { name: 'Bar right' },
  },
  removeTablet: { prepare: withTablet },
  listTabletStaff: { prepare: setPinOfAnna },
  startPinUnlock: { prepare: setPinOfAnna, body: { username: 'anna', pin: '7391' } },
  setPin: { prepare: setPassword, body: { current_password: password, pin: '7391' } },
  createInvitation: { body: { for_email: 'dora@example.org', by_mail: false } },
  listInvitations: { by: 'staff' },
  getInvitation: { by: 'staff' },
  deleteInvitation: { by: 'staff' },
  listTokens: { query: { user: 'anna' } },
  createToken: { body: { auth_device: 'core.rfid', token_value: '00a1b2c3', user: 'bert' } },
  replaceToken: { body: tokenBody },
  changeToken: { body: { user: 'bert', expire_time: '2026-12-31T23:00:00Z' } },
  replaceTokenOfDevice: { body: tokenBody },
  changeTokenOfDevice: { body: { enabled: false } },
};

function withTablet(server: PopulatedServer) {
  server.createTabletCookie('Bar left');
  return {};
}

async function setPinOfAnna({ engine, store }: PopulatedServer) {
  const { id } = engine.users.user('anna')!;
  const hashed = await engine.users.pins.hash('7391');
  store.transaction(() => store.users.pins.set(id, hashed));
  return {};
}
