import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSite, type ImportSite } from './import-site.ts';

const folder = new URL('../../../kit/files/history/', import.meta.url);

let site: ImportSite;
beforeEach(() => {
  site = createSite();
});
afterEach(() => site.remove());

/** Imports one of the files; its name says what it holds. */
async function importFile(name: string, options = '') {
  const kind = name.slice(0, name.indexOf('_'));
  site.write('file.csv', readFileSync(fileURLToPath(new URL(`${name}.csv`, folder))));
  return site.tapster(`import csv --${kind} file.csv --no-backup${options}`);
}

const beers = () =>
  site.open(({ engine }) =>
    engine.lists
      .beverages({ limit: 10 })
      .items.map(({ name }) => name)
      .sort(),
  );
const drinks = () =>
  site.open(({ engine }) => engine.lists.drinks({ limit: 10, isValid: true, order: 'time' }).items);
const kegs = () => site.open(({ engine }) => engine.kegs.list({ limit: 10 }).items);

test.each<[string, readonly string[]]>([
  ['beers_zwsp', ['PaleAle']],
  ['beers_softhyphen', ['Weissbier']],
  ['beers_rlm_arabic', ['بيرة']],
  ['beers_mix_crlf_head', ['M1', 'M2']],
])('%s: characters that are not shown are removed, and every row is read', async (name, expected) => {
  expect(await importFile(name)).toMatchObject({ code: 0 });
  expect(await beers()).toEqual(expected);
});

test('kegs_keg_thousand_de: a point that may separate thousands is refused until somebody says what it is', async () => {
  const refused = await importFile('kegs_keg_thousand_de');
  expect(refused).toMatchObject({ code: 65 });
  expect(refused.err).toMatch(
    /file\.csv line 2, full_volume_ml: “30\.000” may be a decimal number or have thousands; .*--decimal-sign/,
  );
  expect(await kegs()).toEqual([]);
  const thousands = await importFile('kegs_keg_thousand_de', ' --decimal-sign ,');
  expect(thousands).toMatchObject({ code: 0 });
  expect(thousands.out).not.toContain('check its unit');
  expect((await kegs()).map(({ fullVolumeMl }) => fullVolumeMl).sort()).toEqual([30_000, 50_000]);
});

test('a keg of less than a litre is imported with a warning that names the line', async () => {
  const small = await importFile('kegs_keg_thousand_de', ' --decimal-sign .');
  expect(small).toMatchObject({ code: 0 });
  expect(small.out).toMatch(/file\.csv line 2: a keg of 30 mL: check its unit and its decimal sign/);
  expect(small.out).toMatch(/file\.csv line 3: a keg of 50 mL/);
});

test('drinks_mixed_decimal: numbers that contradict each other are refused with both lines', async () => {
  const { code, err } = await importFile('drinks_mixed_decimal');
  expect(code).toBe(65);
  expect(err).toMatch(
    /file\.csv line 3, volume_ml: “1\.234” has another decimal sign than “330,5” in line 2/,
  );
  expect(await drinks()).toEqual([]);
});

test('drinks_tz_0200: an offset without a colon is read', async () => {
  expect(await importFile('drinks_tz_0200')).toMatchObject({ code: 0 });
  expect(await drinks()).toMatchObject([{ pourTimeMs: Date.UTC(2026, 4, 2, 15, 4, 11), timeCertain: true }]);
});

test('drinks_y1970: the time is uncertain and told', async () => {
  const { code, out } = await importFile('drinks_y1970');
  expect(code).toBe(0);
  expect(out).toMatch(/line 2.*a clock that was not set/);
  expect(await drinks()).toMatchObject([{ pourTimeMs: 10_000, timeCertain: false }]);
});

test('times before 2000 begin no keg and no session of other drinks, and a keg with them says so', async () => {
  site.write(
    'kegs.csv',
    'id,beverage,producer,size,created_time,started_time\n1,Hell,Süd,mini,1980-01-01 00:00,2026-05-01 10:00\n',
  );
  site.write(
    'drinks.csv',
    'pour_time,volume_ml,keg_id\n1999-12-31T23:59:00Z,300,1\n2026-05-02T18:00:00Z,300,1\n',
  );
  const { code, out } = await site.tapster('import csv --kegs kegs.csv --drinks drinks.csv --no-backup');
  expect(code).toBe(0);
  expect(out).toMatch(/kegs\.csv line 2.*its times before 2000/);
  const [keg] = await kegs();
  expect(keg!.startedTimeMs).toBe(Date.UTC(2026, 4, 1, 10));
  expect(keg!.createdTimeMs).toBe(Date.UTC(2026, 4, 1, 10));
  const found = await drinks();
  expect(found.map(({ timeCertain }) => timeCertain).sort()).toEqual([false, true]);
  expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(2);
});

test.each([
  ['with a day above 12', '25.04.2026 18:04', Date.UTC(2026, 3, 25, 18, 4)],
  ['with the name of a month', '2. März 2026, 18:04 Uhr', Date.UTC(2026, 2, 2, 18, 4)],
  ['with a half of the day', 'Apr 25, 2026 6:04\u202fPM', Date.UTC(2026, 3, 25, 18, 4)],
  ['with an offset', '2026-04-25T18:04:11+0200', Date.UTC(2026, 3, 25, 16, 4, 11)],
])('a time %s is read', async (_name, text, ms) => {
  site.write('drinks.csv', `pour_time;volume_ml\n${text};330\n`);
  expect(await site.tapster('import csv --drinks drinks.csv --no-backup')).toMatchObject({ code: 0 });
  expect(await drinks()).toMatchObject([{ pourTimeMs: ms }]);
});

test('the order of day and month is asked where no date shows it, and two dates may not contradict each other', async () => {
  const importDates = (dates: readonly string[], options = '') => {
    site.write('drinks.csv', `pour_time,volume_ml\n${dates.map((date) => `${date},330\n`).join('')}`);
    return site.tapster(`import csv --drinks drinks.csv --no-backup${options}`);
  };
  const asked = await importDates(['05/02/26 18:04']);
  expect(asked).toMatchObject({ code: 65 });
  expect(asked.err).toMatch(
    /line 2, pour_time: “05\/02\/26 18:04” may have the day or the month first; .*--date-order/,
  );
  const both = await importDates(['05/22/26 18:04', '22/05/26 18:04']);
  expect(both.err).toMatch(/line 3, pour_time: .* another order of day and month than .* in line 2/);
  expect(await importDates(['05/02/26 18:04'], ' --date-order ymd')).toMatchObject({ code: 65 });
  expect(await importDates(['05/02/26 18:04'], ' --date-order mdy')).toMatchObject({ code: 0 });
  expect(await drinks()).toMatchObject([{ pourTimeMs: Date.UTC(2026, 4, 2, 18, 4) }]);
  expect(await importDates(['05/02/26 18:04'], ' --date-order today')).toMatchObject({ code: 64 });
});

test('titles above the head are skipped and told, but full rows above it are not lost', async () => {
  site.write('drinks.csv', 'Bar report;\n\nMay 2026;\npour_time;volume_ml\n2026-05-02 18:04;330\n');
  const { code, out } = await site.tapster('import csv --drinks drinks.csv --no-backup');
  expect(code).toBe(0);
  expect(out).toMatch(/drinks\.csv: the names of the columns are in line 4/);
  site.write('drinks.csv', '2026-05-02 18:03;330\npour_time;volume_ml\n2026-05-02 18:04;330\n');
  const refused = await site.tapster('import csv --drinks drinks.csv --no-backup');
  expect(refused.err).toMatch(
    /drinks\.csv line 1: stands above the names of the columns, which are in line 2/,
  );
});

test('a file that is not UTF-8 is read as Windows-1252, which is told', async () => {
  site.write('beers.csv', Buffer.from('name;producer\nK\xf6lsch;Fr\xfch\n', 'latin1'));
  const { code, out } = await site.tapster('import csv --beers beers.csv --no-backup');
  expect(code).toBe(0);
  expect(out).toContain('beers.csv is not UTF-8 and was read as Windows-1252.');
  expect(await beers()).toEqual(['Kölsch']);
});

test('every file has a test', () => {
  const text = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  const names = readdirSync(fileURLToPath(folder)).map((name) => name.replace('.csv', ''));
  expect(names.filter((name) => !text.includes(`'${name}`))).toEqual([]);
  expect(names.length).toBeGreaterThan(7);
});
