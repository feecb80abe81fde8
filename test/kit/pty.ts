import { closeSync, constants, readSync, writeSync } from 'node:fs';
import koffi from 'koffi';

const libc = koffi.load(null);
const openPt = libc.func('int posix_openpt(int flags)') as (flags: number) => number;
const grantPt = libc.func('int grantpt(int fd)') as (fd: number) => number;
const unlockPt = libc.func('int unlockpt(int fd)') as (fd: number) => number;
const ptsName = libc.func('const char *ptsname(int fd)') as (fd: number) => string | null;

/** A pseudo-terminal pair: `path` acts as a serial port, this object is the device at the other end. */
export interface Pty {
  readonly path: string;
  /** Sends bytes to the port. */
  write(bytes: Uint8Array): void;
  /** Returns the bytes received since the last call. */
  read(): Uint8Array;
  /** Closes the device's end: the port hangs up. */
  unplug(): void;
}

/** Opens a pair; throws when the system has none. */
export function openPty(): Pty {
  const fd = openPt(constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  if (fd < 0 || grantPt(fd) !== 0 || unlockPt(fd) !== 0)
    throw new Error('The system gives no pseudo-terminal.');
  const path = ptsName(fd);
  if (path === null) throw new Error('The pseudo-terminal has no name.');
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
        // EAGAIN: no data. EIO: the port is not open.
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
