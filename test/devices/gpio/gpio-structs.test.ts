import { expect, test } from 'vitest';
import {
  decodeChipInfo,
  decodeLineInfo,
  encodeLineInfo,
  encodeLineRequest,
  encodeLineValues,
  grantedFd,
} from '../../../src/devices/gpio/gpio-structs.ts';
import { meterFlags, relayFlags } from '../../../src/devices/gpio/line-request.ts';

const input = 4n;
const rising = 16n;
const falling = 32n;
const pullUp = 256n;
const pullDown = 512n;

test('a meter’s flags are input, one edge and one bias, never a debounce', () => {
  expect(meterFlags({ bias: 'pull-up', edge: 'falling' })).toBe(input | falling | pullUp);
  expect(meterFlags({ bias: 'pull-down', edge: 'rising' })).toBe(input | rising | pullDown);
  expect(meterFlags({ bias: 'none', edge: 'falling' })).toBe(input | falling | 1024n);
});

test('a relay’s flags are output with a pull to the off level, and active low for an active-low board', () => {
  expect(relayFlags({ activeLow: false })).toBe(8n | pullDown);
  expect(relayFlags({ activeLow: true })).toBe(8n | 2n | pullUp);
});

test('lines with equal flags need no attributes', () => {
  const flags = input | falling | pullUp;
  const bytes = encodeLineRequest({
    lines: [
      { offset: 17, flags },
      { offset: 27, flags },
    ],
    consumer: 'tapster-812',
    eventBufferSize: 1024,
  });
  expect(bytes.length).toBe(592);
  expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)]).toEqual([17, 27, 0]);
  expect(bytes.toString('latin1', 256, 288)).toBe('tapster-812'.padEnd(32, '\0'));
  expect(bytes.readBigUInt64LE(288)).toBe(0x124n);
  expect(bytes.readUInt32LE(296)).toBe(0);
  expect(bytes.subarray(300, 560).every((byte) => byte === 0)).toBe(true);
  expect([bytes.readUInt32LE(560), bytes.readUInt32LE(564)]).toEqual([2, 1024]);
});

test('other flags become an attribute with a mask, and the most frequent flags are the default', () => {
  const bytes = encodeLineRequest({
    lines: [
      { offset: 5, flags: input | rising | pullDown },
      { offset: 6, flags: input | falling | pullUp },
      { offset: 7, flags: input | falling | pullUp },
      { offset: 8, flags: input },
    ],
    consumer: 'x',
  });
  expect(bytes.readBigUInt64LE(288)).toBe(input | falling | pullUp);
  expect(bytes.readUInt32LE(296)).toBe(2);
  const attribute = (index: number) => ({
    id: bytes.readUInt32LE(320 + 24 * index),
    padding: bytes.readUInt32LE(324 + 24 * index),
    flags: bytes.readBigUInt64LE(328 + 24 * index),
    mask: bytes.readBigUInt64LE(336 + 24 * index),
  });
  expect(attribute(0)).toEqual({ id: 1, padding: 0, flags: input | rising | pullDown, mask: 0b0001n });
  expect(attribute(1)).toEqual({ id: 1, padding: 0, flags: input, mask: 0b1000n });
  expect(attribute(2)).toEqual({ id: 0, padding: 0, flags: 0n, mask: 0n });
});

test('64 lines are encoded, 65 are rejected', () => {
  const lines = Array.from({ length: 64 }, (_, offset) => ({ offset, flags: offset === 63 ? 8n : 4n }));
  const bytes = encodeLineRequest({ lines, consumer: 'x' });
  expect(bytes.readUInt32LE(63 * 4)).toBe(63);
  expect(bytes.readBigUInt64LE(336)).toBe(1n << 63n);
  expect(() => encodeLineRequest({ lines: [...lines, { offset: 64, flags: 4n }], consumer: 'x' })).toThrow(
    RangeError,
  );
  expect(() => encodeLineRequest({ lines: [], consumer: 'x' })).toThrow(RangeError);
});

test('a consumer name that is too long for the kernel is cut and keeps its closing NUL', () => {
  const bytes = encodeLineRequest({ lines: [{ offset: 1, flags: 4n }], consumer: 'a'.repeat(40) });
  expect(bytes.toString('latin1', 256, 288)).toBe(`${'a'.repeat(31)}\0`);
  expect(bytes.readBigUInt64LE(288)).toBe(4n);
});

test('the granted descriptor is read from the end of the request', () => {
  const bytes = Buffer.alloc(592);
  bytes.writeInt32LE(23, 588);
  expect(grantedFd(bytes)).toBe(23);
});

test('a chip’s name, label and line count are decoded', () => {
  const bytes = Buffer.alloc(68);
  bytes.write('gpiochip0', 0, 'latin1');
  bytes.write('pinctrl-rp1', 32, 'latin1');
  bytes.writeUInt32LE(54, 64);
  expect(decodeChipInfo(bytes)).toEqual({ name: 'gpiochip0', label: 'pinctrl-rp1', lines: 54 });
});

test('a line’s owner is decoded', () => {
  const bytes = encodeLineInfo(17);
  expect(bytes.length).toBe(256);
  expect(bytes.readUInt32LE(64)).toBe(17);
  bytes.write('GPIO17', 0, 'latin1');
  bytes.write('gpio-fan', 32, 'latin1');
  bytes.writeBigUInt64LE(1n | 8n, 72);
  expect(decodeLineInfo(bytes)).toEqual({ name: 'GPIO17', consumer: 'gpio-fan', isUsed: true });
  bytes.writeBigUInt64LE(4n, 72);
  expect(decodeLineInfo(bytes).isUsed).toBe(false);
});

test('values are 16 bytes, bits before mask', () => {
  const bytes = encodeLineValues({ bits: 1n, mask: 3n });
  expect([...bytes]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
});
