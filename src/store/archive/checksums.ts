import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isSha256, memberNames, notABackup, pictureMember } from './manifest.ts';

/** Member name → SHA-256, in the order of the archive. */
export type Checksums = ReadonlyMap<string, string>;

/** Bytes read from a file at once. */
export const pieceBytes = 65_536;

/** Enough for a quarter of a million pictures; a bar adds a few thousand a year. */
export const maxChecksumBytes = 64 * 1024 * 1024;

/** Formats checksums like `sha256sum`, so that an unpacked backup can be checked without this program. */
export function formatChecksums(checksums: Checksums): string {
  return [...checksums].map(([member, sum]) => `${sum}  ${member}\n`).join('');
}

/**
 * Parses the list: the settings if they are in the backup, the database, then pictures, each once. Throws
 * `invalid_request` for anything else.
 */
export function parseChecksums(text: string): Checksums {
  const checksums = new Map<string, string>();
  const lines = text.split('\n');
  if (lines.pop() !== '') throw notABackup();
  for (const line of lines) {
    const [sum, member] = [line.slice(0, 64), line.slice(66)];
    const isKnown = checksums.has(memberNames.database)
      ? pictureMember.test(member)
      : member === memberNames.database || (member === memberNames.settings && checksums.size === 0);
    if (!isSha256(sum) || line.slice(64, 66) !== '  ' || !isKnown || checksums.has(member))
      throw notABackup();
    checksums.set(member, sum);
  }
  if (!checksums.has(memberNames.database)) throw notABackup();
  return checksums;
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 of a file, read into one buffer: a stream would leave a new one as garbage for every 64 KiB. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(pieceBytes);
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
