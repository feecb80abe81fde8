import { closeSync, constants, readSync, writeSync } from 'node:fs';
import koffi from 'koffi';

const libc = koffi.load(null);
const openPt = libc.func('int posix_openpt(int flags)') as (flags: number) => number;
const grantPt = libc.func('int grantpt(int fd)') as (fd: number) => number;
const unlockPt = libc.func('int unlockpt(int fd)') as (fd: number) => number;
const ptsName = libc.func('const char *ptsname(int fd)') as (fd: number) => string | null;

/** A pair of terminals of the kernel: `path` is a serial port to whoever opens it, this is the far end of its cable. */
export interface Pty {
  readonly path: string;
  /** Puts bytes on the wire. */
  write(bytes: Uint8Array): void;
  /** What has come over the wire since the last call. */
  read(): Uint8Array;
  /** Pulls the plug: the port hangs up. */
  unplug(): void;
}

/** Opens a pair; throws where the system gives none. */
export function openPty(): Pty {
  const fd = openPt(constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  if (fd < 0 || grantPt(fd) !== 0 || unlockPt(fd) !== 0) throw new Error('The system gives no terminal.');
  const path = ptsName(fd);
  if (path === null) throw new Error('The terminal has no name.');
  let isOpen = true;
  return {
    path,
    write(bytes) {
      if (isOpen) writeSync(fd, bytes);
    },
    read() {
      const parts: Uint8Array[] = [];
      const buffer = Buffer.alloc(4096);
      try {
        for (let n = 1; isOpen && n > 0; ) {
          n = readSync(fd, buffer);
          parts.push(Uint8Array.from(buffer.subarray(0, n)));
        }
      } catch (fault) {
        // EAGAIN: nothing waits. EIO: nobody has the port open.
        const { code } = fault as NodeJS.ErrnoException;
        if (code !== 'EAGAIN' && code !== 'EIO') throw fault;
      }
      return Buffer.concat(parts);
    },
    unplug() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}
