/**
 * Edges that fit between two drains: 20 s of eight meters at 400 Hz. A power of two, so that indexes wrap
 * with a mask.
 */
const ringCapacity = 65_536;

const untilBytes = 8;
const writeCell = 0;
const readCell = 1;
const headWords = 2;
/**
 * Per line: edges received, edges dropped because the ring was full, edges lost by the source, unproven
 * losses.
 */
const wordsPerLine = 4;

/** Memory shared by the pin thread and the main loop. Can be sent with `postMessage`. */
export interface RingMemory {
  readonly buffer: SharedArrayBuffer;
  readonly lineCount: number;
  readonly capacity: number;
}

/** Edges of one line since the last drain. */
interface RingBatch {
  /** Index of the line, 0 to `lineCount` − 1. */
  readonly line: number;
  /** Time stamps in milliseconds, in order of arrival. */
  readonly stampsMonoMs: Float64Array;
  /** Edges lost since the last drain, including the ring's own overflow; null when unknown. */
  readonly lost: number | null;
}

/** Result of one drain. */
interface RingDrain {
  readonly batches: readonly RingBatch[];
  readonly untilMonoMs: number;
}

/** Allocates a ring for `lineCount` lines (at most 64); `capacity` must be a power of two. */
export function createRingMemory(lineCount: number, capacity: number = ringCapacity): RingMemory {
  const bytes = stampsOffset(lineCount) + capacity * (Float64Array.BYTES_PER_ELEMENT + 1);
  return { buffer: new SharedArrayBuffer(bytes), lineCount, capacity };
}

/** The single producer. The reader sees pushed edges only after `publish`, in whole batches. */
export class RingWriter {
  readonly #view: RingView;
  readonly #pushed: Float64Array;
  #write: number;
  #lastRead: number;

  constructor(memory: RingMemory) {
    this.#view = createView(memory);
    this.#pushed = new Float64Array(memory.lineCount);
    this.#write = Atomics.load(this.#view.head, writeCell);
    this.#lastRead = Atomics.load(this.#view.head, readCell);
  }

  /** Queues one edge; returns false when the ring is full and the edge is counted as dropped. */
  push(line: number, stampMonoMs: number): boolean {
    const view = this.#view;
    this.#pushed[line]! += 1;
    if (((this.#write - this.#lastRead) | 0) >= view.capacity) {
      this.#lastRead = Atomics.load(view.head, readCell);
      if (((this.#write - this.#lastRead) | 0) >= view.capacity) {
        Atomics.add(view.dropped, line, 1);
        return false;
      }
    }
    const slot = this.#write & (view.capacity - 1);
    view.stamps[slot] = stampMonoMs;
    view.lines[slot] = line;
    this.#write = (this.#write + 1) | 0;
    Atomics.add(view.received, line, 1);
    return true;
  }

  /** Edges of one line pushed so far, including dropped ones. */
  pushed(line: number): number {
    return this.#pushed[line]!;
  }

  /** Makes everything pushed so far visible to the reader. */
  publish(): void {
    Atomics.store(this.#view.head, writeCell, this.#write);
  }

  /**
   * Declares that no edge before this time will be pushed any more. Never decreases. Call `publish` first.
   */
  publishUntil(monoMs: number): void {
    const ns = BigInt(Math.floor(monoMs * 1e6));
    if (ns > Atomics.load(this.#view.until, 0)) Atomics.store(this.#view.until, 0, ns);
  }

  /** Sets the edges the source lost on a line since opening, and how often the loss is unknown. */
  publishLosses(line: number, losses: { readonly lost: number; readonly unproven: number }): void {
    Atomics.store(this.#view.lost, line, losses.lost);
    Atomics.store(this.#view.unproven, line, losses.unproven);
  }
}

/** The single consumer. */
export class RingReader {
  readonly #view: RingView;
  readonly #counts: Int32Array;
  readonly #lastLost: Float64Array;
  readonly #lastUnproven: Int32Array;

  constructor(memory: RingMemory) {
    this.#view = createView(memory);
    this.#counts = new Int32Array(memory.lineCount);
    this.#lastLost = new Float64Array(memory.lineCount);
    this.#lastUnproven = new Int32Array(memory.lineCount);
  }

  /** Takes every published edge; a line without edges or losses is absent. */
  drain(): RingDrain {
    const { head, until, lines, stamps, capacity } = this.#view;
    // Read before the edges, so that every edge up to this time is among them.
    const untilMonoMs = Number(Atomics.load(until, 0)) / 1e6;
    const write = Atomics.load(head, writeCell);
    const read = Atomics.load(head, readCell);
    const pending = (write - read) | 0;
    const mask = capacity - 1;

    const counts = this.#counts.fill(0);
    for (let k = 0; k < pending; k++) counts[lines[(read + k) & mask]!]!++;
    const batches = Array.from(counts, (count) => new Float64Array(count));
    counts.fill(0);
    for (let k = 0; k < pending; k++) {
      const slot = (read + k) & mask;
      const line = lines[slot]!;
      batches[line]![counts[line]!++] = stamps[slot]!;
    }
    Atomics.store(head, readCell, write);

    return {
      untilMonoMs,
      batches: batches
        .map((stampsMonoMs, line) => ({ line, stampsMonoMs, lost: this.#lostSince(line) }))
        .filter((batch) => batch.stampsMonoMs.length > 0 || batch.lost !== 0),
    };
  }

  /** Edges of one line received since opening. */
  received(line: number): number {
    return Atomics.load(this.#view.received, line) >>> 0;
  }

  /** Edges of one line known to be lost since opening; null when the loss was unknown at least once. */
  lost(line: number): number | null {
    return Atomics.load(this.#view.unproven, line) > 0 ? null : this.#lostTotal(line);
  }

  /** Edges of one line dropped since opening because the ring was full. */
  dropped(line: number): number {
    return Atomics.load(this.#view.dropped, line);
  }

  #lostTotal(line: number): number {
    return Atomics.load(this.#view.dropped, line) + Atomics.load(this.#view.lost, line);
  }

  #lostSince(line: number): number | null {
    const lost = this.#lostTotal(line);
    const unproven = Atomics.load(this.#view.unproven, line);
    const fresh = Math.max(0, lost - this.#lastLost[line]!);
    const isUnknown = unproven !== this.#lastUnproven[line];
    this.#lastLost[line] = lost;
    this.#lastUnproven[line] = unproven;
    return isUnknown ? null : fresh;
  }
}

interface RingView {
  readonly capacity: number;
  readonly until: BigInt64Array;
  readonly head: Int32Array;
  readonly received: Int32Array;
  readonly dropped: Int32Array;
  readonly lost: Int32Array;
  readonly unproven: Int32Array;
  readonly stamps: Float64Array;
  readonly lines: Uint8Array;
}

function stampsOffset(lineCount: number): number {
  const used = untilBytes + (headWords + wordsPerLine * lineCount) * Int32Array.BYTES_PER_ELEMENT;
  return Math.ceil(used / Float64Array.BYTES_PER_ELEMENT) * Float64Array.BYTES_PER_ELEMENT;
}

function createView({ buffer, lineCount, capacity }: RingMemory): RingView {
  const counterAt = (index: number): Int32Array =>
    new Int32Array(buffer, untilBytes + (headWords + index * lineCount) * 4, lineCount);
  const stamps = stampsOffset(lineCount);
  return {
    capacity,
    until: new BigInt64Array(buffer, 0, 1),
    head: new Int32Array(buffer, untilBytes, headWords),
    received: counterAt(0),
    dropped: counterAt(1),
    lost: counterAt(2),
    unproven: counterAt(3),
    stamps: new Float64Array(buffer, stamps, capacity),
    lines: new Uint8Array(buffer, stamps + capacity * Float64Array.BYTES_PER_ELEMENT, capacity),
  };
}
