import { createProblem, type Problem } from '../../core/health/problems.ts';
import { accessProblem } from '../access-problem.ts';
import { BackOff } from '../back-off.ts';
import { portRefusal } from '../serial/port-refusal.ts';
import type { OpenLink, SerialLink } from '../serial/serial-link.ts';
import { CardInput } from './card-input.ts';
import type { ReaderStep, TokenReader, Unreadable } from './token-reader.ts';
import type { ReadCard } from './token-text.ts';

/** Bytes buffered between two polls; at 9600 baud about 48 arrive. */
const maxBytes = 4_096;

/** The slowest reader sends a character in 8 ms. */
const silenceMs = 300;

/** A card reader on a serial port. After it was unplugged it is opened again, at growing intervals. */
export class SerialReader implements TokenReader {
  readonly device = 'core.rfid';
  readonly name: string;
  readonly #openLink: OpenLink;
  readonly #backOff = new BackOff();
  readonly #input: CardInput;
  /** Null where bytes were dropped. */
  #bytes: (Uint8Array | null)[] = [];
  #bufferedBytes = 0;
  #link: SerialLink | null = null;
  #opening: Promise<void> | null = null;
  #lost = false;
  #isClosed = false;
  #problem: Problem | null = null;

  constructor(options: {
    readonly path: string;
    readonly isCaptive: boolean;
    readonly openLink: OpenLink;
    readonly readCard: ReadCard;
  }) {
    this.name = options.path;
    this.#openLink = options.openLink;
    const { isCaptive, readCard } = options;
    this.#input = new CardInput({ isCaptive, silenceMs, readCard });
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  get unreadable(): Unreadable {
    return this.#input.unreadable;
  }

  get isOpen(): boolean {
    return this.#link !== null;
  }

  poll(nowMonoMs: number): readonly ReaderStep[] {
    if (this.#isClosed) return [];
    if (this.#lost) return this.#handleUnplugged(nowMonoMs);
    if (this.#link === null && this.#opening === null && this.#backOff.isDue(nowMonoMs)) {
      this.#opening = this.#open(nowMonoMs).finally(() => {
        this.#opening = null;
      });
    }
    const bytes = this.#bytes;
    this.#bytes = [];
    this.#bufferedBytes = 0;
    return this.#input.poll(bytes, nowMonoMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await this.#link?.close();
    this.#link = null;
  }

  async #open(nowMonoMs: number): Promise<void> {
    try {
      const link = await this.#openLink(this.name, {
        onBytes: (bytes) => this.#bufferBytes(bytes),
        onClosed: () => {
          this.#lost = true;
        },
      });
      if (this.#isClosed) {
        await link.close();
        return;
      }
      this.#link = link;
      this.#input.restart();
      this.#backOff.succeeded();
      this.#problem = null;
    } catch (fault) {
      this.#problem = openProblem(this.name, fault);
      this.#backOff.failed(nowMonoMs);
    }
  }

  #bufferBytes(bytes: Uint8Array): void {
    if (this.#bufferedBytes + bytes.length > maxBytes) {
      // What is left of two cards must not be read as one.
      if (this.#bytes.at(-1) !== null) this.#bytes.push(null);
      return;
    }
    this.#bufferedBytes += bytes.length;
    this.#bytes.push(bytes);
  }

  #handleUnplugged(nowMonoMs: number): ReaderStep[] {
    this.#lost = false;
    this.#link = null;
    this.#bytes = [];
    this.#bufferedBytes = 0;
    this.#problem = createProblem('reader_unplugged', { path: this.name });
    this.#backOff.failed(nowMonoMs);
    return this.#input.readerGone();
  }
}

function openProblem(path: string, fault: unknown): Problem {
  const message = fault instanceof Error ? fault.message : String(fault);
  if (/no such file|no such device|not found/i.test(message)) return createProblem('reader_absent', { path });
  const refusal = portRefusal(message);
  if (refusal !== null) return accessProblem(refusal, { path, kind: 'reader', group: 'dialout' });
  const isBusy = /lock|busy|temporarily unavailable/i.test(message);
  return createProblem(isBusy ? 'reader_busy' : 'reader_no_port', { path });
}
