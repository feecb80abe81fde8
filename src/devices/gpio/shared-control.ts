const stopWord = 0;
const stoppedWord = 1;
const heartbeatWord = 2;
const headWords = 3;
const unknownLevel = 2;

/** Shared switches between the main loop and the pin thread. Plain data, may be posted. */
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

/** Small facts both sides read and one side writes; each is one 32-bit cell. */
export class SharedControl {
  readonly #words: Int32Array;
  readonly #relaysAt: number;
  readonly #acksAt: number;

  constructor(memory: ControlMemory) {
    this.#words = new Int32Array(memory.buffer);
    this.#relaysAt = headWords + memory.lineCount;
    this.#acksAt = this.#relaysAt + memory.relayCount;
  }

  /** Main: asks the thread to shut everything and end. */
  requestStop(): void {
    Atomics.store(this.#words, stopWord, 1);
  }

  get stopRequested(): boolean {
    return Atomics.load(this.#words, stopWord) === 1;
  }

  /** Thread: every relay is off and every line released. */
  markStopped(): void {
    Atomics.store(this.#words, stoppedWord, 1);
    Atomics.notify(this.#words, stoppedWord);
  }

  /** Main: waits for `markStopped`, blocking; only for the last moments of a process. */
  waitStopped(limitMs: number): void {
    Atomics.wait(this.#words, stoppedWord, 0, limitMs);
  }

  /** Main: shows life. */
  heartbeat(): void {
    Atomics.add(this.#words, heartbeatWord, 1);
  }

  /** Any value; a changed one means that the main loop lives. */
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

  /** Thread: what the relay is doing, and the last command it has carried out. */
  setRelay(relay: number, isOpen: boolean, command: number): void {
    Atomics.store(this.#words, this.#relaysAt + relay, isOpen ? 1 : 0);
    Atomics.store(this.#words, this.#acksAt + relay, command);
  }

  /** Main: the relay's state once `command` was carried out, null while it is still on its way. */
  relayAfter(relay: number, command: number): boolean | null {
    if (Atomics.load(this.#words, this.#acksAt + relay) !== command) return null;
    return Atomics.load(this.#words, this.#relaysAt + relay) === 1;
  }
}
