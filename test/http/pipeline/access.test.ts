import { afterAll, expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import type { Route } from '../../../src/http/routes/route.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import {
  type Caller,
  createServerWithCallers,
  type Expected,
  expectedAccess,
  type Headers,
  privacies,
} from '../access-rules.ts';
import { listen } from '../live/streams.ts';

interface TestedRoute {
  readonly name: string;
  readonly route: Route;
  readonly prefix: string;
  /** True if the API accepts a login on this route. */
  readonly takesLogins: boolean;
}

// Only the declarations of the routes are used; the requests go to the test servers below.
const current = currentApi({} as RouteServices, { extensions: allExtensions.http });

const testedRoutes: readonly TestedRoute[] = [current, legacyApi].flatMap(({ prefix, routes, logins }) =>
  routes.map((route) => ({
    name: `${route.method.toUpperCase()} ${prefix}${route.path}`,
    route,
    prefix,
    takesLogins: logins === 'everywhere' || route.access === 'viewer',
  })),
);

// One server per privacy setting, since starting one per request would take most of the time.
const testServers = await Promise.all(
  privacies.map(async (privacy) => {
    const { testServer, headersByCaller } = createServerWithCallers(privacy);
    return { privacy, testServer, headersByCaller, ...(await listen(testServer.app)) };
  }),
);
afterAll(() => Promise.all(testServers.map(({ close }) => close(0))));

const remoteHeaders = { 'X-Forwarded-For': '203.0.113.9' };

interface RequestOptions {
  readonly url: string;
  readonly headers: Headers;
  /** Value of every path parameter. */
  readonly paramValue: string;
  /** True to send an unparsable body: an allowed caller gets 400 and nothing is changed. */
  readonly isBodyBroken: boolean;
}

/** Sends a request and returns the status; an event stream is requested with HEAD. */
async function sendRequest(
  { route, prefix }: TestedRoute,
  { url, headers, paramValue, isBodyBroken }: RequestOptions,
): Promise<number> {
  const path = `${prefix}${route.path.replace(/\{\w+\}/g, paramValue)}`;
  const isStream = route.answer.kind === 'raw' && route.answer.mediaType === 'text/event-stream';
  const broken = { headers: { ...headers, 'Content-Type': 'application/json' }, body: '{' };
  const reply = await fetch(`${url}${path}`, {
    method: isStream ? 'HEAD' : route.method.toUpperCase(),
    headers,
    redirect: 'manual',
    ...(isBodyBroken ? broken : {}),
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** The expected result: an API may ignore logins, and the legacy API answers 401 instead of 403 to keys. */
function expectedStatus(
  { route, prefix, takesLogins }: TestedRoute,
  caller: Caller,
  privacy: Parameters<typeof expectedAccess>[1],
  isLocal: boolean,
): Expected {
  const isBrowserLogin =
    caller.endsWith('login') || caller.endsWith('confirmed password') || caller.startsWith('shared tablet');
  const effectiveCaller = !takesLogins && isBrowserLogin ? 'anonymous' : caller;
  const expected = expectedAccess(route, privacy, effectiveCaller, isLocal);
  return expected === 403 && prefix === legacyApi.prefix && caller.endsWith('key') ? 401 : expected;
}

test.each(testedRoutes)(
  '$name checks access before it looks anything up or reads the body',
  async (testedRoute) => {
    const { route } = testedRoute;
    const writes = route.method !== 'get';
    for (const { privacy, headersByCaller, url } of testServers) {
      for (const [caller, callerHeaders] of headersByCaller) {
        for (const isLocal of route.access === 'loopback' ? [true, false] : [true]) {
          const headers = isLocal ? callerHeaders : { ...callerHeaders, ...remoteHeaders };
          const expected = expectedStatus(testedRoute, caller, privacy, isLocal);
          const label = `${caller}, ${privacy}${isLocal ? '' : ', from elsewhere'}`;
          if (expected === 'allow') {
            const status = await sendRequest(testedRoute, {
              url,
              headers,
              paramValue: '1',
              isBodyBroken: writes,
            });
            if (writes) expect([400, 415], label).toContain(status);
            else expect([401, 403, 500], label).not.toContain(status);
            continue;
          }
          // Without a key, an unparsable body is reported instead, since it may contain the key.
          const isBodyBroken = writes && expected === 401 && caller.includes('key');
          expect(
            await sendRequest(testedRoute, { url, headers, paramValue: '404404', isBodyBroken }),
            label,
          ).toBe(expected);
        }
      }
    }
  },
);

test.each(testedRoutes.filter(({ prefix }) => prefix === current.prefix))(
  '$name rejects a login on requests from a page of another site',
  async (testedRoute) => {
    const { access, method, byPin } = testedRoute.route;
    const { url, headersByCaller } = testServers[0]!;
    const isRefused = method !== 'get' || access === 'setup' || access === 'same-origin';
    const callers: readonly Caller[] = [
      ...(access === 'tablet' ? [] : (['superuser with a confirmed password'] as const)),
      ...(access === 'tablet' || byPin ? (['shared tablet with a PIN unlock'] as const) : []),
    ];
    for (const caller of callers) {
      const foreign = { ...headersByCaller.get(caller), Origin: 'http://evil.example' };
      const status = await sendRequest(testedRoute, {
        url,
        headers: foreign,
        paramValue: '1',
        isBodyBroken: method !== 'get',
      });
      if (isRefused) expect(status, caller).toBe(403);
      else expect(status, caller).not.toBe(403);
    }
  },
);

test.each(testedRoutes.filter(({ prefix, route }) => prefix === current.prefix && route.method !== 'get'))(
  '$name rejects a page of another site also without a login',
  async (testedRoute) => {
    const { url, headersByCaller } = testServers[0]!;
    for (const caller of ['anonymous', 'expired login'] as const) {
      for (const foreign of [{ Origin: 'http://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        const headers = { ...headersByCaller.get(caller), ...foreign };
        const request = { url, headers, paramValue: '1', isBodyBroken: true };
        expect(await sendRequest(testedRoute, request), caller).toBe(403);
      }
    }
  },
);

test('none of these requests changed anything', () => {
  for (const { testServer } of testServers) {
    expect(testServer.faults).toEqual([]);
    expect(testServer.engine.lists.drinks({}).total).toBe(0);
    expect(testServer.engine.taps.list().map(({ tap }) => tap.name)).toEqual(['Left', 'Right', 'Attic']);
  }
});

test('every kind of access is tested', () => {
  const kinds = new Set(testedRoutes.map(({ route }) => route.access));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'open',
      'viewer',
      'member',
      'viewing-member',
      'staff',
      'superuser',
      'confirmed-superuser',
      'setup',
      'loopback',
      'same-origin',
      'tablet',
    ]),
  );
});

/** The routes that answer everybody before set-up. */
const allowedBeforeSetUp =
  /^GET \/api\/(users\/me|site\/https|schema|docs.*)$|^\w+ \/api\/(setup\/.*|simulator\/(pours|pulses))$/;

test.each(testedRoutes.filter(({ prefix }) => prefix === current.prefix))(
  '$name answers 409 before set-up unless it is allowed then',
  async (testedRoute) => {
    const { testServer, headersByCaller, url } = testServers[0]!;
    const { route, name } = testedRoute;
    const writes = route.method !== 'get';
    testServer.engine.users.changeSite({ isSetUp: false });
    try {
      for (const caller of ['anonymous', 'expired login', 'wrong key'] as const) {
        const headers = headersByCaller.get(caller)!;
        const status = await sendRequest(testedRoute, {
          url,
          headers,
          paramValue: '1',
          isBodyBroken: writes,
        });
        if (allowedBeforeSetUp.test(name)) expect(status, caller).not.toBe(409);
        else expect(status, caller).toBe(409);
      }
      // Authenticated callers are not affected.
      for (const caller of ['member by key', 'staff by login'] as const) {
        const headers = headersByCaller.get(caller)!;
        expect(
          await sendRequest(testedRoute, { url, headers, paramValue: '1', isBodyBroken: writes }),
          caller,
        ).not.toBe(409);
      }
    } finally {
      testServer.engine.users.changeSite({ isSetUp: true });
    }
  },
);
