/** A line silent for this long has no edge in transit: the kernel's interrupt thread takes far less. */
const quietMs = 30;
/** Interval of interrupt table reads while the numbers do not agree; a read costs 0.5 ms. */
const recheckMs = 20;
/** Interval of interrupt table reads while the numbers agree. */
const regularCheckMs = 1_000;

interface TableReading {
  readonly atMs: number;
  readonly counts: readonly (number | null)[];
}

/**
 * Counts, per line, the edges that were not received, from three sources.
 *
 * Every event carries two serial numbers. The line's own number shows events dropped from the kernel's queue.
 * The request's number counts hard interrupts, so it also shows two edges that a late interrupt thread merged
 * into one event, but not on which line; the interrupt table shows the line once it is quiet. A loss without
 * a known line is `unproven` on every line it may belong to.
 */
export class LossCounters {
  readonly #seqnoCountsInterrupts: boolean;
  readonly #received: Float64Array;
  readonly #lastStampMs: Float64Array;
  readonly #lineSeqno: Uint32Array;
  readonly #lineGap: Float64Array;
  readonly #tableGap: Float64Array;
  readonly #unproven: Int32Array;
  /** Lines with events not yet confirmed by the interrupt table. */
  readonly #unchecked: Uint8Array;
  /** Lines with events since the numbers last agreed: one of them has the loss. */
  readonly #suspect: Uint8Array;
  #seqno = 0;
  /** Interrupts counted by `seqno` minus events received. */
  #missing = 0;
  /** Missing edges that cannot be assigned to a line. */
  #writtenOff = 0;
  #reading: TableReading | null = null;
  #readMs = Number.NEGATIVE_INFINITY;
  #minOpen = 0;

  /**
   * `seqnoCountsInterrupts` is true only for a request of two or more lines; for one line it repeats the
   * line's number.
   */
  constructor(options: { readonly lineCount: number; readonly seqnoCountsInterrupts: boolean }) {
    this.#seqnoCountsInterrupts = options.seqnoCountsInterrupts;
    this.#received = new Float64Array(options.lineCount);
    this.#lastStampMs = new Float64Array(options.lineCount).fill(Number.NEGATIVE_INFINITY);
    this.#lineSeqno = new Uint32Array(options.lineCount);
    this.#lineGap = new Float64Array(options.lineCount);
    this.#tableGap = new Float64Array(options.lineCount);
    this.#unproven = new Int32Array(options.lineCount);
    this.#unchecked = new Uint8Array(options.lineCount);
    this.#suspect = new Uint8Array(options.lineCount);
  }

  /** Records one event. Serial numbers have 32 bits and may arrive out of order across lines. */
  record(line: number, seqno: number, lineSeqno: number, stampMs: number): void {
    const ahead = (seqno - this.#seqno) | 0;
    if (ahead > 0) {
      this.#seqno = seqno;
      this.#missing += ahead;
    }
    this.#missing -= 1;
    const lineAhead = (lineSeqno - this.#lineSeqno[line]!) | 0;
    if (lineAhead > 1) this.#lineGap[line]! += lineAhead - 1;
    this.#lineSeqno[line] = lineSeqno;
    this.#received[line]! += 1;
    this.#lastStampMs[line] = stampMs;
    this.#unchecked[line] = 1;
    this.#suspect[line] = 1;
    if (this.#reading !== null) this.#minOpen = Math.min(this.#minOpen, this.open);
  }

  /** Edges known to be lost on a line. */
  lost(line: number): number {
    return Math.max(this.#lineGap[line]!, this.#tableGap[line]!);
  }

  /** How often an edge was lost that may belong to this line but cannot be assigned. */
  unproven(line: number): number {
    return this.#unproven[line]!;
  }

  /** Missing edges not yet assigned to a line; briefly one or two while edges are in transit. */
  get open(): number {
    let assigned = this.#writtenOff;
    for (let line = 0; line < this.#received.length; line++) assigned += this.lost(line);
    return Math.max(0, this.#missing - assigned);
  }

  /**
   * Call it whenever no event is queued. `readCounts` returns the interrupts of each line since its request,
   * null for a line without a row in the table. Returns true when a loss was recorded.
   */
  check(nowMs: number, readCounts: () => readonly (number | null)[]): boolean {
    if (this.#reading !== null && nowMs - this.#reading.atMs >= quietMs) {
      const reading = this.#reading;
      this.#reading = null;
      return this.#evaluate(reading);
    }
    if (this.#reading !== null) return false;
    if (this.open === 0) this.#suspect.fill(0);
    if (this.#needsReading(nowMs)) {
      this.#reading = { atMs: nowMs, counts: readCounts() };
      this.#readMs = nowMs;
      this.#minOpen = this.open;
    }
    return false;
  }

  #needsReading(nowMs: number): boolean {
    const since = nowMs - this.#readMs;
    if (this.open > 0) return since >= recheckMs;
    const intervalMs = this.#seqnoCountsInterrupts ? regularCheckMs : recheckMs;
    return (
      since >= intervalMs && this.#unchecked.some((one, line) => one === 1 && this.#isQuiet(line, nowMs))
    );
  }

  /** No edge from before the table was read is in transit now, so the counts of quiet lines are final. */
  #evaluate(reading: TableReading): boolean {
    const before = this.#sum();
    const lines = Array.from(this.#received, (_, line) => ({
      line,
      isQuiet: this.#isQuiet(line, reading.atMs),
      counted: reading.counts[line] ?? null,
    }));
    const quiet = lines.filter((one) => one.isQuiet);
    for (const { line, counted } of quiet) {
      if (counted === null) continue;
      this.#tableGap[line] = Math.max(this.#tableGap[line]!, (counted - this.#received[line]!) | 0);
    }

    const isSilent = quiet.length === lines.length;
    const unassigned = Math.min(this.open, this.#minOpen);
    if (unassigned > 0 && isSilent) this.#assignLosses(unassigned);
    for (const { line, counted } of quiet) {
      if (counted === null && this.#unchecked[line] === 1) {
        const mayBeLost = unassigned > 0 && !isSilent;
        if (mayBeLost || !this.#seqnoCountsInterrupts) this.#unproven[line]! += 1;
      }
      this.#unchecked[line] = 0;
    }
    return this.#sum() !== before;
  }

  /** Assigns missing edges when no more evidence will come: to the only line, otherwise to none. */
  #assignLosses(unassigned: number): void {
    if (this.#received.length === 1) {
      this.#tableGap[0] = this.lost(0) + unassigned;
      return;
    }
    const hasNoSuspect = !this.#suspect.includes(1);
    this.#suspect.forEach((isSuspect, line) => {
      if (isSuspect === 1 || hasNoSuspect) this.#unproven[line]! += 1;
    });
    this.#writtenOff += unassigned;
    this.#suspect.fill(0);
  }

  #isQuiet(line: number, atMs: number): boolean {
    return this.#lastStampMs[line]! < atMs - quietMs;
  }

  #sum(): number {
    let sum = 0;
    for (let line = 0; line < this.#received.length; line++) sum += this.lost(line) + this.unproven(line);
    return sum;
  }
}
