import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isSha256, memberNames, noBackup, pictureMember } from './manifest.ts';

/** Member → SHA-256, in the order of the archive. */
export type Checksums = ReadonlyMap<string, string>;

/** Room for a quarter of a million pictures; a bar takes a few thousand a year. */
export const mostChecksumBytes = 64 * 1024 * 1024;

/** In the form of `sha256sum`, so that an unpacked backup can be checked without this program. */
export function printChecksums(sums: Checksums): string {
  return [...sums].map(([member, sum]) => `${sum}  ${member}\n`).join('');
}

/** Reads the list: the ledger first, then pictures, each once. Throws `invalid_request` for anything else. */
export function readChecksums(text: string): Checksums {
  const sums = new Map<string, string>();
  const lines = text.split('\n');
  if (lines.pop() !== '') throw noBackup();
  for (const line of lines) {
    const [sum, member] = [line.slice(0, 64), line.slice(66)];
    const isKnown = sums.size === 0 ? member === memberNames.ledger : pictureMember.test(member);
    if (!isSha256(sum) || line.slice(64, 66) !== '  ' || !isKnown || sums.has(member)) throw noBackup();
    sums.set(member, sum);
  }
  if (sums.size === 0) throw noBackup();
  return sums;
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 of a whole file, read piece by piece. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
