import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRecord, encodeRecord, pageBytes } from '../../../src/store/journal/journal-record.ts';
import { running } from './journal-kit.ts';

const capacityBytes = 16 * pageBytes;
const record = (value: unknown, sequence = 1) =>
  encodeRecord({ kind: 'checkpoint', sequence, value, capacityBytes })!;

test('decodes what was encoded, in whole pages', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 ** 48 - 1 }), (value, sequence) => {
      const bytes = record(value, sequence);
      expect(bytes.length % pageBytes).toBe(0);
      expect(decodeRecord(bytes, 'checkpoint')).toEqual({
        sequence,
        value: JSON.parse(JSON.stringify(value)),
      });
    }),
  );
});

test('rejects a checkpoint torn at any byte', () => {
  const before = record([running('p1', 40)], 7);
  const after = record([running('p1', 95), running('p2', 31)], 9);
  const torn = Buffer.from(before);
  const differ = [...after.keys()].filter((i) => after[i] !== before[i]);
  for (const i of differ) {
    expect(decodeRecord(torn, 'checkpoint')?.sequence).not.toBe(9);
    torn[i] = after[i]!;
  }
  expect(decodeRecord(torn, 'checkpoint')?.sequence).toBe(9);
});

test('detects one wrong bit anywhere in the record', () => {
  const whole = record([running('p1', 40)]);
  const used = whole.findLastIndex((byte) => byte !== 0) + 1;
  for (let bit = 0; bit < used * 8; bit++) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    expect(decodeRecord(bytes, 'checkpoint')).toBeNull();
  }
});

test('rejects noise, an empty page and a record of another kind', () => {
  expect(decodeRecord(Buffer.alloc(pageBytes), 'checkpoint')).toBeNull();
  expect(decodeRecord(Buffer.alloc(3), 'checkpoint')).toBeNull();
  expect(decodeRecord(record([]), 'ended')).toBeNull();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      expect(decodeRecord(Buffer.from(noise), 'checkpoint')).toBeNull();
    }),
  );
});

test('five-minute pours on four taps fit in one page', () => {
  const series = Array.from({ length: 256 }, (_, i) => `${i * 1_200}:${380 + ((i * 37) % 50)}`).join(' ');
  const pours = [0, 1, 2, 3].map((tap) => ({ ...running(`p${tap}`, 100_000, `pi.flow${tap}`), series }));
  expect(record(pours).length).toBe(pageBytes);
});

test('does not encode a part of a value that does not fit', () => {
  const noise = Array.from({ length: 9_000 }, (_, i) => String((i * 7_919) % 10_007)).join(' ');
  expect(encodeRecord({ kind: 'ended', sequence: 1, value: noise, capacityBytes: pageBytes })).toBeNull();
});
