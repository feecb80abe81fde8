import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  readRelayFile,
  relayFilePath,
  type StoredRelay,
  writeRelayFile,
} from '../../../src/devices/relays-off/relay-file.ts';
import { createMachineIdentity } from '../../../src/system/machine-identity.ts';

const machine = createMachineIdentity('1'.repeat(32));
const otherMachine = createMachineIdentity('2'.repeat(32));
const unknownMachine = createMachineIdentity(null);

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relays-'));
  path = join(folder, 'relays.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const relays: readonly StoredRelay[] = [
  { name: 'pi.relay0', chip: null, pin: 24, activeLow: false },
  { name: 'pi.relay1', chip: '/dev/gpiochip0', pin: 25, activeLow: true },
];

test('written relays are read back, from a file that only its owner may read', () => {
  writeRelayFile(path, relays, machine);
  expect(readRelayFile(path, machine)).toEqual({ relays, problems: [] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['relays.json']);
});

test('an unchanged list is not written again', () => {
  writeRelayFile(path, relays, machine);
  const { mtimeNs, ino } = statSync(path, { bigint: true });
  writeRelayFile(path, relays, machine);
  expect(statSync(path, { bigint: true })).toMatchObject({ mtimeNs, ino });
});

test('a list that was copied from another machine lists no relay, until that machine writes its own', () => {
  writeRelayFile(path, relays, otherMachine);
  expect(readRelayFile(path, machine)).toEqual({
    relays: [],
    problems: [expect.stringMatching(/is of another machine; no pin is driven/)],
  });
  writeRelayFile(path, relays, machine);
  expect(readRelayFile(path, machine)).toEqual({ relays, problems: [] });
  expect(readRelayFile(path, otherMachine).relays).toEqual([]);
});

test('a list without a mark is of another machine, and an empty one is no problem', () => {
  writeRelayFile(path, relays, unknownMachine);
  expect(readRelayFile(path, machine).relays).toEqual([]);
  writeRelayFile(path, [], unknownMachine);
  expect(readRelayFile(path, machine)).toEqual({ relays: [], problems: [] });
});

test('a machine without an id uses every list, because it cannot tell them apart', () => {
  writeRelayFile(path, relays, otherMachine);
  expect(readRelayFile(path, unknownMachine)).toEqual({ relays, problems: [] });
  const { mtimeNs } = statSync(path, { bigint: true });
  writeRelayFile(path, relays, unknownMachine);
  expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs);
});

test('a list that cannot be written leaves the former one as it is', () => {
  writeRelayFile(path, relays, machine);
  mkdirSync(`${path}.new`);
  expect(() => writeRelayFile(path, [], machine)).toThrow();
  expect(readRelayFile(path, machine).relays).toEqual(relays);
});

test('a missing file lists no relay and is no problem', () => {
  expect(readRelayFile(path, machine)).toEqual({ relays: [], problems: [] });
});

test.each([
  ['cut off', '{"version":1,"relays":[{"name":"pi.re'],
  ['empty', ''],
  ['of zeros', '\0'.repeat(200)],
  ['of another form', '[24, 25]'],
  ['far too large', `{"relays":[${'1,'.repeat(65_536)}1]}`],
])('a file that is %s is a problem and not an error', (_, text) => {
  writeFileSync(path, text);
  expect(readRelayFile(path, machine)).toEqual({
    relays: [],
    problems: [expect.stringContaining('is damaged')],
  });
});

test.each([{ pin: -1 }, { pin: 1.5 }, { pin: '24' }, { off_level: 'middle' }, { name: null }, { chip: 0 }])(
  'a damaged entry (%o) hides no other relay',
  (damage) => {
    writeRelayFile(path, relays, machine);
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    stored.relays[0] = { ...stored.relays[0], ...damage };
    writeFileSync(path, JSON.stringify(stored));
    expect(readRelayFile(path, machine)).toEqual({
      relays: [relays[1]],
      problems: [expect.stringMatching(/^Entry 1 .* is damaged\.$/)],
    });
  },
);

test('the file is in systemd’s state directory, and beside the database without systemd', () => {
  expect(relayFilePath('/var/lib/tapster:/var/lib/other', '/mnt/bar/bar.db')).toBe(
    '/var/lib/tapster/relays.json',
  );
  expect(relayFilePath(undefined, '/mnt/bar/bar.db')).toBe('/mnt/bar/relays.json');
  expect(relayFilePath('', '/mnt/bar/bar.db')).toBe('/mnt/bar/relays.json');
});
