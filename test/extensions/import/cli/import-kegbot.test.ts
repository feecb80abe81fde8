import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  firstPourMs,
  type KegbotForm,
  type KegbotServer,
  type OldBar,
  oldKey,
  startKegbot,
  volumeOfDrink,
} from '../../../kit/kegbot-server.ts';
import { createSite, type ImportSite, readTotals } from './import-site.ts';

let site: ImportSite;
let server: KegbotServer;
const bar: OldBar = { users: [], drinks: 0 };

beforeEach(() => {
  site = createSite();
  Object.assign(bar, {
    users: [
      { username: 'anna', display_name: 'Anna A.' },
      { username: 'Bernd', is_staff: true },
    ],
    drinks: 230,
  });
});
afterEach(async () => {
  site.remove();
  await server?.close();
});

const start = async (form: KegbotForm) => {
  server = await startKegbot(form, bar);
  return server;
};
const importAll = (options = '--no-backup') =>
  site.tapster(`import kegbot ${server.url} --key ${oldKey} ${options}`);
const readAll = () =>
  site.open((database) => ({
    totals: readTotals(database),
    check: database.engine.site.checkDatabase(),
    users: database.engine.lists.users({ limit: 100 }).items,
    drinks: database.engine.lists.drinks({ limit: 1_000, isValid: true }).items,
  }));
const sumOfVolumes = (count: number) =>
  Array.from({ length: count }, (_, index) => volumeOfDrink(index + 1)).reduce((sum, ml) => sum + ml, 0);

test.each(['kegbot', 'legacy'] as const)(
  'imports everything from a server with the API “%s”',
  async (form) => {
    await start(form);
    const { code, out, err } = await importAll();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toContain('accounts   2 imported');
    expect(out).toContain('kegs       3 imported');
    expect(out).toContain('drinks     230 imported');
    const { totals, check, users, drinks } = await readAll();
    expect(check).toEqual([]);
    expect(totals.drinks).toBe(230);
    expect(totals.volumeMl).toBeCloseTo(sumOfVolumes(230), 3);
    expect(totals.kegs).toMatchObject([
      { beverage: 'Cola', state: 'available', full: 5_000 },
      { beverage: 'Haus Helles', state: 'available', full: 18_927.1 },
      { beverage: 'Haus Helles', state: 'finished', spilled: 400 },
    ]);
    // One drink every ten minutes is one session.
    expect(totals.sessions).toHaveLength(1);
    expect(users.map(({ username, isStaff }) => [username, isStaff]).sort()).toEqual([
      ['Bernd', false],
      ['anna', false],
    ]);
    const [newest] = drinks;
    expect(newest).toMatchObject({
      pourTimeMs: firstPourMs + 230 * 600_000,
      ticks: 230,
      durationMs: 20_000,
      username: 'anna',
      shout: 'Prost!',
      source: 'import',
    });
    expect(totals.byUser['']).toBe(76);
    expect(await site.open(({ engine }) => engine.users.passwords.check('anna', ''))).toBeNull();
    expect(readdirSync(site.path('data')).filter((name) => name.includes('staging'))).toEqual([]);
  },
);

test('imports from a server that lists neither people nor beverages', async () => {
  await start('reference');
  const { code, out } = await importAll();
  expect(code).toBe(0);
  expect(out).toContain('accounts   2 imported');
  expect(out).toContain('The server does not list its accounts');
  const { totals, check, drinks } = await readAll();
  expect(check).toEqual([]);
  expect(totals.volumeMl).toBeCloseTo(sumOfVolumes(230), 3);
  expect(totals.kegs).toMatchObject([
    { beverage: 'Cola', full: 5_000, state: 'available' },
    { beverage: 'Haus Helles', full: 18_927.1, state: 'available' },
    { beverage: 'Haus Helles', full: 50_000, state: 'finished' },
  ]);
  expect(drinks[0]).toMatchObject({ pourTimeMs: firstPourMs + 230 * 600_000, username: 'anna' });
});

test('a server whose address has changed is recognized by its drinks', async () => {
  await start('kegbot');
  await importAll();
  const former = server.url;
  await server.close();
  bar.drinks = 233;
  await start('legacy');
  const refused = await importAll();
  expect(refused).toMatchObject({ code: 65 });
  expect(refused.err).toContain(`were imported from “${former}” before`);
  const { code, out } = await importAll(`--no-backup --source ${former}`);
  expect({ code, out }).toMatchObject({ code: 0 });
  expect(out).toContain('drinks     3 imported\n');
});

test('a second import adds only what is new, and asks the server only for that', async () => {
  await start('kegbot');
  await importAll();
  const first = server.requests.length;
  bar.drinks = 233;
  const { code, out } = await importAll();
  expect({ code, out }).toMatchObject({ code: 0 });
  expect(out).toContain('drinks     3 imported\n');
  expect(server.requests.slice(first).filter((path) => path.includes('drinks'))).toHaveLength(3);
  expect((await readAll()).totals.drinks).toBe(233);
  const third = await importAll();
  expect(third).toMatchObject({ code: 0 });
  expect(third.err).toContain('There is nothing new to import.');
});

test('an import that the server interrupted continues where it was', async () => {
  await start('kegbot');
  server.setIntercept((path) => (path.includes('cursor=c-131') ? { status: 404 } : null));
  expect(await importAll()).toMatchObject({ code: 69 });
  expect((await readAll()).totals.drinks).toBe(0);
  const read = server.requests.length;
  server.setIntercept(null);
  bar.drinks = 231;
  expect(await importAll()).toMatchObject({ code: 0 });
  // The probe, the comparison with this database, the rest of the list, and what is newer.
  const drinkPages = server.requests.slice(read).filter((path) => path.includes('drinks'));
  expect(drinkPages.slice(2).map((path) => /cursor=(.*)$/.exec(path)?.[1])).toEqual([
    'c-131',
    'c-31',
    undefined,
  ]);
  const { totals, check } = await readAll();
  expect(check).toEqual([]);
  expect(totals.drinks).toBe(231);
});

test('a dry run writes nothing and prints what would be imported', async () => {
  await start('legacy');
  await site.open(() => {});
  const dry = await importAll('--dry-run');
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.out).toContain('drinks     230 to import');
  expect((await readAll()).totals).toMatchObject({ drinks: 0, kegs: [] });
  const done = await importAll();
  expect(done.out.replaceAll(/(\d) imported/g, '$1 to import')).toBe(dry.out);
});

test('names that exist here are the same people, and impossible or equal names get another one', async () => {
  bar.users = [{ username: 'ANNA' }, { username: 'anna' }, { username: '_x y_' }, { username: 'аnnab' }];
  await site.tapster('user add Anna --password-stdin', 'hop-garden');
  await start('kegbot');
  const { code, out } = await importAll();
  expect(code).toBe(0);
  expect(out).toContain('accounts   3 imported, 1 the same as here');
  expect(out).toContain('“anna” is the account “Anna” here.');
  expect(out).toMatch(/“ANNA” gets the name “ANNA-2” here/);
  expect(out).toContain('“_x y_” gets the name “x-y” here');
  expect(out).toMatch(/“аnnab” gets the name “member” here/);
  const { users, totals } = await readAll();
  expect(users.map(({ username }) => username).sort()).toEqual(['ANNA-2', 'Anna', 'member', 'x-y']);
  expect(Object.values(totals.byUser).reduce((sum, count) => sum + count, 0)).toBe(230);
  expect(Object.keys(totals.byUser)).toHaveLength(5);
});

test('a keg that was finished meanwhile is finished here, unless it is on a tap here', async () => {
  await start('kegbot');
  await importAll();
  const kegs = JSON.parse(
    JSON.stringify(
      await (
        await fetch(`${server.url}/api/kegs`, {
          headers: { authorization: `Basic ${btoa(`api:${oldKey}`)}` },
        })
      ).json(),
    ),
  ) as { results: { id: number; status: string; spilled_ml: number; end_time: string }[] };
  for (const keg of kegs.results)
    Object.assign(keg, { status: 'finished', spilled_ml: 500, end_time: '2023-07-01T00:00:00Z' });
  server.setIntercept((path) =>
    path.startsWith('/api/kegs') ? { status: 200, body: JSON.stringify(kegs) } : null,
  );
  await site.open(({ engine, now }) => {
    const { id } = engine.taps.create({ name: 'Left' }, { actor: { userId: null, via: 'console' }, now });
    const cola = engine.kegs.list({ limit: 10 }).items.find(({ fullVolumeMl }) => fullVolumeMl === 5_000)!;
    engine.kegs.attach(id, cola.id, now);
  });
  const { out } = await importAll();
  expect(out).toContain('kegs       0 imported, 3 brought up to date');
  const { totals, check } = await readAll();
  expect(check).toEqual([]);
  expect(totals.kegs.map(({ state, spilled }) => [state, spilled])).toEqual([
    ['available', 500],
    ['finished', 500],
    ['finished', 500],
  ]);
});

test.each<[string, Parameters<KegbotServer['faults']['push']>[0], number, RegExp]>([
  [
    'a redirect to another host',
    { status: 302, headers: { location: 'http://elsewhere.example/' } },
    69,
    /redirects to http:\/\/elsewhere\.example, which is not followed/,
  ],
  ['a server of another kind', { status: 200, body: '<html>' }, 69, /does not answer like/],
  ['an endless answer', { status: 200, body: 'x'.repeat(34_000_000) }, 69, /more than 32 MiB/],
  [
    'a server that asks to wait for hours',
    { status: 503, headers: { 'retry-after': '7200' } },
    69,
    /longer than five minutes/,
  ],
  ['a server without set-up', { status: 403, body: '{"error": "setup_required"}' }, 69, /is not set up/],
])('ends with a sentence for %s', async (_name, fault, code, sentence) => {
  await start('kegbot');
  server.setIntercept(() => fault);
  const result = await importAll();
  expect(result.err).toMatch(sentence);
  expect(result.code).toBe(code);
});

test('says that the key is refused', async () => {
  await start('kegbot');
  const refused = await site.tapster(`import kegbot ${server.url}/api/v1/ --key wrong`);
  expect(refused).toMatchObject({ code: 77 });
  expect(refused.err).toMatch(
    /refuses to answer \(status 403\): give the API key of a staff account there with --key/,
  );
});

test('says that no server listens', async () => {
  await start('kegbot');
  await server.close();
  const none = await site.tapster(`import kegbot ${server.url}`);
  expect(none).toMatchObject({ code: 69 });
  expect(none.err).toMatch(/No server listens at 127\.0\.0\.1/);
});

test('refuses to import from a server with the drinks of this database', async () => {
  await start('kegbot');
  await site.open(({ engine, now }) => {
    const { id } = engine.taps.create({ name: 'Left' }, { actor: { userId: null, via: 'console' }, now });
    bar.drinks = 1;
    const agoMs = now.wallMs - (firstPourMs + 600_000);
    engine.drinks.pours.report(
      { tap: id, ticks: 1, volumeMl: volumeOfDrink(1), agoMs, source: 'manual' },
      now,
    );
  });
  const { code, err } = await importAll();
  expect(code).toBe(65);
  expect(err).toMatch(/has the drinks of this database already/);
});

test.each([
  ['ftp://old-pi', 65, /URL must be an address/],
  ['http://user:secret@old-pi', 65, /must have no user and password/],
  ['http://old-pi --api soap', 64, /--api must be one of kegbot, legacy, reference/],
])('refuses %s', async (line, code, sentence) => {
  const result = await site.tapster(`import kegbot ${line}`);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(sentence);
});

test('drinks that cannot be imported stop it before anything is written, or are left out', async () => {
  await start('kegbot');
  const bad = {
    id: 2,
    ticks: 1,
    volume_ml: 5e9,
    time: '2023-05-05T18:00:00Z',
    duration: 1,
    user: null,
    keg: null,
  };
  server.setIntercept((path) =>
    path.startsWith('/api/drinks')
      ? { status: 200, body: JSON.stringify({ next: null, results: [bad, { ...bad, id: 1, volume_ml: 5 }] }) }
      : null,
  );
  const refused = await importAll();
  expect(refused).toMatchObject({ code: 65 });
  expect(refused.err).toContain('drink 2, volume_ml: must be a number from 0 to 10000000.');
  expect((await readAll()).totals.drinks).toBe(0);
  expect(await importAll('--no-backup --skip-bad-rows')).toMatchObject({ code: 0 });
  expect((await readAll()).totals.drinks).toBe(1);
});
