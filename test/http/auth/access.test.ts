import { afterAll, expect, test } from 'vitest';
import { type CurrentApiServices, currentApi } from '../../../src/http/editions/current/api.ts';
import { legacyApi } from '../../../src/http/editions/legacy-v1/api.ts';
import type { Route } from '../../../src/http/routes/route.ts';
import { type Caller, type Headers, openDoors, privacies, type Said, saidAt } from '../doors.ts';
import { listen } from '../live/streams.ts';

interface Door {
  readonly name: string;
  readonly route: Route;
  readonly prefix: string;
  /** Whether a login counts here as a key does. */
  readonly takesLogins: boolean;
}

// Only what the routes declare is read of this one; those who knock do so at a house that runs.
const current = currentApi({} as CurrentApiServices);

const doors: readonly Door[] = [current, legacyApi].flatMap(({ prefix, routes, logins }) =>
  routes.map((route) => ({
    name: `${route.method.toUpperCase()} ${prefix}${route.path}`,
    route,
    prefix,
    takesLogins: logins === 'everywhere' || route.access === 'viewer',
  })),
);

// One house and one open port for each privacy: opening one for each who knocks takes most of the time.
const testServers = await Promise.all(
  privacies.map(async (privacy) => {
    const { testServer, carried } = openDoors(privacy);
    return { privacy, testServer, carried, ...(await listen(testServer.app)) };
  }),
);
afterAll(() => Promise.all(testServers.map(({ close }) => close(0))));

const elsewhere = { 'X-Forwarded-For': '203.0.113.9' };

interface Knock {
  readonly url: string;
  readonly headers: Headers;
  /** What every place of the address holds. */
  readonly place: string;
  /** True for a body that cannot be read: who is let in hears of it, and nothing comes of it. */
  readonly isBroken: boolean;
}

/** Knocks, and gives the status of the answer; a stream is only looked at. */
async function knock({ route, prefix }: Door, { url, headers, place, isBroken }: Knock): Promise<number> {
  const path = `${prefix}${route.path.replace(/\{\w+\}/g, place)}`;
  const isStream = route.answer.kind === 'raw' && route.answer.mediaType === 'text/event-stream';
  const broken = { headers: { ...headers, 'Content-Type': 'application/json' }, body: '{' };
  const reply = await fetch(`${url}${path}`, {
    method: isStream ? 'HEAD' : route.method.toUpperCase(),
    headers,
    redirect: 'manual',
    ...(isBroken ? broken : {}),
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** What this face says: its logins count where it takes them, and the oldest controllers know one refusal. */
function saidOn(
  { route, prefix, takesLogins }: Door,
  caller: Caller,
  privacy: Parameters<typeof saidAt>[1],
  here: boolean,
): Said {
  const isBrowsers = caller.endsWith('login') || caller.startsWith('shared tablet');
  const counted = !takesLogins && isBrowsers ? 'nobody' : caller;
  const said = saidAt(route, privacy, counted, here);
  return said === 403 && prefix === legacyApi.prefix && caller.endsWith('key') ? 401 : said;
}

test.each(doors)('$name is for whom it says, before anything is looked up or read', async (door) => {
  const { route } = door;
  const writes = route.method !== 'get';
  for (const { privacy, carried, url } of testServers) {
    for (const [caller, carriedHeaders] of carried) {
      for (const here of route.access === 'loopback' ? [true, false] : [true]) {
        const headers = here ? carriedHeaders : { ...carriedHeaders, ...elsewhere };
        const said = saidOn(door, caller, privacy, here);
        const asked = `${caller}, ${privacy}${here ? '' : ', from elsewhere'}`;
        if (said === 'in') {
          const status = await knock(door, { url, headers, place: '1', isBroken: writes });
          if (writes) expect([400, 415], asked).toContain(status);
          else expect([401, 403, 500], asked).not.toContain(status);
          continue;
        }
        // Where no key was found it may lie in a body that cannot be read: then that is said.
        const isBroken = writes && said === 401 && caller.includes('key');
        expect(await knock(door, { url, headers, place: '404404', isBroken }), asked).toBe(said);
      }
    }
  }
});

test.each(doors.filter(({ prefix }) => prefix === current.prefix))(
  '$name lets no page of another site use a login',
  async (door) => {
    const { access, method, byPin } = door.route;
    const { url, carried } = testServers[0]!;
    const isClosed = method !== 'get' || access === 'setup' || access === 'same-origin';
    const callers: readonly Caller[] = [
      ...(access === 'tablet' ? [] : (['superuser by login'] as const)),
      ...(access === 'tablet' || byPin ? (['shared tablet, with the PIN of staff'] as const) : []),
    ];
    for (const caller of callers) {
      const foreign = { ...carried.get(caller), Origin: 'http://evil.example' };
      const status = await knock(door, { url, headers: foreign, place: '1', isBroken: method !== 'get' });
      if (isClosed) expect(status, caller).toBe(403);
      else expect(status, caller).not.toBe(403);
    }
  },
);

test('whoever knocked has changed nothing', () => {
  for (const { testServer } of testServers) {
    expect(testServer.faults).toEqual([]);
    expect(testServer.engine.lists.drinks({}).total).toBe(0);
    expect(testServer.engine.taps.list().map(({ tap }) => tap.name)).toEqual(['Left', 'Right', 'Attic']);
  }
});

test('every kind of door is there', () => {
  const kinds = new Set(doors.map(({ route }) => route.access));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'open',
      'viewer',
      'member',
      'staff',
      'setup',
      'loopback',
      'same-origin',
      'tablet',
    ]),
  );
});

/** What a house that nobody has set up yet answers to everybody. */
const opensEarly = /^GET \/api\/(users\/me|schema|docs.*)$|^\w+ \/api\/(setup\/.*|simulator\/pulses)$/;

test.each(doors.filter(({ prefix }) => prefix === current.prefix))(
  '$name waits for the set-up, or does not have to',
  async (door) => {
    const { testServer, carried, url } = testServers[0]!;
    const { route, name } = door;
    const writes = route.method !== 'get';
    testServer.engine.users.changeSite({ isSetUp: false });
    try {
      for (const caller of ['nobody', 'login that is over', 'wrong key'] as const) {
        const headers = carried.get(caller)!;
        const status = await knock(door, { url, headers, place: '1', isBroken: writes });
        if (opensEarly.test(name)) expect(status, caller).not.toBe(409);
        else expect(status, caller).toBe(409);
      }
      // Whoever is known already goes about the house.
      for (const caller of ['member by key', 'staff by login'] as const) {
        const headers = carried.get(caller)!;
        expect(await knock(door, { url, headers, place: '1', isBroken: writes }), caller).not.toBe(409);
      }
    } finally {
      testServer.engine.users.changeSite({ isSetUp: true });
    }
  },
);
