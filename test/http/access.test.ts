import request from 'supertest';
import { afterAll, expect, test } from 'vitest';
import { currentEdition } from '../../src/http/editions/current/edition.ts';
import { legacyV1 } from '../../src/http/editions/legacy-v1/edition.ts';
import type { EventWait } from '../../src/http/event-wait.ts';
import type { LiveHub } from '../../src/http/live/hub.ts';
import type { Access, Route } from '../../src/http/route.ts';
import { createSetupCode } from '../../src/http/setup-code.ts';
import { type House, openHouse } from './house.ts';
import { listen } from './live/streams.ts';

type Privacy = 'public' | 'members' | 'staff';
type Standing = 'nobody' | 'member' | 'staff';

/** What each of them is answered at a door: 200 stands for being let in, whatever comes then. */
const rules: Readonly<Record<Access, Readonly<Record<Privacy, Readonly<Record<Standing, number>>>>>> = {
  open: same({ nobody: 200, member: 200, staff: 200 }),
  viewer: {
    public: { nobody: 200, member: 200, staff: 200 },
    members: { nobody: 401, member: 200, staff: 200 },
    staff: { nobody: 401, member: 403, staff: 200 },
  },
  member: same({ nobody: 401, member: 200, staff: 200 }),
  staff: same({ nobody: 401, member: 403, staff: 200 }),
  setup: same({ nobody: 403, member: 403, staff: 403 }),
  // From elsewhere it is as for the staff; tests come from this machine, so a guest’s login is let in as nobody is.
  loopback: same({ nobody: 200, member: 200, staff: 200 }),
  'same-origin': same({ nobody: 200, member: 200, staff: 200 }),
};

function same(row: Record<Standing, number>): Record<Privacy, Record<Standing, number>> {
  return { public: row, members: row, staff: row };
}

const clock = { now: () => openHouse().now(), setByPerson() {} };
const current = currentEdition({
  clock,
  live: {} as LiveHub,
  eventWait: {} as EventWait,
  pace: null,
  setup: createSetupCode(),
  simulator: undefined,
});

const doors = [current, legacyV1].flatMap(({ prefix, routes, logins }) =>
  routes.map((route) => ({
    name: `${route.method.toUpperCase()} ${prefix}${route.path}`,
    route,
    prefix,
    logins,
  })),
);

/** Knocks without a body. A stream is only looked at, and what would write is knocked at only to be refused. */
function knock(route: Route, prefix: string, headers: Record<string, string>) {
  const path = `${prefix}${route.path.replace(/\{\w+\}/g, '1')}`;
  const isStream = route.answer.kind === 'raw' && route.answer.mediaType === 'text/event-stream';
  return request(url)[isStream ? 'head' : route.method](path).set(headers);
}

const carriers = (house: House) =>
  [
    ['nobody', {}],
    ['member', { 'X-Kegbot-Api-Key': house.guestKey }],
    ['staff', { 'X-Kegbot-Api-Key': house.staffKey }],
    ['member', { Cookie: house.cookieOf('bert') }],
    ['staff', { Cookie: house.cookieOf('anna') }],
  ] as readonly (readonly [Standing, Record<string, string>])[];

const house = openHouse();
const carried = carriers(house);
// One door for all who knock: opening one for each takes most of the time.
const { url, close } = await listen(house.app);
afterAll(() => close(0));

test.each(doors)('$name is for whom it says', async ({ route, prefix, logins }) => {
  for (const privacy of ['public', 'members', 'staff'] as const) {
    house.engine.people.changeSite({ privacy });
    for (const [standing, headers] of carried) {
      const byKey = 'X-Kegbot-Api-Key' in headers;
      const counts = byKey || logins === 'everywhere' || route.access === 'viewer';
      const said = rules[route.access][privacy][counts ? standing : 'nobody'];
      if (said === 200 && route.method !== 'get') continue;
      if (route.access === 'loopback' && byKey) continue;
      const { status } = await knock(route, prefix, headers);
      const asked = `${standing} by ${Object.keys(headers)[0] ?? 'nothing'}, ${privacy}`;
      // The oldest controllers know one status for both refusals.
      const refused = byKey && prefix === '/api/v1' && said === 403 ? 401 : said;
      if (said === 200) expect([401, 403], asked).not.toContain(status);
      else expect(status, asked).toBe(refused);
    }
  }
});

test('every kind of door is there', () => {
  const kinds = new Set(doors.map(({ route }) => route.access));
  expect([...kinds].toSorted()).toEqual(expect.arrayContaining(['open', 'viewer', 'member', 'staff']));
});

/** What a house that nobody has set up yet answers to everybody. */
const opensEarly = /^GET \/api\/(users\/me|schema|docs.*)$|^\w+ \/api\/(setup\/.*|simulator\/pulses)$/;

test.each(doors.filter(({ prefix }) => prefix === '/api'))(
  '$name waits for the set-up, or does not have to',
  async ({ name, route, prefix }) => {
    house.engine.people.changeSite({ isSetUp: false, privacy: 'public' });
    try {
      const { status } = await knock(route, prefix, {});
      if (opensEarly.test(name)) expect(status).not.toBe(409);
      else expect(status).toBe(409);
      if (route.method !== 'get') return;
      // Whoever is known already goes about the house.
      for (const [standing, headers] of carried) {
        if (standing === 'nobody') continue;
        expect((await knock(route, prefix, headers)).status).not.toBe(409);
      }
    } finally {
      house.engine.people.changeSite({ isSetUp: true });
    }
  },
);
