import { closeSync, constants, openSync, readSync } from 'node:fs';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { accessProblem } from '../access-problem.ts';
import { BackOff } from '../back-off.ts';
import { CardInput } from './card-input.ts';
import { eventBytes, readKeys } from './key-events.ts';
import type { ReaderStep, TokenReader, Unreadable } from './token-reader.ts';
import type { ReadCard } from './token-text.ts';

/** A card is at most 33 key presses of four events each; further events are read at the next poll. */
const eventsPerRead = 64;
const readsPerPoll = 8;

/** A person may type a number at a keypad. */
const silenceMs = 3_000;

/** Takes exclusive access to a keyboard, so that no other program receives its digits. False when refused. */
export type Grab = (fd: number) => boolean;

/** A card reader that acts as a USB keyboard, read through the kernel's input events. */
export class KeyboardReader implements TokenReader {
  readonly device = 'core.rfid';
  readonly name: string;
  readonly #grab: Grab;
  readonly #backOff = new BackOff();
  readonly #input: CardInput;
  readonly #buffer = Buffer.alloc(eventBytes * eventsPerRead);
  #incomplete = Buffer.alloc(0);
  #fd: number | null = null;
  #isClosed = false;
  #problem: Problem | null = null;

  constructor(options: { readonly path: string; readonly grab: Grab; readonly readCard: ReadCard }) {
    this.#input = new CardInput({ isCaptive: false, silenceMs, readCard: options.readCard });
    this.name = options.path;
    this.#grab = options.grab;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  get unreadable(): Unreadable {
    return this.#input.unreadable;
  }

  poll(nowMonoMs: number): readonly ReaderStep[] {
    if (this.#isClosed) return [];
    if (this.#fd === null && this.#backOff.isDue(nowMonoMs)) this.#open(nowMonoMs);
    if (this.#fd === null) return [];
    const typed: (Uint8Array | null)[] = [];
    for (let reads = 0; reads < readsPerPoll; reads++) {
      const bytes = this.#read(this.#fd, nowMonoMs);
      if (bytes === null || bytes.length === 0) break;
      typed.push(...this.#readTyped(bytes));
    }
    return this.#input.poll(typed, nowMonoMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #open(nowMonoMs: number): void {
    try {
      // Without O_NONBLOCK a read would block until the next card.
      this.#fd = openSync(this.name, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (fault) {
      this.#problem = openProblem(this.name, (fault as NodeJS.ErrnoException).code);
      this.#backOff.failed(nowMonoMs);
      return;
    }
    this.#input.restart();
    this.#incomplete = Buffer.alloc(0);
    this.#backOff.succeeded();
    this.#problem = this.#grab(this.#fd) ? null : createProblem('reader_shared', { path: this.name });
  }

  /** Reads the queued events; empty when there are none, null when the reader is gone. */
  #read(fd: number, nowMonoMs: number): Buffer | null {
    try {
      return this.#buffer.subarray(0, readSync(fd, this.#buffer, 0, this.#buffer.length, null));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'EAGAIN') return Buffer.alloc(0);
      closeSync(fd);
      this.#fd = null;
      this.#problem = createProblem('reader_unplugged', { path: this.name });
      this.#backOff.failed(nowMonoMs);
      return null;
    }
  }

  /** The typed texts; null where key presses were lost. */
  #readTyped(bytes: Buffer): (Uint8Array | null)[] {
    const all = Buffer.concat([this.#incomplete, bytes]);
    this.#incomplete = all.subarray(all.length - (all.length % eventBytes));
    return readKeys(all).map((typed) => (typed === 'lost' ? null : Buffer.from(typed.text, 'latin1')));
  }
}

const grabRequest = 0x40044590; // EVIOCGRAB, linux/input.h

/** Loads the ioctl for exclusive access; without koffi the returned function always fails. */
export async function loadGrab(): Promise<Grab> {
  try {
    const { default: koffi } = await import('koffi');
    const ioctl = koffi.load(null).func('int ioctl(int fd, unsigned long request, long argument)') as (
      fd: number,
      request: number,
      argument: number,
    ) => number;
    return (fd) => ioctl(fd, grabRequest, 1) === 0;
  } catch {
    return () => false;
  }
}

function openProblem(path: string, code = 'unknown'): Problem {
  switch (code) {
    case 'ENOENT':
    case 'ENODEV':
    case 'ENXIO':
      return createProblem('reader_absent', { path });
    case 'EACCES':
    case 'EPERM':
      return accessProblem(code, { path, kind: 'reader', group: 'input' });
    default:
      return createProblem('reader_not_opened', { path, code });
  }
}
