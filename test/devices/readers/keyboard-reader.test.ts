import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCard } from '../../../src/core/access/card-text.ts';
import { eventBytes, readKeys } from '../../../src/devices/readers/key-events.ts';
import { KeyboardReader, loadGrab } from '../../../src/devices/readers/keyboard-reader.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const codes: Readonly<Record<string, number>> = {
  '1': 2,
  '2': 3,
  '3': 4,
  '4': 5,
  '5': 6,
  '6': 7,
  '7': 8,
  '8': 9,
  '9': 10,
  '0': 11,
  a: 30,
  b: 48,
  c: 46,
  d: 32,
  e: 18,
  f: 33,
  x: 45,
  '\n': 28,
  u: 22,
  i: 23,
  ' ': 57,
  ':': 39,
  '-': 12,
  ',': 51,
  q: 16,
};

function event(type: number, code: number, value: number): Buffer {
  const bytes = Buffer.alloc(eventBytes);
  bytes.writeUInt16LE(type, eventBytes - 8);
  bytes.writeUInt16LE(code, eventBytes - 6);
  bytes.writeInt32LE(value, eventBytes - 4);
  return bytes;
}

/** The events of typed keys: scan code, press, report, release, report. */
const typed = (text: string) =>
  Buffer.concat(
    [...text].flatMap((key) => [
      event(4, 4, 0x7001e),
      event(1, codes[key]!, 1),
      event(0, 0, 0),
      event(1, codes[key]!, 0),
      event(0, 0, 0),
    ]),
  );

test('a press counts, its repetition and release do not, and shift is ignored', () => {
  const keys = [
    event(1, 42, 1),
    event(1, 30, 1),
    event(1, 30, 2),
    event(1, 30, 0),
    event(1, 79, 1),
    event(1, 96, 1),
  ];
  expect(readKeys(Buffer.concat(keys))).toEqual([{ text: 'a' }, { text: '1' }, { text: '\n' }]);
  expect(readKeys(Buffer.concat([event(0, 3, 0), event(1, 45, 1)]).subarray(0, -1))).toEqual(['lost']);
});

/** A pipe instead of the kernel's device. */
function openPipe() {
  const path = join(folder, 'event-kbd');
  execFileSync('mkfifo', [path]);
  const reader = new KeyboardReader({ path, grab: () => true, readCard });
  reader.poll(0);
  const input = openSync(path, 'w');
  return { path, reader, input };
}

test('a card is presented once, even when its events arrive in pieces', async () => {
  const { reader, input } = openPipe();
  const card = typed('0009041604\n');
  writeSync(input, card.subarray(0, 131));
  expect(reader.poll(50)).toEqual([]);
  writeSync(input, card.subarray(131));
  expect(reader.poll(100)).toEqual([{ kind: 'presented', value: '0089f6c4', raw: '0009041604' }]);
  expect(reader.poll(150)).toEqual([]);
  expect(reader.problem).toBeNull();
  closeSync(input);
  await reader.close();
});

test('a card with dropped key presses is ignored', async () => {
  const { reader, input } = openPipe();
  writeSync(input, Buffer.concat([typed('0009'), event(0, 3, 0), typed('1604\n')]));
  writeSync(input, typed('00xx1604\n'));
  writeSync(input, typed('beefbeef\n'));
  expect(reader.poll(50)).toEqual([{ kind: 'presented', value: 'beefbeef' }]);
  expect(reader.unreadable).toEqual({ count: 2, text: '00xx1604' });
  closeSync(input);
  await reader.close();
});

test('a card is read in every form that a reader types', async () => {
  const { reader, input } = openPipe();
  const lines = ['uid: 04 a3 2b 1c', '04:a3:2b:1d', '0x04a32b1e', '0004657891,071,04835'];
  const values = lines.flatMap((line, i) => {
    writeSync(input, typed(`${line}\n`));
    return [...reader.poll(1_000 * i), ...reader.poll(1_000 * i + 50), ...reader.poll(1_000 * i + 100)];
  });
  expect(values).toEqual([
    { kind: 'presented', value: '04a32b1c', raw: 'uid: 04 a3 2b 1c' },
    { kind: 'presented', value: '04a32b1d', raw: '04:a3:2b:1d' },
    { kind: 'presented', value: '04a32b1e', raw: '0x04a32b1e' },
    { kind: 'presented', value: '004712e3', raw: '0004657891,071,04835' },
  ]);
  closeSync(input);
  await reader.close();
});

test('a key without an end costs no card after a pause', async () => {
  const { reader, input } = openPipe();
  writeSync(input, typed('q'));
  for (let now = 50; now <= 4_000; now += 50) reader.poll(now);
  writeSync(input, typed('beefbeef\n'));
  expect(reader.poll(4_050)).toEqual([{ kind: 'presented', value: 'beefbeef' }]);
  expect(reader.unreadable).toEqual({ count: 1, text: '?' });
  closeSync(input);
  await reader.close();
});

test('a reader that is not plugged in is a problem, and is found when plugged in', async () => {
  const path = join(folder, 'event-kbd');
  const reader = new KeyboardReader({ path, grab: () => false, readCard });
  expect(reader.poll(0)).toEqual([]);
  expect(reader.problem?.message).toContain('Plug it in');
  writeFileSync(path, typed('beefbeef\n'));
  expect(reader.poll(500)).toEqual([]);
  expect(reader.poll(1_000)).toEqual([{ kind: 'presented', value: 'beefbeef' }]);
  expect(reader.problem?.message).toContain('another program receives its digits');
  await reader.close();
});

test('exclusive access to a plain file is refused', async () => {
  const path = join(folder, 'plain');
  writeFileSync(path, '');
  const fd = openSync(path, 'r');
  expect((await loadGrab())(fd)).toBe(false);
  closeSync(fd);
});
