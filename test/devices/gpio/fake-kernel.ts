import type { LineRequest } from '../../../src/devices/gpio/gpio-structs.ts';
import { type GpioKernel, KernelError, type Ready } from '../../../src/devices/gpio/gpio-uapi.ts';

/** One event as the kernel delivers it. */
export interface FakeEvent {
  readonly offset: number;
  readonly stampMs: number;
  readonly seqno: number;
  readonly lineSeqno: number;
}

/** A fake kernel with one chip: records requests and delivers the events that a test sets. */
export class FakeKernel implements GpioKernel {
  readonly requests: LineRequest[] = [];
  readonly open = new Set<number>();
  readonly switched: { readonly fd: number; readonly on: boolean }[] = [];
  readonly owners = new Map<number, string>();
  /** Offsets that look free but that the chip refuses, with the error code. */
  readonly refusals = new Map<number, string>();
  readonly lines: number;
  events: FakeEvent[] = [];
  isGone = false;
  /** Called at every wait with its limit; a test advances its clock here. */
  onWait: (limitMs: number) => void = () => undefined;
  #nextFd = 100;

  constructor(lines: number) {
    this.lines = lines;
  }

  chipInfo = () => ({ name: 'gpiochip0', label: 'paper', lines: this.lines });

  lineInfo = (_path: string, offset: number) => {
    const consumer = this.owners.get(offset);
    return { name: '', consumer: consumer ?? '', isUsed: consumer !== undefined };
  };

  requestLines = (_path: string, request: LineRequest) => {
    for (const { offset } of request.lines) {
      const code = this.refusals.get(offset);
      if (code !== undefined) throw new KernelError('GPIO_V2_GET_LINE', code);
    }
    this.requests.push(request);
    return this.#open();
  };

  levels = () => 0b01n;

  switchOutput = (fd: number, on: boolean) => {
    this.switched.push({ fd, on });
  };

  poll = (fds: readonly number[], limitMs: number): Ready[] => {
    if (limitMs > 0) this.onWait(limitMs);
    return fds.map((fd, index): Ready => {
      if (fd < 0 || (fds.length === 1 && limitMs > 0) || index > 0) return 'nothing';
      if (this.isGone) return 'failed';
      return this.events.length > 0 ? 'readable' : 'nothing';
    });
  };

  read = (_fd: number, into: Buffer) => {
    const batch = this.events.splice(0, Math.floor(into.length / 48));
    batch.forEach((event, index) => {
      const at = index * 48;
      into.writeBigUInt64LE(BigInt(Math.round(event.stampMs * 1e6)), at);
      into.writeUInt32LE(2, at + 8);
      into.writeUInt32LE(event.offset, at + 12);
      into.writeUInt32LE(event.seqno, at + 16);
      into.writeUInt32LE(event.lineSeqno, at + 20);
    });
    return batch.length * 48;
  };

  createWakeup = () => this.#open();

  close = (fd: number) => {
    if (!this.open.delete(fd)) throw new Error(`descriptor ${fd} was closed twice`);
  };

  #open(): number {
    this.open.add(++this.#nextFd);
    return this.#nextFd;
  }
}
