import { AppError } from '../core/app-error.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock, Moment } from '../core/moment.ts';
import type { EndedPour } from '../core/pour.ts';
import type { Pours } from '../engine/engine.ts';
import type { ReportProblem } from './health-reporters.ts';

/** What the keeper needs of the journal beside the database. */
export interface EndedPours {
  /** Throws when the disk refuses; the pour is then safe in memory only. */
  keepEnded(pour: EndedPour, now: Moment): void;
  /** Never throws. */
  free(pourId: string): void;
}

/** Longest wait between two tries to record what could not be stored, in calls of `retry` (one a second). */
const maxPause = 10;

/**
 * Brings ended pours into the ledger, and never lets go of one before it is there.
 *
 * Its last checkpoint is on the disk already, since silence is longer than the second between two checkpoints. What the
 * database refuses waits here and in the journal: a full disk delays it, a power cut brings it back at the next start.
 */
export class PourRecorder {
  readonly #pours: () => Pours;
  readonly #journal: EndedPours;
  readonly #clock: Clock;
  readonly #reportStoring: ReportProblem;
  readonly #reportJournal: ReportProblem;
  readonly #findSource: (meter: string) => 'pin' | 'serial';
  readonly #waiting = new Map<string, EndedPour>();
  readonly #drips = new Map<string, number>();
  #pause = 1;
  #untilRetry = 0;
  #dripsWait = false;
  #lastFault: unknown;

  constructor(parts: {
    /** Throws while the ledger is closed. */
    pours: () => Pours;
    journal: EndedPours;
    clock: Clock;
    reportStoring: ReportProblem;
    reportJournal: ReportProblem;
    /** The door a meter's pours come through. */
    findSource: (meter: string) => 'pin' | 'serial';
  }) {
    this.#pours = parts.pours;
    this.#journal = parts.journal;
    this.#clock = parts.clock;
    this.#reportStoring = parts.reportStoring;
    this.#reportJournal = parts.reportJournal;
    this.#findSource = parts.findSource;
  }

  /** Listens to the pulse feed. Returns the way to stop. */
  subscribe(bus: EventBus): () => void {
    const subscriptions = [
      bus.on('pour.ended', ({ pour }) => this.take(pour)),
      bus.on('pour.dripped', ({ meter, pourId, ticks }) => this.drip(meter, pourId, ticks)),
    ];
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }

  /** Pours that ended and are not in the ledger yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** An ended pour goes into the ledger; if that cannot be, onto the journal until it can. */
  take(pour: EndedPour): void {
    if (this.#record(pour)) {
      // The disk takes pours again, so those that wait need not sit out their pause.
      this.#untilRetry = 0;
      return;
    }
    this.#waiting.set(pour.pourId, pour);
    this.#reportWaiting();
    try {
      this.#journal.keepEnded(pour, this.#clock.now());
    } catch (cause) {
      this.#reportJournal(
        'The pour journal cannot be written either; a power cut now would lose the pours that wait.',
        cause,
      );
    }
  }

  /** Too few ticks for a pour: they count in the meter's lifetime total. */
  drip(meter: string, pourId: string, ticks: number): void {
    this.#drips.set(meter, (this.#drips.get(meter) ?? 0) + ticks);
    this.#journal.free(pourId);
  }

  /** Called about once a second: tries again what could not be stored, at growing intervals. */
  retry(): void {
    if (this.#waiting.size === 0 || --this.#untilRetry > 0) return;
    const before = this.#waiting.size;
    // Every one is tried: a pour that cannot be recorded for a reason of its own must not hold up the others.
    for (const pour of [...this.#waiting.values()]) this.#record(pour);
    this.#reportWaiting();
    this.#pause = this.#waiting.size < before ? 1 : Math.min(this.#pause * 2, maxPause);
    this.#untilRetry = this.#pause;
  }

  /**
   * Called about once a minute and at the end: writes the drips into the meters' lifetime totals. A power cut may cost a
   * minute of them; a leaking tap would otherwise wear the card.
   */
  flushDrips(): void {
    if (this.#drips.size === 0) return;
    try {
      this.#pours().countDrips(new Map(this.#drips));
      this.#drips.clear();
      this.#dripsWait = false;
    } catch (cause) {
      this.#dripsWait = true;
      this.#lastFault = cause;
    }
    this.#reportWaiting();
  }

  #record(pour: EndedPour): boolean {
    try {
      this.#pours().record(pour, this.#findSource(pour.meter), this.#clock.now());
    } catch (cause) {
      this.#lastFault = cause;
      return false;
    }
    this.#waiting.delete(pour.pourId);
    // A power cut just here brings the pour back at the next start, where its pour_id makes it harmless.
    this.#journal.free(pour.pourId);
    return true;
  }

  #reportWaiting(): void {
    const count = this.#waiting.size;
    if (count === 0) {
      if (this.#dripsWait)
        this.#reportStoring('Drips cannot be stored now; they are counted and wait.', this.#lastFault);
      else this.#reportStoring(null);
      return;
    }
    const pours = count === 1 ? 'A finished pour waits' : `${count} finished pours wait`;
    const fault = this.#lastFault;
    const why =
      fault instanceof AppError ? fault.message : 'The database cannot be written; the log says why.';
    this.#reportStoring(`${pours} for the database. ${why}`, fault);
  }
}
