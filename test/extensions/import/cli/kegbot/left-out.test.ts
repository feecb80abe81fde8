import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KegbotServer, oldKey, startKegbot } from '../../../../kit/kegbot-server.ts';
import { propertyRuns } from '../../../../kit/slow.ts';
import { createSite, type ImportSite, readTotals } from '../import-site.ts';

type Row = Readonly<Record<string, unknown>>;

/** The lists of a server, in which anything may be wrong. */
interface Lists {
  readonly users: readonly Row[];
  readonly beverages: readonly Row[];
  readonly kegs: readonly Row[];
  readonly drinks: readonly Row[];
}

let sites: ImportSite[] = [];
let server: KegbotServer;

beforeEach(async () => {
  sites = [];
  server = await startKegbot('kegbot', { users: [], drinks: 0 });
});
afterEach(async () => {
  for (const site of sites) site.remove();
  await server.close();
});

const openSite = (): ImportSite => {
  const site = createSite();
  sites.push(site);
  return site;
};
const importAll = (site: ImportSite, options = '') =>
  site.tapster(`import kegbot ${server.url} --key ${oldKey} --no-backup ${options}`.trim());
const totals = (site: ImportSite) => site.open(readTotals);

/** Answers with the lists, two drinks a page. */
function serve(lists: Lists): void {
  server.setIntercept((path) => {
    const url = new URL(path, 'http://old-pi');
    const list = url.pathname.slice('/api/'.length) as keyof Lists;
    const rows = lists[list];
    const size = list === 'drinks' ? 2 : 100;
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const next = from + size < rows.length ? `http://old-pi/api/${list}?cursor=${from + size}` : null;
    return { status: 200, body: JSON.stringify({ next, results: rows.slice(from, from + size) }) };
  });
}

const beer = { id: 9, name: 'Helles', producer: { id: 1, name: 'Hausbrauerei' } };
const keg = (id: number, fields: Row = {}) => ({
  id,
  keg_type: 'euro-half',
  full_volume_ml: 50_000,
  status: 'finished',
  start_time: '2023-05-01T00:00:00Z',
  end_time: '2023-06-01T00:00:00Z',
  beverage: beer,
  ...fields,
});
const drink = (id: number, fields: Row = {}) => ({
  id,
  ticks: id,
  volume_ml: 300 + id,
  time: new Date(Date.UTC(2023, 4, 5) + id * 600_000).toISOString(),
  duration: 5,
  user: { username: 'anna' },
  keg: { id: 1 },
  ...fields,
});

/** Faults of each kind of row, and rows that are not imported though nothing is wrong with them. */
const lists: fc.Arbitrary<Lists> = fc.record({
  users: fc
    .subarray<Row>([{}, { username: '' }, { username: 'guest' }, { username: '_ _' }, { username: 'anna' }])
    .map((rows) => rows.map((row, n) => ({ id: n + 1, username: 'bernd', ...row }))),
  beverages: fc.constant([beer]),
  kegs: fc
    .array(
      fc.constantFrom<Row>(
        {},
        { full_volume_ml: -1, keg_type: 'bath' },
        { beverage: { id: 8, name: '' } },
        { start_time: '2098-01-01T00:00:00Z' },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((rows) => rows.map((row, n) => keg(n + 1, row))),
  drinks: fc
    .array(
      fc.record(
        {
          volume_ml: fc.constantFrom<unknown>(-1, 5e9, null, 'many'),
          time: fc.constantFrom<unknown>(null, '2098-01-01T00:00:00Z', '2023-05-05', '1980-01-01T00:00:00Z'),
          is_valid: fc.boolean(),
          id: fc.constant(null),
          user: fc.constantFrom(null, { username: 'guest' }, { username: 'x'.repeat(200) }),
          keg: fc.integer({ min: 1, max: 6 }).map((id) => ({ id })),
        },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((rows) => rows.map((row, n) => ({ ...drink(n + 1), ticks: n, ...row })).reverse()),
});

/** Numbers of a kind that a report names. */
function told(kind: 'account' | 'keg' | 'drink', { out, err }: { out: string; err: string }) {
  const line = new RegExp(`^${kind}s +(.*)$`, 'm').exec(out)?.[1] ?? '';
  const counted = [...line.matchAll(/(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const leftOut = [...out.matchAll(new RegExp(`^left out   (\\d+) ${kind}s?:`, 'gm'))];
  const word = kind === 'account' ? '(?:user “|account )' : `${kind} `;
  const faulty = [...err.matchAll(new RegExp(`^${word}[^\\n]*: `, 'gm'))].length;
  return counted + leftOut.reduce((sum, [, count]) => sum + Number(count), 0) + faulty;
}

test('a dry run tells what the run does, and every row is imported or named', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (rows) => {
      serve(rows);
      const [first, other] = [openSite(), openSite()];
      for (const site of [first, other]) await site.open(() => {});
      const dry = await importAll(first, '--dry-run --skip-bad-rows');
      const done = await importAll(first, '--skip-bad-rows');
      const alone = await importAll(other, '--skip-bad-rows');
      const toPlan = (text: string) => text.replaceAll(/(\d) imported/g, '$1 to import');
      const faults = (text: string) =>
        text.split('\n').filter((line) => /^(user|account|beverage|keg|drink) /.test(line));
      expect(toPlan(done.out)).toBe(dry.out);
      expect(toPlan(alone.out)).toBe(dry.out);
      expect(faults(done.err).sort()).toEqual(faults(dry.err).sort());
      expect(faults(alone.err).sort()).toEqual(faults(dry.err).sort());
      // Accounts that only drinks name are more than the list has.
      expect(told('account', dry)).toBeGreaterThanOrEqual(rows.users.length);
      expect(told('keg', dry)).toBe(rows.kegs.length);
      expect(told('drink', dry)).toBe(rows.drinks.length);
      const imported = await totals(first);
      expect(await totals(other)).toEqual(imported);
      await importAll(first, '--skip-bad-rows');
      expect(await totals(first)).toEqual(imported);
    }),
    { numRuns: propertyRuns(24) },
  );
});

test('a drink without an id is named in each run', async () => {
  serve({
    users: [],
    beverages: [beer],
    kegs: [keg(1)],
    drinks: [drink(3), drink(2), { ...drink(1), id: null }],
  });
  const site = openSite();
  for (const options of ['--dry-run --skip-bad-rows', '--skip-bad-rows', '--skip-bad-rows'])
    expect((await importAll(site, options)).err).toContain('drink without an id, id: must be there.\n');
});

test('faults of a dry run are there in the run after it, and gone once they are corrected', async () => {
  const rows = { users: [], beverages: [beer], kegs: [keg(1)], drinks: [drink(3), drink(2), drink(1)] };
  const wrong = { ...rows, drinks: [drink(3), drink(2, { volume_ml: -5 }), drink(1)] };
  serve(wrong);
  const site = openSite();
  for (const options of ['--dry-run', '--dry-run', '']) {
    const refused = await importAll(site, options);
    expect(refused).toMatchObject({ code: 65 });
    expect(refused.err).toContain('drink 2, volume_ml: must be a number from 0 to 10000000.\n');
    expect(refused.err).toContain('Nothing was imported: 1 row cannot be.');
  }
  serve(rows);
  const done = await importAll(site);
  expect(done).toMatchObject({ code: 0 });
  expect(done.out).toContain('drinks     3 imported\n');
});

test('drinks of a keg that is not imported come without a keg, and the report says so', async () => {
  serve({
    users: [],
    beverages: [beer],
    kegs: [keg(1), keg(2, { full_volume_ml: 0, keg_type: 'bath' })],
    drinks: [
      drink(4, { keg: { id: 77 } }),
      drink(3, { keg: { id: 2 } }),
      drink(2, { keg: { id: 2 } }),
      drink(1),
    ],
  });
  const site = openSite();
  const refused = await importAll(site);
  expect(refused.err).toBe(refused.err.replace(/^drink.*$/m, ''));
  expect(refused.err).toContain('Nothing was imported: 1 row cannot be.');
  const done = await importAll(site, '--skip-bad-rows');
  expect(done).toMatchObject({ code: 0 });
  expect(done.out).toContain('drinks     4 imported\n');
  expect(done.out).toContain('no keg     2 drinks of keg 2, which is not imported: without a keg here\n');
  expect(done.out).toContain('no keg     1 drink of keg 77, which is not imported: without a keg here\n');
  expect(await totals(site)).toMatchObject({ drinks: 4, kegs: [{ served: 301 }] });
});

test('a pour that is held there is named, and imported once it is confirmed', async () => {
  const rows = { users: [], beverages: [beer], kegs: [keg(1)], drinks: [drink(2), drink(1)] };
  serve({ ...rows, drinks: [drink(2), drink(1, { is_valid: false })] });
  const site = openSite();
  const first = await importAll(site);
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toContain('drinks     1 imported\n');
  expect(first.out).toContain('left out   1 drink: held for review there\n');
  serve(rows);
  expect((await importAll(site)).out).toContain('drinks     1 imported, 1 imported before\n');
  expect((await totals(site)).drinks).toBe(2);
});
