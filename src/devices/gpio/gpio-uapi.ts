import { closeSync, openSync, readSync } from 'node:fs';
import { constants } from 'node:os';
import {
  type ChipInfo,
  chipInfoBytes,
  chipInfoRequest,
  decodeChipInfo,
  decodeLineInfo,
  encodeLineInfo,
  encodeLineRequest,
  encodeLineValues,
  getValuesRequest,
  grantedFd,
  type LineInfo,
  type LineRequest,
  lineInfoRequest,
  lineRequest,
  setValuesRequest,
} from './gpio-structs.ts';

const pollIn = 0x1; // POLLIN, poll.h
const pollFailed = 0x8 | 0x10 | 0x20; // POLLERR | POLLHUP | POLLNVAL
const pollEntryBytes = 8; // struct pollfd
const eventfdFlags = 0o2004000; // EFD_CLOEXEC | EFD_NONBLOCK, sys/eventfd.h

const notSupported = 524; // ENOTSUPP, internal to the kernel, but returned by some GPIO drivers

/** A failed system call, with the error name (`EBUSY`) as `code`. */
export class KernelError extends Error {
  readonly code: string;

  constructor(call: string, code: string) {
    super(`${call}: ${code}`);
    this.name = 'KernelError';
    this.code = code;
  }
}

/** Result of `poll` for one descriptor. */
export type Ready = 'nothing' | 'readable' | 'failed';

/** The system calls used on a GPIO chip. Each throws a `KernelError`, or Node's own error with a `code`. */
export interface GpioKernel {
  chipInfo(path: string): ChipInfo;
  lineInfo(path: string, offset: number): LineInfo;
  /** Requests the lines; the descriptor delivers events and values until it is closed. */
  requestLines(path: string, request: LineRequest): number;
  /** Levels of the first `count` lines of a request, bit n for the n-th. */
  levels(fd: number, count: number): bigint;
  /** Sets the only line of an output request; true is on, at either level. */
  switchOutput(fd: number, on: boolean): void;
  /** Waits until a descriptor is readable, at most `limitMs`; negative descriptors are ignored. */
  poll(fds: readonly number[], limitMs: number): readonly Ready[];
  /** Reads queued events and returns the number of bytes. Blocks when none are queued, so poll first. */
  read(fd: number, into: Buffer): number;
  /** Creates an eventfd; writing to it wakes a `poll`. */
  createWakeup(): number;
  close(fd: number): void;
}

/** Loads the C library through koffi; rejects when koffi has no build for this processor. */
export async function loadGpioKernel(): Promise<GpioKernel> {
  const { default: koffi } = await import('koffi');
  const libc = koffi.load(null);
  const ioctl: (fd: number, request: number, argument: Buffer) => number = libc.func(
    'int ioctl(int fd, unsigned long request, _Inout_ uint8_t *argument)',
  );
  const poll: (entries: Buffer, count: number, limitMs: number) => number = libc.func(
    'int poll(_Inout_ uint8_t *entries, unsigned long count, int limit)',
  );
  const eventfd: (start: number, flags: number) => number = libc.func(
    'int eventfd(unsigned int start, int flags)',
  );

  /** errno belongs to the thread's last call: read it before any other call. */
  const failure = (call: string): KernelError => {
    const errno = koffi.errno();
    return new KernelError(call, errnoName(errno));
  };
  const callIoctl = (fd: number, request: number, argument: Buffer, call: string): void => {
    if (ioctl(fd, request, argument) < 0) throw failure(call);
  };
  const callChip = (path: string, request: number, argument: Buffer, call: string): Buffer => {
    const fd = openSync(path, 'r+');
    try {
      callIoctl(fd, request, argument, call);
      return argument;
    } finally {
      closeSync(fd);
    }
  };

  let entries = Buffer.alloc(0);
  return {
    chipInfo: (path) =>
      decodeChipInfo(callChip(path, chipInfoRequest, Buffer.alloc(chipInfoBytes), 'GPIO_GET_CHIPINFO')),
    lineInfo: (path, offset) =>
      decodeLineInfo(callChip(path, lineInfoRequest, encodeLineInfo(offset), 'GPIO_V2_GET_LINEINFO')),
    requestLines: (path, request) =>
      grantedFd(callChip(path, lineRequest, encodeLineRequest(request), 'GPIO_V2_GET_LINE')),
    levels(fd, count) {
      const values = encodeLineValues({ bits: 0n, mask: (1n << BigInt(count)) - 1n });
      callIoctl(fd, getValuesRequest, values, 'GPIO_V2_LINE_GET_VALUES');
      return values.readBigUInt64LE(0);
    },
    switchOutput(fd, on) {
      callIoctl(
        fd,
        setValuesRequest,
        encodeLineValues({ bits: on ? 1n : 0n, mask: 1n }),
        'GPIO_V2_LINE_SET_VALUES',
      );
    },
    poll(fds, limitMs) {
      if (entries.length !== fds.length * pollEntryBytes) entries = Buffer.alloc(fds.length * pollEntryBytes);
      fds.forEach((fd, index) => {
        entries.writeInt32LE(fd, index * pollEntryBytes);
        entries.writeInt32LE(pollIn, index * pollEntryBytes + 4); // events, and revents cleared
      });
      if (poll(entries, fds.length, limitMs) < 0) {
        const error = failure('poll');
        if (error.code !== 'EINTR') throw error;
        return fds.map(() => 'nothing');
      }
      return fds.map((_, index) => readiness(entries.readInt16LE(index * pollEntryBytes + 6)));
    },
    read: (fd, into) => readSync(fd, into, 0, into.length, null),
    createWakeup() {
      const fd = eventfd(0, eventfdFlags);
      if (fd < 0) throw failure('eventfd');
      return fd;
    },
    close: closeSync,
  };
}

function readiness(revents: number): Ready {
  if ((revents & pollIn) !== 0) return 'readable';
  return (revents & pollFailed) !== 0 ? 'failed' : 'nothing';
}

function errnoName(errno: number): string {
  if (errno === notSupported) return 'ENOTSUPP';
  return Object.entries(constants.errno).find(([, value]) => value === errno)?.[0] ?? `errno ${errno}`;
}
