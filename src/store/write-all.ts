import { writeSync } from 'node:fs';

/** Writes all of `bytes` at the place `at`; a nearly full disk may take only a part at once. */
export function writeAll(fd: number, bytes: Buffer, at: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, at + written);
  }
}
