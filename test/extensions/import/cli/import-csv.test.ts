import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenDatabase } from '../../../../src/cli/with-database.ts';
import { createSite, type ImportSite, readTotals } from './import-site.ts';

let site: ImportSite;
beforeEach(() => {
  site = createSite();
});
afterEach(() => site.remove());

const kegsCsv = `id,beverage,producer,size,full_volume_ml,state,created_time,started_time,finished_time,spilled_volume_ml
7,Haus Helles,Hausbrauerei,euro-half,50000,finished,2024-05-01T10:00:00Z,2024-05-02T10:00:00Z,2024-05-09T22:00:00Z,400
8,Pils,Hausbrauerei,,30000,on_tap,2024-05-03T10:00:00Z,2024-05-04T10:00:00Z,,
`;
const drinksCsv = `id,pour_time,volume_ml,ticks,duration,user_id,keg_id,shout
1,2024-05-02T18:00:00Z,330.5,1650,8,anna,7,"Cheers, ""all"""
2,2024-05-02T19:00:00Z,500,2500,12,,7,
3,2024-05-09T23:30:00Z,250,1250,5,guest,8,
`;

const readAll = () =>
  site.open((database) => ({
    totals: readTotals(database),
    check: database.engine.site.checkDatabase(),
    faults: database.findFileFaults(),
  }));

const newestDrinks = ({ engine }: OpenDatabase) => engine.lists.drinks({ limit: 10, isValid: true }).items;

test('imports kegs and drinks with their times, volumes, users, spills and sessions', async () => {
  await site.tapster('user add Anna --password-stdin', 'hop-garden');
  site.write('kegs.csv', kegsCsv);
  site.write('drinks.csv', drinksCsv);
  const result = await site.tapster('import csv --kegs kegs.csv --drinks drinks.csv --no-backup');
  expect(result).toMatchObject({ code: 0 });
  expect(result.out).toContain('kegs       2 imported');
  expect(result.out).toContain('drinks     3 imported');
  const { totals, check, faults } = await readAll();
  expect({ check, faults }).toEqual({ check: [], faults: [] });
  expect(totals).toMatchObject({ drinks: 3, volumeMl: 1080.5, byUser: { '': 2, Anna: 1 } });
  expect(totals.kegs).toMatchObject([
    { beverage: 'Haus Helles', state: 'finished', full: 50_000, served: 830.5, spilled: 400 },
    { beverage: 'Pils', state: 'available', full: 30_000, served: 250, spilled: 0 },
  ]);
  expect(totals.sessions).toMatchObject([{ volume: 830.5 }, { volume: 250 }]);
  const [third, , first] = await site.open(newestDrinks);
  expect(first).toMatchObject({
    pourTimeMs: Date.UTC(2024, 4, 2, 18),
    ticks: 1650,
    durationMs: 8_000,
    shout: 'Cheers, "all"',
    source: 'import',
    tapId: null,
  });
  expect(third).toMatchObject({ username: null, claimedUsername: null });
});

test('drinks of a tap that were written down are of the keg that was on it; the undo takes them off it', async () => {
  const start = Date.UTC(2024, 4, 2, 16);
  const now = { monoMs: 0, wallMs: start, synced: true, bootId: 'b' };
  const beer = { beverage: { name: 'Helles', producerName: 'Brewery', styleName: '' }, sizeKey: 'euro' };
  const name = await site.open(({ engine }) => {
    const tap = engine.taps.create({ name: 'Left' }, { actor: { userId: null, via: 'console' }, now });
    engine.kegs.start(tap.id, beer, now);
    return tap.name;
  });
  site.write(
    'paper.csv',
    `pour_time,volume_ml,tap\n2024-05-02T18:00:00Z,400,${name.toUpperCase()}\n2024-05-02T15:00:00Z,300,${name}\n`,
  );
  expect(await site.tapster('import csv --drinks paper.csv --no-backup')).toMatchObject({ code: 0 });
  const [first, second] = await site.open(newestDrinks);
  expect([first, second].map((drink) => [drink!.volumeMl, drink!.kegId])).toEqual([
    [400, 1],
    [300, null],
  ]);
  const served = () => site.open(({ engine }) => engine.kegs.get(1)!.servedVolumeMl);
  expect(await served()).toBe(400);
  site.write('wrong.csv', 'pour_time,volume_ml,tap\n2024-05-02T19:00:00Z,400,Nowhere\n');
  const wrong = await site.tapster('import csv --drinks wrong.csv --no-backup');
  expect(wrong).toMatchObject({ code: 65 });
  expect(wrong.err).toMatch(/line 2, tap: must be the name of a tap/);
  expect(await site.tapster('import undo csv:files --no-backup')).toMatchObject({ code: 0 });
  expect(await served()).toBe(0);
  expect((await readAll()).check).toEqual([]);
});

test('writes no events, messages or upstream reports', async () => {
  site.write('drinks.csv', 'pour_time,volume_ml\n2024-05-02T18:00:00Z,330\n');
  await site.tapster('import csv --drinks drinks.csv --no-backup');
  await site.open(({ engine }) => {
    expect(engine.lists.events({ limit: 10 }).items).toEqual([]);
    expect(engine.notifications.outbox.list({ limit: 10 }).items).toEqual([]);
  });
});

test('a drink of 1970 has an uncertain time, is told, and does not make its keg begin then', async () => {
  site.write('kegs.csv', kegsCsv);
  const [head, first, ...rest] = drinksCsv.split('\n');
  const at = head!.split(',').indexOf('pour_time');
  const wrong = first!.split(',').with(at, '1970-01-01T00:00:10Z').join(',');
  site.write('drinks.csv', [head, wrong, ...rest].join('\n'));
  const result = await site.tapster('import csv --kegs kegs.csv --drinks drinks.csv --no-backup');
  expect(result.out + result.err).toContain('a clock that was not set');
  await site.open(({ engine }) => {
    const [drink] = engine.lists.drinks({ limit: 10, isValid: true, order: 'time' }).items.toReversed();
    expect(drink).toMatchObject({ pourTimeMs: 10_000, timeCertain: false });
    expect(engine.kegs.get(drink!.kegId!)!.startedTimeMs).toBeGreaterThan(Date.UTC(2000));
  });
});

test('importing the files again adds nothing, nor does a drink come back that was cancelled here', async () => {
  site.write('kegs.csv', kegsCsv);
  site.write('drinks.csv', drinksCsv);
  await site.tapster('import csv --kegs kegs.csv --drinks drinks.csv --no-backup');
  await site.open(({ engine, now }) => {
    const [newest] = engine.lists.drinks({ limit: 1, isValid: true }).items;
    engine.drinks.cancel(newest!.id, { spilled: false }, now);
  });
  const again = await site.tapster('import csv --kegs kegs.csv --drinks drinks.csv');
  expect(again).toMatchObject({ code: 0, err: 'There is nothing new to import.\n' });
  expect(again.out).toContain('drinks     0 to import, 3 imported before');
  expect((await readAll()).totals.drinks).toBe(2);
});

test('rows without ids are told apart by their values, and equal ones by their number', async () => {
  const row = '2024-05-02T18:00:00Z,330\n';
  site.write('drinks.csv', `pour_time,volume_ml\n${row}${row}`);
  await site.tapster('import csv --drinks drinks.csv --no-backup');
  site.write('drinks.csv', `pour_time,volume_ml\n${row}${row}${row}`);
  const again = await site.tapster('import csv --drinks drinks.csv --no-backup');
  expect(again.out).toContain('drinks     1 imported, 2 imported before');
  expect((await readAll()).totals.drinks).toBe(3);
});

test.each(['standard', 'excel'])(
  'the exports of one site in the dialect “%s” give an empty site the same totals, and the site itself nothing new',
  async (dialect) => {
    const first = createSite();
    try {
      await first.tapster('user add anna --password-stdin', 'hop-garden');
      await first.open(({ engine, now }) => {
        const beverage = { name: '=Pils', producerName: '-Hausbrauerei', styleName: 'Pils' };
        const used = engine.kegs.create(
          { beverage, sizeKey: 'euro-half', description: 'line 1\nline 2' },
          now,
        );
        const { id: tapId } = engine.taps.create(
          { name: 'Left' },
          { actor: { userId: null, via: 'console' }, now },
        );
        engine.kegs.attach(tapId, used.id, now);
        for (let n = 0; n < 40; n++) {
          engine.drinks.pours.report(
            {
              tap: tapId,
              ticks: n,
              volumeMl: 100.25 + n,
              agoMs: n * 2_000_000,
              source: 'manual',
              ...(n % 3 === 0 ? { username: 'anna' } : {}),
              ...(n % 5 === 0 ? { shout: '+1; "more"\nbeer' } : {}),
            },
            now,
          );
        }
        engine.kegs.spill(used.id, 123.5, now);
        engine.kegs.endOnTap(tapId, now);
      });
      for (const kind of ['kegs', 'drinks']) {
        const { out } = await first.tapster(`export ${kind} --dialect ${dialect}`);
        site.write(`${kind}.csv`, out);
        first.write(`${kind}.csv`, out);
      }
      const command = 'import csv --kegs kegs.csv --drinks drinks.csv --create-users --no-backup';
      expect(await site.tapster(command)).toMatchObject({ code: 0 });
      const { totals, check } = await readAll();
      expect(check).toEqual([]);
      expect(totals).toEqual(await first.open(readTotals));
      expect(totals.drinks).toBe(40);
      const shouts = await site.open((database) => newestDrinks(database).map(({ shout }) => shout));
      expect(shouts).toContain('+1; "more"\nbeer');

      const own = await first.tapster(command);
      expect(own.out).toContain('drinks     0 imported, 40 imported before');
      expect((await first.open(readTotals)).drinks).toBe(40);
    } finally {
      first.remove();
    }
  },
);

test.each([
  ['semicolons and decimal commas', 'pour_time;volume_ml\n2024-05-02T18:00:00Z;330,5\n'],
  ['tabs', 'pour_time\tvolume_ml\n2024-05-02T18:00:00Z\t330.5\n'],
  ['a byte order mark and CRLF', '\ufeffpour_time,volume_ml\r\n2024-05-02T18:00:00Z,330.5\r\n'],
  [
    'the line of a spreadsheet that names the separator',
    'sep=;\r\npour_time;volume_ml\r\n1714672800;330,5\r\n',
  ],
  [
    'columns in another order, unread ones and empty lines',
    'session_id,volume_ml,time\n\n7,330.5,1714672800\n,,\n',
  ],
  ['a volume in litres', 'pour_time,volume_l\n1714672800,0.3305\n'],
  ['a volume in centilitres', 'Pour Time,Volume-CL\n1714672800,33.05\n'],
  ['times without zone in the zone of the site', 'pour_time,volume_ml\n2024-05-02 18:00:00,330.5\n'],
])('reads a file with %s', async (_name, text) => {
  site.write('drinks.csv', text);
  expect(await site.tapster('import csv --drinks drinks.csv --no-backup')).toMatchObject({ code: 0 });
  const [drink] = await site.open(newestDrinks);
  expect(drink!.volumeMl).toBeCloseTo(330.5, 6);
  expect(drink!.pourTimeMs).toBe(1_714_672_800_000);
});

test.each([
  [
    'a misspelt column',
    'pour_time,volume_ml,usr_id\n',
    /line 1: There is no column “usr_id”.*Did you mean user_id/,
  ],
  ['a missing column', 'pour_time\n', /line 1: The column volume_ml is missing/],
  ['a column twice', 'pour_time,volume_ml,volume_l\n', /The column volume_ml is there twice/],
  [
    'a text for a number',
    'pour_time,volume_ml\n1714672800,a pint\n',
    /line 2, volume_ml: must be a number.*“a pint”/,
  ],
  [
    'a thousands comma',
    'pour_time,volume_ml\n1714672800,"1,234"\n',
    /line 2, volume_ml: “1,234” may be a decimal number or have thousands; .*--decimal-sign/,
  ],
  [
    'a negative volume',
    'pour_time,volume_ml\n1714672800,-5\n',
    /line 2, volume_ml: must be a number from 0 to/,
  ],
  [
    'an impossible date',
    'pour_time,volume_ml\n2024-02-30T10:00:00Z,5\n',
    /line 2, pour_time: must be a time/,
  ],
  [
    'a time in the future',
    'pour_time,volume_ml\n4070908800,5\n',
    /line 2, pour_time: must not be in the future/,
  ],
  ['an empty volume', 'pour_time,volume_ml\n1714672800,\n', /line 2, volume_ml: must not be empty/],
  [
    'an unknown keg',
    'pour_time,volume_ml,keg_id\n1714672800,5,9\n',
    /line 2, keg_id: must be the id of a keg/,
  ],
  [
    'an id twice',
    'id,pour_time,volume_ml\na,1714672800,5\na,1714672900,5\n',
    /line 3, id: is that of line 2 too/,
  ],
  ['a wrong quote', 'pour_time,volume_ml\n1,"2"3\n', /line 2: has a wrong quotation mark/],
  [
    'cells without a column',
    'pour_time,volume_ml\n1714672800,5,6\n',
    /line 2: has 3 cells, but the header has 2/,
  ],
])('refuses %s, naming line and column, and writes nothing', async (_name, text, sentence) => {
  site.write('drinks.csv', `${text}`);
  const { code, err } = await site.tapster('import csv --drinks drinks.csv');
  expect(code).toBe(65);
  expect(err).toMatch(sentence);
  expect(err).toMatch(/Nothing was imported: /);
  expect((await readAll()).totals.drinks).toBe(0);
});

test.each<[string, string | Uint8Array, RegExp]>([
  ['UTF-16', Buffer.from('\ufeffpour_time,volume_ml\n', 'utf16le'), /is in UTF-16/],
  ['an open quote', 'pour_time,volume_ml\n1,"2\n', /has a quotation mark in line 2 that is not closed/],
  [
    'a workbook',
    Buffer.from('PK\u0003\u0004 xl/workbook.xml'),
    /is a workbook such as \.xlsx.*as “CSV UTF-8”/,
  ],
  ['an endless row', `pour_time,volume_ml\n"${'x'.repeat(100_000)}`, /row of more than 65536 characters/],
  ['nothing', '', /is empty/],
])('refuses a file with %s', async (_name, content, sentence) => {
  site.write('drinks.csv', content);
  const { code, err } = await site.tapster('import csv --drinks drinks.csv');
  expect(code).toBe(65);
  expect(err).toMatch(sentence);
});

test('--skip-bad-rows imports the good ones, --dry-run writes nothing and prints the same', async () => {
  site.write('drinks.csv', 'pour_time,volume_ml\n1714672800,x\n1714672900,5\n');
  await site.open(() => {});
  const dry = await site.tapster('import csv --drinks drinks.csv --skip-bad-rows --dry-run');
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.out).toBe('drinks     1 to import\nvolume     0.0 L of new drinks\n');
  expect((await readAll()).totals.drinks).toBe(0);
  const done = await site.tapster('import csv --drinks drinks.csv --skip-bad-rows --no-backup');
  expect(done).toMatchObject({ code: 0, out: 'drinks     1 imported\nvolume     0.0 L of new drinks\n' });
  expect(done.err).toMatch(/line 2, volume_ml/);
  expect((await readAll()).totals.drinks).toBe(1);
});

test('a second site needs a name of its own for its files', async () => {
  site.write('kegs.csv', kegsCsv);
  site.write('other.csv', kegsCsv.replace('Haus Helles', 'Stout'));
  await site.tapster('import csv --kegs kegs.csv --no-backup');
  const refused = await site.tapster('import csv --kegs other.csv --no-backup');
  expect(refused).toMatchObject({ code: 65 });
  expect(refused.err).toMatch(/other\.csv line 2, id: belongs to another keg.*--source/);
  expect(await site.tapster('import csv --kegs other.csv --source second --no-backup')).toMatchObject({
    code: 0,
  });
  expect((await readAll()).totals.kegs).toHaveLength(4);
});

test('beers match existing ones by name and producer without case, and give kegs their beverage', async () => {
  await site.open(({ engine }) => {
    const maker = engine.kegs.catalogue.addProducer({ name: 'Hausbrauerei' });
    engine.kegs.catalogue.addBeverage({ name: 'Haus Helles', producerId: maker.id });
  });
  site.write(
    'beers.csv',
    'id,name,brewery,style,abv,vintage_year\nb1,HAUS  HELLES,hausbrauerei,Helles,4.9,\nb2,Bock,Hausbrauerei,Bock,"7.2 %",2023\n',
  );
  site.write('kegs.csv', 'id,beverage_id,size\nk1,b2,mini\n');
  const { code, out } = await site.tapster('import csv --beers beers.csv --kegs kegs.csv --no-backup');
  expect({ code, out }).toEqual({
    code: 0,
    out: 'beverages  1 imported, 1 the same as here\nkegs       1 imported\n',
  });
  const beers = await site.open(({ engine }) => engine.lists.beverages({ limit: 10 }).items);
  expect(beers).toMatchObject([
    { name: 'Bock', abvPercent: 7.2, vintageYear: '2023-01-01', producer: { name: 'Hausbrauerei' } },
    { name: 'Haus Helles' },
  ]);
});

test('makes a verified backup before the first write, and logs who imported what', async () => {
  site.write('drinks.csv', 'pour_time,volume_ml,user\n1714672800,5,Nobody-Known\n');
  await site.open(() => {});
  const { err } = await site.tapster('import csv --drinks drinks.csv');
  expect(err).toMatch(/Backup: .*backups\/tapster-.*-manual\.tar\.gz\.\n/);
  expect(readdirSync(site.path('data/backups'))).toHaveLength(1);
  expect(existsSync(site.path('data/import-csv.staging'))).toBe(false);
  await site.open(({ engine }) => {
    const entries = engine.audit.list({ limit: 10 }).items;
    expect(entries.map(({ action }) => action)).toEqual(['import.finished', 'import.started']);
    expect(entries[0]).toMatchObject({ via: 'console' });
    expect(entries[0]!.after).toContain('"new":1');
    expect(newestDrinks({ engine } as OpenDatabase)[0]).toMatchObject({ claimedUsername: 'Nobody-Known' });
  });
});

test.each([
  ['no file', 'import csv', 64, /--beers, --kegs or --drinks is missing/],
  ['a missing file', 'import csv --kegs nowhere.csv', 66, /nowhere\.csv cannot be opened/],
  ['a bad name', 'import csv --kegs k.csv --source a/b', 64, /--source must have/],
  ['an endless device', 'import csv --drinks /dev/zero', 65, /^zero is a folder or a device, not a file\.$/m],
  ['a folder', 'import csv --drinks .', 65, /is a folder or a device, not a file/],
  ['a pipe that nobody writes', 'import csv --drinks pipe', 65, /pipe is a folder or a device/],
  ['an empty file', 'import csv --drinks empty.csv', 65, /empty\.csv is empty/],
  ['zero bytes', 'import csv --drinks zeros.csv', 65, /zeros\.csv is no text/],
  ['a backup that is a device', 'import kegbot /dev/zero', 65, /zero is a folder or a device/],
  ['a backup that is a pipe', 'import kegbot ./pipe', 65, /pipe is a folder or a device/],
  ['a restore of a folder', 'restore .', 65, /is a folder or a device, not a file/],
  ['a restore of a device', 'restore /dev/zero', 65, /zero is a folder or a device/],
  ['a restore of a pipe', 'restore pipe', 65, /pipe is a folder or a device/],
  ['a restore of an empty file', 'restore empty.csv', 65, /empty\.csv is empty/],
])('refuses a call with %s', async (_name, line, code, sentence) => {
  execFileSync('mkfifo', [site.path('pipe')]);
  site.write('empty.csv', '');
  site.write('zeros.csv', Buffer.alloc(5_000));
  const result = await site.tapster(line);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(sentence);
});

test('import undo lists the sources, and removes the drinks, spills and kegs of one', async () => {
  expect(await site.tapster('import undo')).toEqual({ code: 0, out: '', err: 'Nothing was imported.\n' });
  site.write('kegs.csv', kegsCsv);
  site.write('drinks.csv', drinksCsv);
  const done = await site.tapster(
    'import csv --kegs kegs.csv --drinks drinks.csv --create-users --no-backup',
  );
  expect(done.err).toContain('To undo it: tapster import undo csv:files');
  await site.open(({ engine, now }) => {
    const { id } = engine.taps.create({ name: 'Left' }, { actor: { userId: null, via: 'console' }, now });
    const pils = engine.kegs.list({ limit: 10 }).items.find(({ state }) => state === 'available')!;
    engine.kegs.attach(id, pils.id, now);
    engine.drinks.pours.report({ tap: id, ticks: 1, volumeMl: 300, source: 'manual' }, now);
  });
  expect((await site.tapster('import undo')).out).toBe('csv:files  3 drinks\n');
  expect(await site.tapster('import undo elsewhere')).toMatchObject({ code: 67 });
  const undone = await site.tapster('import undo csv:files --no-backup');
  expect(undone).toEqual({
    code: 0,
    out: 'Removed 3 drinks and 1 kegs.\n',
    err: '1 kegs stay, because they are on a tap or were poured from here.\n',
  });
  const { totals, check } = await readAll();
  expect(check).toEqual([]);
  expect(totals).toMatchObject({ drinks: 1, kegs: [{ beverage: 'Pils', served: 300, spilled: 0 }] });
  expect(totals.sessions).toHaveLength(1);
});

test('a pour that is known here by its pour id is not added', async () => {
  await site.open(({ engine, now }) => {
    const { id } = engine.taps.create({ name: 'Left' }, { actor: { userId: null, via: 'console' }, now });
    engine.drinks.pours.report({ tap: id, ticks: 1, volumeMl: 300, pourId: 'pour-1', source: 'post' }, now);
  });
  const time = new Date().toISOString();
  site.write('drinks.csv', `pour_id,pour_time,volume_ml\npour-1,${time},300\npour-2,1714672800,250\n`);
  const { out } = await site.tapster('import csv --drinks drinks.csv --no-backup');
  expect(out).toContain('drinks     1 imported, 1 imported before');
  expect((await readAll()).totals.drinks).toBe(2);
});
