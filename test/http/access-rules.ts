import { systemActor } from '../../src/engine/shared/audit.ts';
import { neededSessionProof } from '../../src/http/routes/credential-proof.ts';
import type { Access, Route } from '../../src/http/routes/route.ts';
import { createTestServer, type TestServer } from './test-server.ts';

export type Privacy = 'public' | 'members' | 'staff';

export const privacies: readonly Privacy[] = ['public', 'members', 'staff'];

/** All kinds of callers. */
export type Caller =
  | 'anonymous'
  | 'member by login'
  | 'member by key'
  | 'staff by login'
  | 'staff by key'
  | 'superuser by login'
  | 'superuser with a confirmed password'
  | 'superuser by key'
  | 'shared tablet'
  | 'shared tablet with a PIN unlock'
  | 'expired login'
  | 'wrong key'
  | 'inactive key';

/** The expected outcome: allowed, 401 (on a tablet: PIN needed) or 403. */
export type Expected = 'allow' | 401 | 403;

type Row = readonly [
  unauthenticated: Expected,
  badKey: Expected,
  memberByLogin: Expected,
  memberByKey: Expected,
  staff: Expected,
  /** A shared tablet, on routes without `byPin`. */
  tablet: Expected,
];

const allCallers: Row = ['allow', 'allow', 'allow', 'allow', 'allow', 'allow'];
const members: Row = [401, 401, 'allow', 'allow', 'allow', 'allow'];
const membersOnly: Row = [401, 401, 'allow', 'allow', 'allow', 403];
const staff: Row = [401, 401, 403, 403, 'allow', 403];
/** For superusers see `expectedAccess`. */
const superusers: Row = [401, 401, 403, 403, 403, 403];
const tablets: Row = [401, 401, 403, 403, 403, 'allow'];

/** Returns the expected outcomes of a route; `isLocal` means a request from this machine. */
function toRow(access: Access, privacy: Privacy, isLocal: boolean): Row {
  switch (access) {
    case 'open':
    case 'same-origin':
      return allCallers;
    case 'viewer':
      return { public: allCallers, members, staff }[privacy];
    case 'member':
      return membersOnly;
    case 'viewing-member':
      return privacy === 'staff' ? staff : membersOnly;
    case 'staff':
      return staff;
    case 'superuser':
    case 'confirmed-superuser':
      return superusers;
    case 'tablet':
      return tablets;
    case 'setup':
      return [403, 403, 403, 403, 403, 403];
    case 'loopback':
      return isLocal ? ['allow', 401, 'allow', 403, 'allow', 'allow'] : staff;
  }
}

/** Returns the expected outcome for a caller of a site that is set up; the request has no body. */
export function expectedAccess(
  route: Pick<Route, 'access' | 'byPin' | 'writesCredential'>,
  privacy: Privacy,
  caller: Caller,
  isLocal: boolean,
): Expected {
  const byRole = expectedByRole(route, privacy, caller, isLocal);
  const proof = neededSessionProof(route, {});
  if (byRole !== 'allow' || proof === null) return byRole;
  if (proof === 'login') return caller.endsWith('key') ? 403 : 'allow';
  return caller === 'superuser with a confirmed password' ? 'allow' : 403;
}

function expectedByRole(
  { access, byPin = false }: Pick<Route, 'access' | 'byPin'>,
  privacy: Privacy,
  caller: Caller,
  isLocal: boolean,
): Expected {
  const [unauthenticated, badKey, memberByLogin, memberByKey, staffResult, tablet] = toRow(
    access,
    privacy,
    isLocal,
  );
  switch (caller) {
    case 'anonymous':
    case 'expired login':
      return unauthenticated;
    case 'wrong key':
    case 'inactive key':
      return badKey;
    case 'member by login':
      return memberByLogin;
    case 'member by key':
      return memberByKey;
    case 'shared tablet':
      return byPin ? 401 : tablet;
    case 'shared tablet with a PIN unlock':
      return byPin ? 'allow' : tablet;
    case 'superuser by login':
    case 'superuser by key':
      return access === 'superuser' ? 'allow' : staffResult;
    case 'superuser with a confirmed password':
      return access === 'superuser' || access === 'confirmed-superuser' ? 'allow' : staffResult;
    default:
      return staffResult;
  }
}

/** Creates a server and the headers of each caller. */
export function createServerWithCallers(privacy: Privacy): {
  testServer: TestServer;
  headersByCaller: ReadonlyMap<Caller, Headers>;
} {
  const testServer = createTestServer();
  const { engine } = testServer;
  const createKey = (username: string) => engine.users.createKey(username, 'test', testServer.now()).secret;
  engine.users.addUser({ username: 'root', isSuperuser: true }, testServer.now());
  engine.users.addUser({ username: 'gone', isStaff: true }, testServer.now());
  const inactiveLogin = testServer.createLoginCookie('gone');
  const now = testServer.now();
  const { keyId, secret: inactiveKey } = engine.users.createKey('anna', 'test', now);
  engine.users.ownKeys.change(
    engine.users.user('anna')!,
    keyId,
    { isActive: false },
    { actor: systemActor, now },
  );
  engine.users.accounts.change('gone', { isActive: false }, systemActor, testServer.now());
  engine.users.changeSite({ privacy });
  const keyHeader = (secret: string) => ({ 'X-Kegbot-Api-Key': secret });
  const headersByCaller = new Map<Caller, Headers>([
    ['anonymous', {}],
    ['member by login', { Cookie: testServer.createLoginCookie('bert') }],
    ['member by key', keyHeader(testServer.guestKey)],
    ['staff by login', { Cookie: testServer.createLoginCookie('anna') }],
    ['staff by key', keyHeader(testServer.staffKey)],
    ['superuser by login', { Cookie: testServer.createLoginCookie('root') }],
    ['superuser with a confirmed password', { Cookie: testServer.createConfirmedCookie('root') }],
    ['superuser by key', keyHeader(createKey('root'))],
    ['shared tablet', { Cookie: testServer.createTabletCookie('Bar left') }],
    ['shared tablet with a PIN unlock', testServer.createUnlockedTablet('Bar right', 'anna')],
    ['expired login', { Cookie: inactiveLogin }],
    ['wrong key', keyHeader('wrong')],
    ['inactive key', keyHeader(inactiveKey)],
  ]);
  return { testServer, headersByCaller };
}

export type Headers = Readonly<Record<string, string>>;
