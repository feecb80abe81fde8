/** A line silent for this long has no edge on its way any more: the kernel's interrupt thread takes far less. */
const settleMs = 30;
/** While numbers do not add up, the interrupt table is looked at this often; it costs 0.5 ms. */
const doubtMs = 20;
/** With numbers that add up, one look a second at most confirms them. */
const auditMs = 1_000;

interface Look {
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
export class LossLedger {
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
  #look: Look | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #leastOpen = 0;

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
  note(line: number, seqno: number, lineSeqno: number, stampMs: number): void {
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
    if (this.#look !== null) this.#leastOpen = Math.min(this.#leastOpen, this.open);
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
  settle(nowMs: number, count: () => readonly (number | null)[]): boolean {
    if (this.#look !== null && nowMs - this.#look.atMs >= settleMs) {
      const look = this.#look;
      this.#look = null;
      return this.#judge(look);
    }
    if (this.#look !== null) return false;
    if (this.open === 0) this.#suspect.fill(0);
    if (this.#wantsLook(nowMs)) {
      this.#look = { atMs: nowMs, counts: count() };
      this.#lookedMs = nowMs;
      this.#leastOpen = this.open;
    }
    return false;
  }

  #wantsLook(nowMs: number): boolean {
    const since = nowMs - this.#lookedMs;
    if (this.open > 0) return since >= doubtMs;
    const patience = this.#seqnoCountsInterrupts ? auditMs : doubtMs;
    return since >= patience && this.#unchecked.some((one, line) => one === 1 && this.#isQuiet(line, nowMs));
  }

  /** Nothing that fell before the look can be on its way now, so the quiet lines' figures are final. */
  #judge(look: Look): boolean {
    const before = this.#sum();
    const lines = Array.from(this.#received, (_, line) => ({
      line,
      isQuiet: this.#isQuiet(line, look.atMs),
      counted: look.counts[line] ?? null,
    }));
    const quiet = lines.filter((one) => one.isQuiet);
    for (const { line, counted } of quiet) {
      if (counted === null) continue;
      this.#tableGap[line] = Math.max(this.#tableGap[line]!, (counted - this.#received[line]!) | 0);
    }

    const isSilent = quiet.length === lines.length;
    const unowned = Math.min(this.open, this.#leastOpen);
    if (unowned > 0 && isSilent) this.#close(unowned);
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
  #close(unowned: number): void {
    if (this.#received.length === 1) {
      this.#tableGap[0] = this.lost(0) + unowned;
      return;
    }
    const nobody = !this.#suspect.includes(1);
    this.#suspect.forEach((isSuspect, line) => {
      if (isSuspect === 1 || nobody) this.#unproven[line]! += 1;
    });
    this.#writtenOff += unowned;
    this.#suspect.fill(0);
  }

  #isQuiet(line: number, atMs: number): boolean {
    return this.#lastStampMs[line]! < atMs - settleMs;
  }

  #sum(): number {
    let sum = 0;
    for (let line = 0; line < this.#received.length; line++) sum += this.lost(line) + this.unproven(line);
    return sum;
  }
}
