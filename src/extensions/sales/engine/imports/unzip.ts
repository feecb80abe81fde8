import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

/** Files of an archive that are looked at. */
const maxEntries = 200;

const endSignature = 0x06_05_4b_50;
const entrySignature = 0x02_01_4b_50;
const localSignature = 0x04_03_4b_50;
/** The end of the directory may be followed by a comment of 64 KiB. */
const maxEndBytes = 65_557;

export const isZip = (bytes: Buffer): boolean =>
  bytes.length >= 4 && bytes.readUInt32LE(0) === localSignature;

/**
 * Reads the files of a ZIP archive by their names without folders, in small letters. Others are not unpacked. A file that would be
 * larger than `maxBytes`, is encrypted or broken is left out.
 */
export async function unzip(
  bytes: Buffer,
  names: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  /** Looked at once: an archive may name a broken file many times. */
  const seen = new Set<string>();
  for (const { name, method, start, length, isEncrypted } of listEntries(bytes)) {
    if (!names.includes(name) || seen.has(name)) continue;
    seen.add(name);
    if (isEncrypted) continue;
    const content = bytes.subarray(start, start + length);
    if (method === 0 && length <= maxBytes) files.set(name, content);
    if (method !== 8) continue;
    try {
      files.set(name, await inflate(content, { maxOutputLength: maxBytes }));
    } catch {
      // Broken or too large: it is missing then, which is reported.
    }
  }
  return files;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly start: number;
  readonly length: number;
  readonly isEncrypted: boolean;
}

function* listEntries(bytes: Buffer): Generator<Entry> {
  const end = findEnd(bytes);
  if (end < 0) return;
  let at = bytes.readUInt32LE(end + 16);
  const count = Math.min(bytes.readUInt16LE(end + 10), maxEntries);
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) return;
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const path = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (local + 30 <= bytes.length && bytes.readUInt32LE(local) === localSignature) {
      yield {
        name: path.split(/[\\/]/).at(-1)!.toLowerCase(),
        method: bytes.readUInt16LE(at + 10),
        start: local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28),
        length: bytes.readUInt32LE(at + 20),
        isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      };
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - maxEndBytes);
  for (let at = bytes.length - 22; at >= first; at--) if (bytes.readUInt32LE(at) === endSignature) return at;
  return -1;
}
