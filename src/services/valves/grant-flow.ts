/**
 * Flow within this time after a valve was shut belongs to the same pour: a solenoid and its line need a
 * moment.
 */
export const residualFlowMs = 2_000;

/** Counts the ticks of running pours for the grants, and tracks the flow that remains after a grant has ended. */
export class GrantFlow {
  /** Ticks already counted of each meter's running pour. */
  readonly #counted = new Map<string, { readonly pourId: string; readonly ticks: number }>();
  /** Until when flow on a meter still belongs to the grant that ended. */
  readonly #residualUntil = new Map<string, number>();

  /** The ticks of the pour that were not returned before; `ticks` is its total so far. */
  newTicks(meter: string, pourId: string, ticks: number): number {
    const counted = this.#counted.get(meter);
    this.#counted.set(meter, { pourId, ticks });
    // The ticks of a pour that was resumed from the journal are counted already.
    return counted?.pourId === pourId ? Math.max(0, ticks - counted.ticks) : 0;
  }

  /** A grant has ended on this meter; without a valve nothing flows any more. */
  startResidual(meter: string, { hasValve, nowMonoMs }: { hasValve: boolean; nowMonoMs: number }): void {
    this.#residualUntil.set(meter, nowMonoMs + (hasValve ? residualFlowMs : 0));
  }

  /** Ends the residual flow of a meter; false when there was none. */
  endResidual(meter: string): boolean {
    return this.#residualUntil.delete(meter);
  }

  /** Ends and returns the meters whose residual flow is over. */
  takeFinished(nowMonoMs: number): readonly string[] {
    const finished = [...this.#residualUntil].flatMap(([meter, until]) => (nowMonoMs < until ? [] : [meter]));
    for (const meter of finished) this.#residualUntil.delete(meter);
    return finished;
  }
}
