import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUpdateSource } from '../../src/updater/settings-source.ts';
import { makeSigningKey } from '../kit/package-server.ts';

const { publicKey } = makeSigningKey();
const updates = { manifest_url: 'https://example.org/tapster/manifest.json', public_key: publicKey };
let folder: string;
let path: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tapster-settings-')), 'tapster');
  mkdirSync(folder, { mode: 0o755 });
  path = join(folder, 'tapster.json');
  writeFileSync(path, JSON.stringify({ meters: [], updates }), { mode: 0o644 });
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

test('address and key are read from a file that only its owner may write', () => {
  expect(readUpdateSource(path)).toEqual({ manifestUrl: updates.manifest_url, publicKey });
});

test.each<[string, () => void]>([
  ['a file that its group may write', () => chmodSync(path, 0o664)],
  ['a file that everybody may write', () => chmodSync(path, 0o646)],
  ['a folder that others may write', () => chmodSync(folder, 0o777)],
])('%s is not trusted', (_, change) => {
  change();
  expect(() => readUpdateSource(path)).toThrow('may be changed by other users than root');
});

test.skipIf(process.getuid?.() !== 0)('a file of the daemon is not trusted', () => {
  chownSync(path, 12_345, 12_345);
  expect(() => readUpdateSource(path)).toThrow('may be changed by other users than root');
});

test('a link is not followed', () => {
  const link = join(folder, 'link.json');
  symlinkSync(path, link);
  expect(() => readUpdateSource(link)).toThrow('ELOOP');
});

test.each<[string, unknown]>([
  ['no address', { updates: { public_key: publicKey } }],
  ['no key', { updates: { manifest_url: updates.manifest_url } }],
  ['a key of another kind', { updates: { ...updates, public_key: 'MIIBIjANBgkq' } }],
  ['an address without TLS', { updates: { ...updates, manifest_url: 'http://example.org/manifest.json' } }],
  ['an address with a query', { updates: { ...updates, manifest_url: 'https://example.org/?bar=7' } }],
  ['an address with a user', { updates: { ...updates, manifest_url: 'https://bar@example.org/' } }],
  ['no settings', null],
])('settings with %s are no source', (_, settings) => {
  writeFileSync(path, JSON.stringify(settings));
  expect(() => readUpdateSource(path)).toThrow('no valid updates.manifest_url');
});
