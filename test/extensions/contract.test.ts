import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { schemaWith } from '../../src/config/schema.ts';
import { extensions, settingsGroups } from '../../src/extensions/all.ts';
import { currentApi } from '../../src/http/current/api.ts';
import { createPageAddresses } from '../../src/http/page-addresses.ts';
import type { RouteServices } from '../../src/http/services.ts';
import { allExtensions } from '../kit/extensions.ts';

const folder = fileURLToPath(new URL('../../src/extensions/', import.meta.url));
const english = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../locales/en.json', import.meta.url)), 'utf8'),
) as Record<string, string>;
const base = currentApi({} as RouteServices).routes.map(({ path }) => path);
const isBelow = (path: string, address: string) => path === address || path.startsWith(`${address}/`);

test('each folder is listed for the daemon and for the page, under its own name', () => {
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(extensions.map(({ name }) => name).sort()).toEqual(folders.sort());
  const pages = readFileSync(`${folder}pages.ts`, 'utf8');
  for (const name of folders.filter((one) => existsSync(`${folder}${one}/web/extension.ts`)))
    expect(pages).toContain(`./${name}/web/extension.ts`);
});

test('each group of the settings file belongs to one extension, and none to the base', () => {
  const names = settingsGroups.map(({ name }) => name);
  expect(new Set([...names, ...Object.keys(schemaWith([]).properties)]).size).toBe(
    names.length + Object.keys(schemaWith([]).properties).length,
  );
});

test.each(allExtensions.all.map((extension, i) => [extension.name, extension, i] as const))(
  '%s declares its addresses, its pages and its texts',
  async (name, extension, i) => {
    const { addresses = [], pages = [], healthPart, texts = [] } = extension;
    const { alarms = {}, countingSource, needsConfiguration = false } = extension;
    const routes = allExtensions.http.routes[i]!({} as RouteServices).map(({ path }) => path);
    expect(routes.filter((path) => !addresses.some((address) => isBelow(path, address)))).toEqual([]);
    expect(base.filter((path) => addresses.some((address) => isBelow(path, address)))).toEqual([]);
    const apiPaths = (await extension.loadApis()).flatMap((api) => api.paths);
    expect(apiPaths.filter((path) => !addresses.some((address) => path === `/api${address}`))).toEqual([]);
    expect(pages.filter(createPageAddresses([]))).toEqual([]);
    const web = `${folder}${name}/web/extension.ts`;
    if (existsSync(web)) {
      const source = readFileSync(web, 'utf8');
      for (const named of [...pages, ...Object.keys(alarms)]) expect(source).toContain(`'${named}'`);
    }
    // Pours of a source that is switched while it counts would be cut.
    if (countingSource !== undefined) expect(needsConfiguration).toBe(true);
    if (healthPart !== undefined) expect(english).toHaveProperty([`daemon.problems.${healthPart}`]);
    for (const start of texts)
      expect([start, Object.keys(english).some((key) => key.startsWith(start))]).toEqual([start, true]);
  },
);
