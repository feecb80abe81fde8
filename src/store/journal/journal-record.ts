import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** What a record of the journal holds. */
export type RecordKind = 'file' | 'checkpoint' | 'ended';

const kindNumbers = { file: 1, checkpoint: 2, ended: 3 } as const satisfies Record<RecordKind, number>;

const magic = Buffer.from('TAPJ', 'latin1');

/** Raised when older programs could no longer read what we write. */
const version = 1;

/** Magic 4, version 2, kind 2, sequence 6, spare 2, length 4, CRC-32 4; little-endian. */
const headerBytes = 24;
const crcAt = 20;

/** No record of ours unpacks to more; anything that does is damage. */
const maxUnpackedBytes = 4 * 1024 * 1024;

/** Card and file system write whole pages, so a record is padded to them: nothing has to be read first. */
export const pageBytes = 4096;

/** A value read back, and its place in the order of writing. */
export interface DecodedRecord {
  readonly sequence: number;
  readonly value: unknown;
}

/** Packs a value into whole pages; null when it does not fit in `capacityBytes`. */
export function encodeRecord(record: {
  readonly kind: RecordKind;
  readonly sequence: number;
  readonly value: unknown;
  readonly capacityBytes: number;
}): Buffer | null {
  // A tick series is digits over and over: packed, several pours share the page that one would fill.
  const payload = deflateRawSync(JSON.stringify(record.value));
  const length = headerBytes + payload.length;
  if (length > record.capacityBytes) return null;
  const bytes = Buffer.alloc(Math.ceil(length / pageBytes) * pageBytes);
  magic.copy(bytes);
  bytes.writeUInt16LE(version, 4);
  bytes.writeUInt16LE(kindNumbers[record.kind], 6);
  bytes.writeUIntLE(record.sequence, 8, 6);
  bytes.writeUInt32LE(payload.length, 16);
  payload.copy(bytes, headerBytes);
  bytes.writeUInt32LE(checksum(bytes, payload.length), crcAt);
  return bytes;
}

/** Reads a record that begins at the first byte; null when it is torn, foreign, of another kind or not there. */
export function decodeRecord(bytes: Buffer, kind: RecordKind): DecodedRecord | null {
  if (bytes.length < headerBytes || !bytes.subarray(0, 4).equals(magic)) return null;
  if (bytes.readUInt16LE(4) !== version || bytes.readUInt16LE(6) !== kindNumbers[kind]) return null;
  const length = bytes.readUInt32LE(16);
  if (length > bytes.length - headerBytes) return null;
  if (bytes.readUInt32LE(crcAt) !== checksum(bytes, length)) return null;
  try {
    const payload = bytes.subarray(headerBytes, headerBytes + length);
    const text = inflateRawSync(payload, { maxOutputLength: maxUnpackedBytes }).toString('utf8');
    return { sequence: bytes.readUIntLE(8, 6), value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Covers everything but itself: a header torn apart from its payload must not pass. */
function checksum(bytes: Buffer, payloadLength: number): number {
  return crc32(bytes.subarray(headerBytes, headerBytes + payloadLength), crc32(bytes.subarray(0, crcAt)));
}
