import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseManifest, refuseManifest, toArchitecture } from '../../../src/core/updates/manifest.ts';
import { manifestFields } from '../../kit/package-server.ts';

const parse = (change: Readonly<Record<string, unknown>> = {}) =>
  parseManifest(JSON.stringify(manifestFields(change)));
const source = { url: 'https://example.org/tapster.deb', size: 5, sha256: 'a'.repeat(64) };

test('a manifest is read with all its fields', () => {
  expect(parse()).toEqual({
    serial: 10,
    version: '2.0.0',
    releasedMs: Date.UTC(2026, 10, 20, 10),
    notes: { en: 'Faster taps.', de: 'Schnellere Hähne.' },
    packages: { arm64: source },
  });
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['another format', { format: 2 }],
  ['an unknown field', { command: 'reboot' }],
  ['a serial that is a text', { serial: '10' }],
  ['the serial 0', { serial: 0 }],
  ['a version that is a path', { version: '../2.0.0' }],
  ['a date that does not exist', { released_at: '2026-13-40T10:00:00Z' }],
  ['a time without zone', { released_at: '2026-11-20T10:00:00' }],
  ['no English notes', { notes: { de: 'Neu' } }],
  ['notes with terminal escapes', { notes: { en: '\u001b[2J' } }],
  ['notes with a change of the writing direction', { notes: { en: 'a\u202eb' } }],
  ['long notes', { notes: { en: 'x'.repeat(4_001) } }],
  ['no packages', { packages: {} }],
  ['an unknown processor', { packages: { riscv64: source } }],
  ['a package without TLS', { packages: { arm64: { ...source, url: 'http://example.org/tapster.deb' } } }],
  ['an address with a user', { packages: { arm64: { ...source, url: 'https://a:b@example.org/t.deb' } } }],
  ['an address of a file', { packages: { arm64: { ...source, url: 'file:///etc/shadow' } } }],
  ['an address with a query', { packages: { arm64: { ...source, url: 'https://example.org/t.deb?id=1' } } }],
  ['a package of 1 GB', { packages: { arm64: { ...source, size: 1e9 } } }],
  ['a checksum in capitals', { packages: { arm64: { ...source, sha256: 'A'.repeat(64) } } }],
])('a manifest with %s is none', (_, change) => {
  expect(parse(change)).toBeNull();
});

test('a package on this machine may do without TLS', () => {
  expect(parse({ packages: { amd64: { ...source, url: 'http://127.0.0.1:8000/t.deb' } } })).not.toBeNull();
});

test('no text makes the parser throw, and what it accepts is within its bounds', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .record(
        Object.fromEntries(
          Object.entries(manifestFields()).map(([name, value]) => [
            name,
            fc.oneof({ weight: 6, arbitrary: fc.constant<unknown>(value) }, fc.jsonValue()),
          ]),
        ),
        { requiredKeys: [] },
      )
      .map((fields) => JSON.stringify(fields)),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const manifest = parseManifest(text);
      if (manifest === null) return;
      expect(manifest.serial).toBeGreaterThan(0);
      expect(manifest.version).toMatch(/^\d/);
      expect(Object.keys(manifest.packages)).not.toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

const here = { newestSerial: 10, running: '1.0.0', architecture: 'arm64' } as const;

test.each<
  [
    string,
    Partial<typeof here | { architecture: null | 'amd64'; running: string; newestSerial: number }>,
    string | null,
  ]
>([
  ['it is newer', {}, null],
  ['a newer manifest was seen', { newestSerial: 11 }, 'older_serial'],
  ['its version runs', { running: '2.0.0' }, 'not_newer'],
  ['a newer version runs', { running: '2.0.1' }, 'not_newer'],
  ['there is no package for the processor', { architecture: 'amd64' }, 'no_package'],
  ['the processor has no packages', { architecture: null }, 'no_package'],
])('when %s, a manifest is used or refused accordingly', (_, change, expected) => {
  expect(refuseManifest(parse()!, { ...here, ...change })).toBe(expected);
});

test('processors have the names of Debian', () => {
  expect(['arm64', 'x64', 'arm'].map(toArchitecture)).toEqual(['arm64', 'amd64', null]);
});
