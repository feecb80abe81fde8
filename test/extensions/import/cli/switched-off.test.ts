import { afterEach, beforeEach, expect, test } from 'vitest';
import { at } from '../../../engine/bar.ts';
import { createSite, type ImportSite } from './import-site.ts';

let site: ImportSite;
beforeEach(async () => {
  site = createSite();
  site.write('drinks.csv', 'id,pour_time,volume_ml\n1,1600000000,500\n2,1600000100,300\n');
  site.write('dump.sql', 'CREATE TABLE core_drink (id int);\n');
  const { code } = await site.tapster('import csv --drinks drinks.csv --no-backup');
  expect(code).toBe(0);
});
afterEach(() => site.remove());

const switchOff = () =>
  site.open(({ engine }) =>
    engine.site.features.change({ import: false }, { userId: null, via: 'console' }, at(0)),
  );
const countDrinks = () => site.open(({ engine }) => engine.lists.drinks({ limit: 1 }).total);

const off =
  'The feature import is off. A superuser switches it on at Settings, Features. ' +
  'The settings file can do it, too: "features": { "import": true }.\n';

test.each([
  'import csv --drinks drinks.csv --no-backup',
  'import kegbot http://127.0.0.1:1 --no-backup',
  'import kegbot dump.sql --no-backup',
])('%s says that the import is off and how it is switched on, and writes nothing', async (line) => {
  await switchOff();
  expect(await site.tapster(line)).toEqual({ code: 78, out: '', err: off });
  expect(await countDrinks()).toBe(2);
});

test('what was imported is listed and removed while the import is off', async () => {
  await switchOff();
  expect(await site.tapster('import undo')).toEqual({ code: 0, out: 'csv:files  2 drinks\n', err: '' });
  const { code, out } = await site.tapster('import undo csv:files --no-backup');
  expect({ code, out }).toEqual({ code: 0, out: 'Removed 2 drinks and 0 kegs.\n' });
  expect(await countDrinks()).toBe(0);
});

test('the settings file switches it on, and off whatever was switched on the page', async () => {
  await switchOff();
  site.change({ features: { import: true } });
  expect(await site.tapster('import csv --drinks drinks.csv --no-backup')).toMatchObject({ code: 0 });
  site.change({ features: { import: false } });
  expect(await site.tapster('import csv --drinks drinks.csv --no-backup')).toMatchObject({ code: 78 });
});

test('while it is off its commands are listed, print their help, and refuse wrong calls as ever', async () => {
  await switchOff();
  const { out } = await site.tapster('--help');
  for (const name of ['import csv', 'import kegbot', 'import undo']) {
    expect(out).toContain(`\n  ${name} `);
    const help = await site.tapster(`${name} --help`);
    expect(help).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Usage: tapster import /) });
  }
  expect(await site.tapster('import csv')).toMatchObject({ code: 64 });
  expect(await site.tapster('import csv --drinks nothing.csv')).toMatchObject({ code: 66 });
});
