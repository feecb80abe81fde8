import { readTextFile } from './small-files.ts';

/** Bytes of this process that reached a disk. Null where the kernel does not count them; `/proc` is another folder in tests. */
export function readWrittenBytes(procDirectory = '/proc'): number | null {
  const text = readTextFile(`${procDirectory}/self/io`);
  const digits = /^write_bytes: (\d+)$/m.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}
