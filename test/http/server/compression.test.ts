import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  acceptedCoding,
  compress,
  compressShared,
  isCompressible,
} from '../../../src/http/server/compression.ts';
import { overloadLimits } from '../../../src/http/server/overload-limits.ts';

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=0', null],
  ['gzip;q=0.5, identity', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['zstd, deflate', null],
  ['gzip;q=x', null],
  [`gzip${', x'.repeat(200)}`, null],
])('for Accept-Encoding %j the coding is %j', (header, coding) => {
  expect(acceptedCoding({ headers: header === undefined ? {} : { 'accept-encoding': header } })).toBe(coding);
});

const text = Buffer.from('{"tap":"Left"}'.repeat(1_000));

test('compresses a body so that it is the same afterwards', async () => {
  expect(gunzipSync((await compress(text, 'gzip'))!)).toEqual(text);
  expect(brotliDecompressSync((await compress(text, 'br'))!)).toEqual(text);
});

test('leaves a body uncompressed while others are compressed, and one that is too large', async () => {
  const { total, maxBytes } = overloadLimits.compressions;
  const results = await Promise.all(Array.from({ length: total + 3 }, () => compress(text, 'gzip')));
  expect(results.map((one) => one !== null)).toEqual([...Array(total).fill(true), false, false, false]);
  expect(await compress(Buffer.alloc(maxBytes + 1), 'gzip')).toBeNull();
  expect(await compress(text, 'gzip')).not.toBeNull();
});

test('compresses a shared body once for each coding', async () => {
  const [one, other] = await Promise.all([compressShared(text, 'gzip'), compressShared(text, 'gzip')]);
  expect(one).not.toBeNull();
  expect(other).toBe(one);
  expect(await compressShared(text, 'br')).not.toEqual(one);
  expect(await compressShared(Buffer.from(text), 'gzip')).not.toBe(one);
});

test('a shared body that was left uncompressed is compressed later', async () => {
  const body = Buffer.from(text);
  const others = [compress(text, 'br'), compress(text, 'br')];
  expect(await compressShared(body, 'br')).toBeNull();
  await Promise.all(others);
  expect(await compressShared(body, 'br')).not.toBeNull();
});

test('pictures, archives and event streams are not compressible', () => {
  const types = ['text/css', 'application/json; charset=utf-8', 'image/svg+xml', 'text/html'];
  expect(types.every(isCompressible)).toBe(true);
  expect(['image/png', 'image/jpeg', 'application/gzip', 'font/woff2'].some(isCompressible)).toBe(false);
});
