import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** Kinds of journal records. */
type RecordKind = 'file' | 'checkpoint' | 'ended';

const kindNumbers = { file: 1, checkpoint: 2, ended: 3 } as const satisfies Record<RecordKind, number>;

const magic = Buffer.from('TAPJ', 'latin1');

/** Incremented when older programs cannot read the new format. */
const version = 1;

/** Magic 4, version 2, kind 2, sequence 6, unused 2, length 4, CRC-32 4 bytes; little-endian. */
const headerBytes = 24;
const crcAt = 20;

/** Upper bound of an unpacked record; more means damage. */
const maxUnpackedBytes = 4 * 1024 * 1024;

/** Records are padded to whole pages, which card and file system write without reading first. */
export const pageBytes = 4096;

/** A decoded value and its sequence number. */
export interface DecodedRecord {
  readonly sequence: number;
  readonly value: unknown;
}

/** Encodes a value into whole pages; null if it does not fit in `capacityBytes`. */
export function encodeRecord(record: {
  readonly kind: RecordKind;
  readonly sequence: number;
  readonly value: unknown;
  readonly capacityBytes: number;
}): Buffer | null {
  // A tick series is mostly digits: compressed, several pours fit in the page that one would fill.
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

/** Decodes a record at the first byte; null if it is missing, torn, foreign or of another kind. */
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

/** Covers everything except itself, so that a header without its payload is detected. */
function checksum(bytes: Buffer, payloadLength: number): number {
  return crc32(bytes.subarray(headerBytes, headerBytes + payloadLength), crc32(bytes.subarray(0, crcAt)));
}
