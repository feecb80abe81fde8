import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pinDrivers } from '../../src/devices/gpio/drivers/list.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const drivers = 'devices/gpio/drivers';

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('/locales/'))
  .map((path) => ({ path, text: readFileSync(src + path, 'utf8') }));

test('the folders of the drivers are those of the list', () => {
  const folders = readdirSync(`${src}${drivers}`, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(pinDrivers.map(({ name }) => name).sort());
});

test.each(pinDrivers.map(({ name }) => name))('only its folder and the list name the driver %s', (name) => {
  const capitalized = name[0]!.toUpperCase() + name.slice(1);
  const naming = sources
    .filter(({ text }) => text.includes(name) || text.includes(capitalized))
    .map(({ path }) => path);
  expect(naming).toContain(`${drivers}/${name}/driver.ts`);
  const allowed = (path: string) =>
    path === `${drivers}/list.ts` ||
    path.startsWith(`${drivers}/${name}/`) ||
    path === 'web/api/generated.ts';
  expect(naming.filter((path) => !allowed(path))).toEqual([]);
});
