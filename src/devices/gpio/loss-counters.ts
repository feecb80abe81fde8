/** A line silent for this long has no edge on its way any more: the kernel's interrupt thread takes far less. */
const quietMs = 30;
/** While numbers do not add up, the interrupt table is looked at this often; it costs 0.5 ms. */
const recheckMs = 20;
/** With numbers that add up, one look a second at most confirms them. */
const auditMs = 1_000;

interface TableReading {
  readonly atMs: number;
  readonly counts: readonly (number | null)[];
}

/**
 * Books the edges that never reached us, per line, from three witnesses.
 *
 * Every event carries two serial numbers. The line's own shows events that fell out of the kernel's queue. The
 * request's counts hard interrupts, so it also shows two edges that a late interrupt thread merged into one event,
 * but not whose they were; the interrupt table tells that once the line is quiet. What nobody can tell stays open.
 */
export class LossCounters {
  readonly #seqnoCountsInterrupts: boolean;
  readonly #received: Float64Array;
  readonly #lastStampMs: Float64Array;
  readonly #lineSeqno: Uint32Array;
  readonly #lineGap: Float64Array;
  readonly #tableGap: Float64Array;
  readonly #unproven: Int32Array;
  /** Lines with events the interrupt table has not confirmed yet. */
  readonly #unchecked: Uint8Array;
  /** Lines with events since the numbers last added up: among them is the one that lost something. */
  readonly #suspect: Uint8Array;
  #seqno = 0;
  /** Interrupts counted by `seqno` minus events received. */
  #missing = 0;
  /** Missing edges nobody owns and nobody will. */
  #writtenOff = 0;
  #reading: TableReading | null = null;
  #readMs = Number.NEGATIVE_INFINITY;
  #minOpen = 0;

  /** `seqnoCountsInterrupts` is true for a request of two or more lines only; of one line it repeats the line's own. */
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

  /** Takes note of one event. Serial numbers are 32 bits wide and may arrive out of order across lines. */
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

  /** Edges known to be missed on a line. */
  lost(line: number): number {
    return Math.max(this.#lineGap[line]!, this.#tableGap[line]!);
  }

  /** How often something was missed that may have been this line's, and nobody can tell. */
  unproven(line: number): number {
    return this.#unproven[line]!;
  }

  /** Missing edges that no line owns yet; may be one or two for a moment while they are on their way. */
  get open(): number {
    let owned = this.#writtenOff;
    for (let line = 0; line < this.#received.length; line++) owned += this.lost(line);
    return Math.max(0, this.#missing - owned);
  }

  /**
   * Called whenever nothing waits to be read. `count` gives the interrupts of each line since it was requested, null
   * where the table has no row of it. True when a loss was booked.
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
    const intervalMs = this.#seqnoCountsInterrupts ? auditMs : recheckMs;
    return (
      since >= intervalMs && this.#unchecked.some((one, line) => one === 1 && this.#isQuiet(line, nowMs))
    );
  }

  /** Nothing that fell before the look can be on its way now, so the quiet lines' figures are final. */
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
    const unowned = Math.min(this.open, this.#minOpen);
    if (unowned > 0 && isSilent) this.#assignLosses(unowned);
    for (const { line, counted } of quiet) {
      if (counted === null && this.#unchecked[line] === 1) {
        const mayOwn = unowned > 0 && !isSilent;
        if (mayOwn || !this.#seqnoCountsInterrupts) this.#unproven[line]! += 1;
      }
      this.#unchecked[line] = 0;
    }
    return this.#sum() !== before;
  }

  /** Books what is missing when no more evidence will come: on the only line, else on nobody. */
  #assignLosses(unowned: number): void {
    if (this.#received.length === 1) {
      this.#tableGap[0] = this.lost(0) + unowned;
      return;
    }
    const hasNoSuspect = !this.#suspect.includes(1);
    this.#suspect.forEach((isSuspect, line) => {
      if (isSuspect === 1 || hasNoSuspect) this.#unproven[line]! += 1;
    });
    this.#writtenOff += unowned;
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
