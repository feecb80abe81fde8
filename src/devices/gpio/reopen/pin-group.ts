import { createProblem } from '../../../core/health/problems.ts';
import type { Drained, LineBatch, LineFault, LineState } from '../../device-interfaces.ts';
import type { OpenedPins } from '../choose-driver.ts';

/**
 * Consecutive drains, 50 ms apart, in which the source did not advance before its lines count as lost: 10 s. The pin thread
 * advances every 200 ms; drains are counted instead of time, so that a stall of the main loop is no stall of the thread.
 */
const stalledDrains = 200;

/** An edge within this time after a late opening may belong to a pour of which earlier edges were missed, milliseconds. */
const lateStartMs = 1_000;

/** GPIO lines that were opened together. */
export class PinGroup {
  readonly pins: OpenedPins;
  /** Full names of the meters and relays that were granted. */
  readonly names: ReadonlySet<string>;
  /** When it was opened after its lines had not counted for a while; null for lines opened at the start. */
  readonly #openedLateMonoMs: number | null;
  /** Granted meters whose first edges have not been seen yet. */
  readonly #unseen: Set<string>;
  #untilMonoMs = 0;
  #unchangedDrains = 0;

  constructor(parts: {
    readonly pins: OpenedPins;
    readonly requested: ReadonlySet<string>;
    readonly openedLateMonoMs: number | null;
  }) {
    const refused = new Set(parts.pins.input.faults.map(({ name }) => name));
    this.pins = parts.pins;
    this.names = new Set([...parts.requested].filter((name) => !refused.has(name)));
    this.#openedLateMonoMs = parts.openedLateMonoMs;
    this.#unseen = new Set(this.names);
  }

  /** True when the driver has ended: its lines must be opened again. */
  get hasEnded(): boolean {
    return this.pins.hasEnded?.() ?? false;
  }

  /** True while the driver does not answer. */
  get isStalled(): boolean {
    return this.#unchangedDrains >= stalledDrains;
  }

  drain(): Drained {
    const { lines, untilMonoMs } = this.pins.input.drain();
    this.#unchangedDrains = untilMonoMs > this.#untilMonoMs ? 0 : this.#unchangedDrains + 1;
    this.#untilMonoMs = untilMonoMs;
    return { untilMonoMs, lines: lines.map((batch) => this.#withUnknownLoss(batch)) };
  }

  /** The problems of the granted lines: those of a driver that has ended, or that does not answer. */
  faults(): readonly LineFault[] {
    const faults = this.pins.input.faults.filter(({ name }) => this.names.has(name));
    if (faults.length > 0 || !this.isStalled) return faults;
    const problem = createProblem('pin_driver_silent');
    return [...this.names].map((name) => ({ name, problem }));
  }

  lines(): readonly LineState[] {
    return this.pins.input.lines().filter(({ name }) => this.names.has(name));
  }

  /** Edges right after a late opening may continue a pour whose first edges were missed: never 0 losses. */
  #withUnknownLoss(batch: LineBatch): LineBatch {
    const firstMonoMs = batch.stampsMonoMs[0];
    if (firstMonoMs === undefined || !this.#unseen.delete(batch.meter)) return batch;
    const openedMonoMs = this.#openedLateMonoMs;
    return openedMonoMs !== null && firstMonoMs < openedMonoMs + lateStartMs
      ? { ...batch, lost: null }
      : batch;
  }
}
