import { writeSync } from 'node:fs';

/** Writes all of `bytes` at offset `at`; on a nearly full disk one write may store only a part. */
export function writeAll(fd: number, bytes: Buffer, at: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, at + written);
  }
}
