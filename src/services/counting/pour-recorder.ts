import type { Clock, Moment } from '../../core/clock/moment.ts';
import type { EventBus } from '../../core/event-bus.ts';
import { createProblem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import { type CounterPosition, toKeptCounter } from '../../core/pours/counter-position.ts';
import type { EndedPour } from '../../core/pours/pour.ts';
import type { DripTicks, Pours } from '../../engine/engine.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/** The part of the pour journal that the recorder needs. */
interface EndedPours {
  /** Throws when the disk cannot be written; the pour is then in memory only. */
  addEnded(pour: EndedPour, now: Moment): void;
  /** Never throws. */
  free(pourId: string): void;
}

/** Longest pause between two attempts to store waiting pours, in calls of `retry` (one a second). */
const maxPauseCalls = 10;

/**
 * Records ended pours in the database, and keeps each until it is stored.
 *
 * The last checkpoint of an ended pour is on the disk already, because the idle time is longer than the
 * second between two checkpoints. What the database refuses waits here and in the journal: a full disk delays
 * it, and after a power cut it is recovered at the next start.
 */
export class PourRecorder {
  readonly #pours: () => Pours;
  readonly #journal: EndedPours;
  readonly #clock: Clock;
  readonly #reportStoring: ReportProblem;
  readonly #reportJournal: ReportProblem;
  readonly #findSource: (meter: string) => 'pin' | 'serial';
  readonly #isFlowWhileShut: (pour: EndedPour) => boolean;
  readonly #waiting = new Map<string, EndedPour>();
  readonly #drips = new Map<string, Required<DripTicks>>();
  /** The boards' own totals after the waiting drips, by meter. */
  readonly #dripPositions = new Map<string, CounterPosition>();
  #pauseCalls = 1;
  #callsUntilRetry = 0;
  #areDripsWaiting = false;
  #lastFault: unknown;

  constructor(options: {
    /** Throws while the database is closed. */
    pours: () => Pours;
    journal: EndedPours;
    clock: Clock;
    reportStoring: ReportProblem;
    reportJournal: ReportProblem;
    /** The source of a meter's pours. */
    findSource: (meter: string) => 'pin' | 'serial';
    /** True when beer of this pour flowed although the tap's valve was shut. */
    isFlowWhileShut: (pour: EndedPour) => boolean;
  }) {
    this.#pours = options.pours;
    this.#journal = options.journal;
    this.#clock = options.clock;
    this.#reportStoring = options.reportStoring;
    this.#reportJournal = options.reportJournal;
    this.#findSource = options.findSource;
    this.#isFlowWhileShut = options.isFlowWhileShut;
  }

  /** Subscribes to the meter feed's events. Returns the unsubscribe function. */
  subscribe(bus: EventBus): () => void {
    const subscriptions = [
      bus.on('pour.ended', ({ pour }) =>
        // Stored with the pour, which may wait in the journal.
        this.record(this.#isFlowWhileShut(pour) ? { ...pour, flowWhileShut: true } : pour),
      ),
      bus.on('pour.dripped', ({ meter, pourId, ...drip }) => this.addDrip(meter, pourId, drip)),
    ];
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }

  /** Number of ended pours that are not in the database yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Records an ended pour; when the database refuses it, the pour waits in the journal. */
  record(pour: EndedPour): void {
    if (this.#tryRecord(pour)) {
      // The database works again, so the waiting pours are retried at the next call.
      this.#callsUntilRetry = 0;
      return;
    }
    this.#waiting.set(pour.pourId, pour);
    this.#reportWaiting();
    try {
      this.#journal.addEnded(pour, this.#clock.now());
    } catch (cause) {
      this.#reportJournal([createProblem('journal_not_written_either')], cause);
    }
  }

  /** Adds ticks that are too few for a pour to the meter's lifetime total. */
  addDrip(
    meter: string,
    pourId: string,
    {
      ticks,
      isBackFlow = false,
      position,
    }: {
      readonly ticks: number;
      readonly isBackFlow?: boolean;
      readonly position?: CounterPosition;
    },
  ): void {
    const waiting = this.#drips.get(meter) ?? { ticks: 0, drips: 0, backFlowTicks: 0 };
    this.#drips.set(meter, {
      ticks: waiting.ticks + ticks,
      drips: waiting.drips + (isBackFlow ? 0 : 1),
      backFlowTicks: waiting.backFlowTicks + (isBackFlow ? ticks : 0),
    });
    if (position !== undefined) this.#dripPositions.set(meter, position);
    this.#journal.free(pourId);
  }

  /** Called about once a second: retries the waiting pours at growing intervals. */
  retry(): void {
    if (this.#waiting.size === 0 || --this.#callsUntilRetry > 0) return;
    const before = this.#waiting.size;
    // Tries every one: a pour that fails for a reason of its own must not delay the others.
    for (const pour of [...this.#waiting.values()]) this.#tryRecord(pour);
    this.#reportWaiting();
    this.#pauseCalls = this.#waiting.size < before ? 1 : Math.min(this.#pauseCalls * 2, maxPauseCalls);
    this.#callsUntilRetry = this.#pauseCalls;
  }

  /**
   * Called about once a minute and at shutdown: adds the drips to the meters' lifetime totals. A power cut
   * may lose one minute of them; storing each drip of a leaking tap would wear the card.
   */
  flushDrips(): void {
    if (this.#drips.size === 0) return;
    try {
      const now = this.#clock.now();
      const counters = [...this.#dripPositions].map(([meter, position]) =>
        toKeptCounter(meter, position, now),
      );
      this.#pours().countDrips({ byMeter: new Map(this.#drips), counters }, now);
      this.#drips.clear();
      this.#dripPositions.clear();
      this.#areDripsWaiting = false;
    } catch (cause) {
      this.#areDripsWaiting = true;
      this.#lastFault = cause;
    }
    this.#reportWaiting();
  }

  #tryRecord(pour: EndedPour): boolean {
    try {
      this.#pours().record(pour, this.#findSource(pour.meter), this.#clock.now());
    } catch (cause) {
      this.#lastFault = cause;
      return false;
    }
    this.#waiting.delete(pour.pourId);
    // After a power cut at this point the pour is recovered at the next start; its pour_id prevents a second
    // drink.
    this.#journal.free(pour.pourId);
    return true;
  }

  #reportWaiting(): void {
    const count = this.#waiting.size;
    if (count === 0) {
      if (this.#areDripsWaiting) this.#reportStoring([createProblem('drips_waiting')], this.#lastFault);
      else this.#reportStoring([]);
      return;
    }
    const fault = this.#lastFault;
    const why = toProblems(fault, createProblem('database_not_written'));
    this.#reportStoring([createProblem('pours_waiting', { pours: count }), ...why], fault);
  }
}
