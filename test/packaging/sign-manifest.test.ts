import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseUpdateSource } from '../../src/core/updates/update-source.ts';
import { productDirectory } from '../../src/system/product.ts';
import { readSignedManifest } from '../../src/system/signed-manifest.ts';

const url = 'https://packages.example.org/tapster/pool';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-sign-'));
  for (const name of ['packages', 'notes']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'packages', 'tapster_0.2.0~rc.1_arm64.deb'), 'arm64');
  writeFileSync(join(folder, 'packages', 'tapster_0.2.0~rc.1_amd64.deb'), 'amd64');
  writeFileSync(join(folder, 'notes', 'en.txt'), 'Faster taps.\nQuieter fans.\n');
  writeFileSync(join(folder, 'notes', 'de.txt'), 'Schnellere Hähne.\n');
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', join(folder, 'key.pem')]);
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...more: string[]) =>
  spawnSync(
    process.execPath,
    [
      ...[
        join(productDirectory, 'packaging/sign-manifest.mjs'),
        '--key',
        join(folder, 'key.pem'),
        '--url',
        url,
      ],
      ...['--notes', join(folder, 'notes'), '--packages', join(folder, 'packages'), '--out', folder, ...more],
    ],
    { encoding: 'utf8' },
  );

test('the manifest of the built packages is accepted with the key that the command prints', () => {
  const { stdout, status } = run('--serial', '7', '--released', '2026-11-24T12:00:00Z');
  expect(status).toBe(0);
  const publicKey = /^updates\.public_key: (\S+)$/m.exec(stdout)?.[1];
  const source = parseUpdateSource({ manifest_url: `${url}/manifest.json`, public_key: publicKey });
  const [bytes, signature] = ['manifest.json', 'manifest.json.sig'].map((name) =>
    readFileSync(join(folder, name)),
  );
  expect(readSignedManifest(bytes!, signature!.toString(), source!.publicKey)).toMatchObject({
    refusal: null,
    manifest: {
      serial: 7,
      version: '0.2.0-rc.1',
      releasedMs: Date.UTC(2026, 10, 24, 12),
      notes: { en: 'Faster taps.\nQuieter fans.', de: 'Schnellere Hähne.' },
      packages: { arm64: { url: `${url}/tapster_0.2.0~rc.1_arm64.deb`, size: 5 }, amd64: { size: 5 } },
    },
  });
});

test('each manifest has a higher serial than those before unless told', () => {
  run();
  const { serial } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { serial: number };
  expect(Math.abs(serial - Date.now() / 1_000)).toBeLessThan(60);
});

test.each<[string, () => void, RegExp]>([
  ['no notes in English', () => rmSync(join(folder, 'notes', 'en.txt')), /no en\.txt/],
  [
    'packages of several versions',
    () => writeFileSync(join(folder, 'packages', 'tapster_0.3.0_arm64.deb'), ''),
    /several versions/,
  ],
  [
    'a key of another kind',
    () =>
      void execFileSync('openssl', [
        ...['genpkey', '-algorithm', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
        ...['-out', join(folder, 'key.pem')],
      ]),
    /no Ed25519 key/,
  ],
])('with %s nothing is signed', (_, change, message) => {
  change();
  const { status, stderr } = run();
  expect(status).toBe(64);
  expect(stderr).toMatch(message);
});
