import type { CredentialProof } from '../../../src/http/routes/credential-proof.ts';
import { extensionCases } from '../../kit/extension-cases.ts';
import type { PopulatedServer } from '../current/populated-server.ts';
import { type ExampleRequest, password, setPassword } from '../openapi/example-requests/example-request.ts';
import type { Credential } from './credential-watch.ts';

/** A request that writes a credential. */
export interface CredentialCase {
  readonly id: string;
  readonly proof: CredentialProof;
  /** What a request with the proof writes, sorted. */
  readonly writes: readonly Credential[];
  /** The request, in place of the example of the operation. */
  readonly request?: ExampleRequest;
  /** Values of the body with which the proof is wrong, where it is a secret in the request. */
  readonly wrong?: Readonly<Record<string, unknown>>;
}

const mailServer = { host: 'mail.example.org', security: 'none', from_address: 'bar@example.org' };
const withMail = [['patch', '/admin/mail', { ...mailServer, base_url: 'http://bar.example' }]] as const;
const secret = 'A'.repeat(43);
const bert = { username: 'bert' };

const withPin = (username: string) => async (server: PopulatedServer) => {
  const { id } = server.engine.users.user(username)!;
  const hashed = await server.engine.users.pins.hash('7391');
  server.store.transaction(() => server.store.users.pins.set(id, hashed));
  return { params: { username } };
};

/** A change of a new account by the superuser, and the request that undoes it. */
const undoOf = (change: object): ExampleRequest => ({
  before: [
    ['post', '/users', { username: 'carla' }],
    ['patch', '/users/carla', change],
  ],
  prepare: ({ engine }) => ({ params: { id: engine.audit.list({ limit: 1 }).items[0]!.id } }),
});

/** A change of the site, and the request that undoes it. */
const undoOfSite = (change: object): ExampleRequest => ({
  ...undoOf({}),
  before: [['patch', '/site', change]],
});

const confirmed = (id: string, writes: readonly Credential[], request?: ExampleRequest): CredentialCase => ({
  id,
  proof: 'confirmed-login',
  writes,
  ...(request && { request }),
});

/** Every route that writes a credential, and what it needs to do so. */
export const credentialCases: readonly CredentialCase[] = [
  // Logins.
  { id: 'logIn', proof: 'password', writes: ['login'], wrong: { password: 'a wrong horse battery' } },
  { id: 'logInToDemo', proof: 'demo', writes: ['login', 'role'] },
  { id: 'logOut', proof: 'own-cookie', writes: ['login'] },
  {
    id: 'endLogin',
    proof: 'login',
    writes: ['login'],
    request: {
      prepare({ engine, createLoginCookie, now }) {
        createLoginCookie('root');
        return { params: { id: engine.users.logins.list(engine.users.user('root')!, now())[0]!.id } };
      },
    },
  },
  confirmed('endUserLogins', ['key', 'login'], {
    params: bert,
    query: { end_keys: true },
    prepare({ createLoginCookie }) {
      createLoginCookie('bert');
      return {};
    },
  }),
  // Accounts and their passwords.
  {
    id: 'register',
    proof: 'invitation',
    writes: ['address', 'invitation', 'login', 'password'],
    request: {
      before: [['patch', '/site', { registration_mode: 'staff-invite-only' }]],
      prepare({ engine, now }) {
        const anna = engine.users.user('anna')!;
        const { link } = engine.users.invitations.createLink(anna, { forEmail: '', siteUrl: '' }, now());
        const code = link.split('invite_code=')[1];
        const account = { username: 'carla', email: 'carla@example.org', password };
        return { body: { ...account, invite_code: code } };
      },
    },
    wrong: { invite_code: secret },
  },
  {
    id: 'activateAccount',
    proof: 'mailed-link',
    writes: ['link', 'login', 'password'],
    wrong: { activation_key: secret },
  },
  { id: 'requestPasswordReset', proof: 'mailed-link', writes: ['link'] },
  {
    id: 'confirmPasswordReset',
    proof: 'mailed-link',
    writes: ['link', 'password'],
    wrong: { token: secret },
  },
  {
    id: 'setupAdminUser',
    proof: 'setup-code',
    writes: ['address', 'login', 'password', 'role'],
    wrong: { code: 'AAAA-AAAA' },
  },
  {
    id: 'setupSettings',
    proof: 'setup-code',
    writes: ['setting'],
    request: { body: { code: 'K7QM-2RXA', title: 'Zum Hahn', privacy: 'members' } },
    wrong: { code: 'AAAA-AAAA' },
  },
  // These two replace the whole database, which the services of the test do not.
  { id: 'setupRestore', proof: 'setup-code', writes: [], wrong: { code: 'AAAA-AAAA' } },
  { id: 'resetDemo', proof: 'demo', writes: [] },
  {
    id: 'changePassword',
    proof: 'current-password',
    writes: ['key', 'login', 'password'],
    request: {
      async prepare(server) {
        await setPassword(server, 'bert');
        // The other login of the account, which ends.
        server.createLoginCookie('bert');
        return {
          by: 'member',
          body: { current_password: password, new_password: 'a longer horse battery', end_keys: true },
        };
      },
    },
    wrong: { current_password: 'a wrong horse battery' },
  },
  {
    id: 'eraseMe',
    proof: 'current-password',
    writes: ['key', 'login', 'name', 'password', 'role'],
    wrong: { current_password: 'a wrong horse battery' },
  },
  confirmed('eraseUser', ['invitation', 'key', 'name', 'role']),
  confirmed('setUserPassword', ['key', 'password']),
  confirmed('sendActivation', ['link']),
  confirmed('createUser', ['password'], { body: { username: 'carla', password } }),
  confirmed('createUser', ['address'], { body: { username: 'carla', email: 'carla@example.org' } }),
  confirmed('createUser', ['role'], { body: { username: 'carla', is_staff: true } }),
  confirmed('changeUser', ['address'], { params: bert, body: { email: 'bert@example.org' } }),
  confirmed('changeUser', ['role'], { params: bert, body: { is_staff: true } }),
  confirmed('changeUser', ['role'], { params: bert, body: { is_superuser: true } }),
  confirmed('changeUser', ['key', 'role'], { params: bert, body: { is_active: false } }),
  confirmed('changeUser', ['name'], { params: bert, body: { username: 'bertram' } }),
  confirmed('addAlias', ['name']),
  confirmed('removeAlias', ['name']),
  {
    id: 'undoCorrection',
    proof: 'correction',
    writes: ['address'],
    request: undoOf({ email: 'a@b.example' }),
  },
  { id: 'undoCorrection', proof: 'correction', writes: ['role'], request: undoOf({ is_staff: true }) },
  { id: 'undoCorrection', proof: 'correction', writes: ['role'], request: undoOf({ is_active: false }) },
  { id: 'undoCorrection', proof: 'correction', writes: ['name'], request: undoOf({ username: 'carlotta' }) },
  confirmed('assignDrinks', ['address'], {
    body: { drinks: [4], username: 'carla', create_user: { email: 'carla@example.org' } },
  }),
  // Who is let in.
  confirmed('changeSite', ['setting'], { body: { privacy: 'members' } }),
  confirmed('changeSite', ['setting'], { body: { registration_mode: 'public' } }),
  confirmed('changeSite', ['setting'], { body: { require_https: 'off' } }),
  {
    id: 'undoCorrection',
    proof: 'correction',
    writes: ['setting'],
    request: undoOfSite({ registration_mode: 'public' }),
  },
  // A backup has them all; none is in the database.
  confirmed('deleteBackup', []),
  // Addresses for reset links.
  confirmed('changeMe', ['link'], { before: withMail, body: { email: 'rosa@example.org' } }),
  confirmed('requestEmailChange', ['link']),
  confirmed('requestUserEmailChange', ['link']),
  confirmed('confirmEmailChange', ['link']),
  // Keys.
  confirmed('createApiKey', ['key']),
  confirmed('regenerateApiKey', ['key']),
  confirmed('changeApiKey', ['key']),
  confirmed('replaceApiKey', ['key'], {
    params: { id: 3 },
    before: [['post', '/api-keys', { description: 'Till' }]],
    body: { is_active: false },
  }),
  confirmed('deleteApiKey', ['key']),
  confirmed('deleteUserApiKey', ['key']),
  // Tablets and PINs.
  confirmed('enrolTablet', ['login', 'tablet']),
  confirmed('removeTablet', ['tablet']),
  {
    id: 'setPin',
    proof: 'current-password',
    writes: ['pin'],
    wrong: { current_password: 'a wrong horse battery' },
  },
  confirmed('removePin', ['pin'], { prepare: withPin('root') }),
  confirmed('removeUserPin', ['pin'], { prepare: withPin('anna') }),
  ...extensionCases.flatMap(({ credentials }) => credentials?.cases ?? []),
  // Invitations.
  confirmed('createInvitation', ['invitation']),
  confirmed('deleteInvitation', ['invitation']),
];
