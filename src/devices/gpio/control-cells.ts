const stopCell = 0;
const stoppedCell = 1;
const heartbeatCell = 2;
const headCells = 3;
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
  const cells = headCells + counts.lineCount + 2 * counts.relayCount;
  const buffer = new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(buffer).fill(unknownLevel, headCells, headCells + counts.lineCount);
  return { ...counts, buffer };
}

/** Small facts both sides read and one side writes; each is one 32-bit cell. */
export class ControlCells {
  readonly #cells: Int32Array;
  readonly #relaysAt: number;
  readonly #acksAt: number;

  constructor(memory: ControlMemory) {
    this.#cells = new Int32Array(memory.buffer);
    this.#relaysAt = headCells + memory.lineCount;
    this.#acksAt = this.#relaysAt + memory.relayCount;
  }

  /** Main: asks the thread to shut everything and end. */
  askToStop(): void {
    Atomics.store(this.#cells, stopCell, 1);
  }

  get mustStop(): boolean {
    return Atomics.load(this.#cells, stopCell) === 1;
  }

  /** Thread: every relay is off and every line released. */
  markStopped(): void {
    Atomics.store(this.#cells, stoppedCell, 1);
    Atomics.notify(this.#cells, stoppedCell);
  }

  /** Main: waits for `markStopped`, blocking; only for the last moments of a process. */
  waitStopped(limitMs: number): void {
    Atomics.wait(this.#cells, stoppedCell, 0, limitMs);
  }

  /** Main: shows life. */
  beat(): void {
    Atomics.add(this.#cells, heartbeatCell, 1);
  }

  /** Any value; a changed one means that the main loop lives. */
  get beats(): number {
    return Atomics.load(this.#cells, heartbeatCell);
  }

  setLevel(line: number, level: 0 | 1 | null): void {
    Atomics.store(this.#cells, headCells + line, level ?? unknownLevel);
  }

  level(line: number): 0 | 1 | null {
    const value = Atomics.load(this.#cells, headCells + line);
    return value === 0 || value === 1 ? value : null;
  }

  /** Thread: what the relay is doing, and the last command it has carried out. */
  setRelay(relay: number, isOpen: boolean, command: number): void {
    Atomics.store(this.#cells, this.#relaysAt + relay, isOpen ? 1 : 0);
    Atomics.store(this.#cells, this.#acksAt + relay, command);
  }

  /** Main: the relay's state once `command` was carried out, null while it is still on its way. */
  relayAfter(relay: number, command: number): boolean | null {
    if (Atomics.load(this.#cells, this.#acksAt + relay) !== command) return null;
    return Atomics.load(this.#cells, this.#relaysAt + relay) === 1;
  }
}
