import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';
import { licences, rule } from '../../tools/licences.mjs';
import { createTestServer } from '../http/test-server.ts';

const built = readFileSync(join(productDirectory, 'dist/web/licences.txt'), 'utf8');
const listed = readFileSync(join(productDirectory, 'THIRD-PARTY.md'), 'utf8').split('## In the page')[1]!;

/** Each package of a licences file: name with version, and licence. */
const packagesIn = (text: string) =>
  text
    .split(`\n${rule}\n`)
    .slice(1)
    .map((part) => ({ name: part.slice(0, part.indexOf('\n')), licence: part.slice(part.indexOf('\n')) }));

test('licences.txt holds the licence of every package bundled into the page', () => {
  const rows = [...listed.matchAll(/^\| (\S+) \| (\d\S*) \|/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect(rows).toContain(`preact ${JSON.parse(readModule('preact/package.json')).version}`);
  expect(packagesIn(built).map(({ name }) => name)).toEqual(rows);
});

test('the licences beside the daemon name the packages bundled into it', () => {
  const names = packagesIn(readFileSync(join(productDirectory, 'dist/licences.txt'), 'utf8')).map(
    ({ name }) => name.replace(/ [^ ]+$/, ''),
  );
  for (const name of ['ajv', 'express', 'pino', 'typebox']) expect(names).toContain(name);
});

test('the page links to its licences, which are served', async () => {
  const { app } = createTestServer({ webDirectory: join(productDirectory, 'dist/web') });
  const page = await request(app).get('/').expect(200);
  expect(page.text).toContain('<link rel="license" href="licences.txt" />');
  const file = await request(app)
    .get('/licences.txt')
    .expect(200)
    .expect('Content-Type', /^text\/plain/);
  expect(file.text).toBe(built);
});

test.each(packagesIn(built))(
  'the licence of $name is complete, with the copyright notice',
  ({ name, licence }) => {
    expect(licence).toMatch(/^\s*Copyright (?:\(c\)|\[yyyy\]) .*\p{L}{3}/mu);
    const [grant, disclaimer] = licence.includes('Apache License')
      ? ['Grant of Copyright License', 'Disclaimer of Warranty']
      : ['Permission is hereby granted', 'THE SOFTWARE IS PROVIDED'];
    expect(licence).toContain(grant);
    expect(licence).toContain(disclaimer);
    const original = readModule(
      `${name.replace(/ [^ ]+$/, '')}/${/^vite /.test(name) ? 'LICENSE.md' : 'LICENSE'}`,
    );
    expect(original.replaceAll('\r\n', '\n')).toContain(licence.trim());
  },
);

const readModule = (path: string) => readFileSync(join(productDirectory, 'node_modules', path), 'utf8');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapster-licences-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Bundles `script` with the given files; returns its licences.txt, or null when there is none. */
async function bundle(files: Readonly<Record<string, string>>, script: string): Promise<string | null> {
  const { build } = await import('vite');
  for (const [path, text] of Object.entries({ ...files, 'src/page.js': script })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [licences({ root, own: [join(root, 'src')] })],
    build: { write: false, rolldownOptions: { input: join(root, 'src/page.js') } },
  });
  if (!('output' in result)) throw new Error('One build makes one bundle.');
  const file = result.output.find(({ fileName }) => fileName === 'licences.txt');
  return file?.type === 'asset' ? String(file.source) : null;
}

const foam = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries({
      'package.json':
        '{ "name": "@malt/foam", "version": "4.2.0", "type": "module", "exports": "./foam.js" }',
      'foam.js': 'export const foam = () => console.log("foam");',
      ...files,
    }).map(([name, text]) => [`node_modules/@malt/foam/${name}`, text]),
  );

test('a package’s licence and notice are included only when its code is used', async () => {
  const files = foam({
    'LICENCE.txt': 'Copyright (c) 1516 Foam\r\nDrink it.',
    NOTICE: 'Foam of Ingolstadt.',
  });
  expect(await bundle(files, 'console.log("still");')).toBe(null);
  const text = await bundle(files, 'import { foam } from "@malt/foam"; foam();');
  expect(packagesIn(text!)).toEqual([
    { name: '@malt/foam 4.2.0', licence: '\n\nCopyright (c) 1516 Foam\nDrink it.\n\nFoam of Ingolstadt.\n' },
  ]);
});

test.each([{}, { LICENSE: ' \n' }, { NOTICE: 'Foam of Ingolstadt.' }])(
  'a package without a licence text is rejected: %j',
  async (files) => {
    await expect(bundle(foam(files), 'import { foam } from "@malt/foam"; foam();')).rejects.toThrow(
      '@malt/foam 4.2.0 is bundled but has no licence text',
    );
  },
);

test('a module of unknown origin is rejected', async () => {
  writeFileSync(join(root, 'found.js'), 'export const found = () => console.log("found");');
  await expect(bundle({}, 'import { found } from "../found.js"; found();')).rejects.toThrow(
    /found\.js", whose licence is unknown/,
  );
});
