const stopWord = 0;
const stoppedWord = 1;
const heartbeatWord = 2;
const headWords = 3;
const unknownLevel = 2;

/** Control words shared by the main loop and the pin thread. Can be sent with `postMessage`. */
export interface ControlMemory {
  readonly buffer: SharedArrayBuffer;
  readonly lineCount: number;
  readonly relayCount: number;
}

export function createControlMemory(counts: {
  readonly lineCount: number;
  readonly relayCount: number;
}): ControlMemory {
  const wordCount = headWords + counts.lineCount + 2 * counts.relayCount;
  const buffer = new SharedArrayBuffer(wordCount * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(buffer).fill(unknownLevel, headWords, headWords + counts.lineCount);
  return { ...counts, buffer };
}

/** 32-bit control words: both threads read each word, one of them writes it. */
export class SharedControl {
  readonly #words: Int32Array;
  readonly #relaysAt: number;
  readonly #acksAt: number;

  constructor(memory: ControlMemory) {
    this.#words = new Int32Array(memory.buffer);
    this.#relaysAt = headWords + memory.lineCount;
    this.#acksAt = this.#relaysAt + memory.relayCount;
  }

  /** Main thread: requests that the pin thread shuts every relay and ends. */
  requestStop(): void {
    Atomics.store(this.#words, stopWord, 1);
  }

  get stopRequested(): boolean {
    return Atomics.load(this.#words, stopWord) === 1;
  }

  /** Pin thread: every relay is off and every line is released. */
  markStopped(): void {
    Atomics.store(this.#words, stoppedWord, 1);
    Atomics.notify(this.#words, stoppedWord);
  }

  /** Main thread: false while the pin thread runs, and after it died without releasing its lines. */
  get isStopped(): boolean {
    return Atomics.load(this.#words, stoppedWord) === 1;
  }

  /** Main thread: blocks until `markStopped` or the limit; only for use while the process exits. */
  waitStopped(limitMs: number): void {
    Atomics.wait(this.#words, stoppedWord, 0, limitMs);
  }

  /** Main thread: signals that the main loop runs. */
  heartbeat(): void {
    Atomics.add(this.#words, heartbeatWord, 1);
  }

  /** Counter; a changed value means that the main loop runs. */
  get heartbeats(): number {
    return Atomics.load(this.#words, heartbeatWord);
  }

  setLevel(line: number, level: 0 | 1 | null): void {
    Atomics.store(this.#words, headWords + line, level ?? unknownLevel);
  }

  level(line: number): 0 | 1 | null {
    const value = Atomics.load(this.#words, headWords + line);
    return value === 0 || value === 1 ? value : null;
  }

  /** Pin thread: the relay's state and the last command executed. */
  setRelay(relay: number, isOpen: boolean, command: number): void {
    Atomics.store(this.#words, this.#relaysAt + relay, isOpen ? 1 : 0);
    Atomics.store(this.#words, this.#acksAt + relay, command);
  }

  /** Main thread: the relay's state after `command`; null while `command` is pending. */
  relayAfter(relay: number, command: number): boolean | null {
    if (Atomics.load(this.#words, this.#acksAt + relay) !== command) return null;
    return Atomics.load(this.#words, this.#relaysAt + relay) === 1;
  }
}
