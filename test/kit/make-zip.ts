import { crc32, deflateRawSync } from 'node:zlib';

interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  /** What the archive claims, if that differs from the truth. */
  readonly claimedBytes?: number;
  readonly isEncrypted?: boolean;
}

/** A zip archive, with whatever names and claims; `isPacked` compresses its files. */
export function makeZip(files: readonly ZipFile[], { isPacked = true } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, claimedBytes, isEncrypted = false } of files) {
    const content = Buffer.from(bytes as Uint8Array);
    const packed = isPacked ? deflateRawSync(content) : content;
    const fileName = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    fields.writeUInt16LE(isPacked ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedBytes ?? content.length, 18);
    fields.writeUInt16LE(fileName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, fileName, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, rest, fileName]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}
