import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { LineFault, ToggleOutput } from '../device-interfaces.ts';
import { monotonicMs } from './edge-buffer.ts';
import { RelayGuard } from './relay-guard.ts';
import { checkLimits, throwToggleError } from './toggle-rules.ts';

/** Interval of limit checks: a relay exceeds its time by at most this while the loop runs. */
const checkMs = 50;

/** Dependencies of the relays of a driver without its own thread. */
interface MainLoopRelays {
  /** Relays that were granted, by full name. */
  readonly names: readonly string[];
  readonly faults: readonly LineFault[];
  /** Throws the system's error when the relay cannot be switched. */
  readonly set: (relay: number, on: boolean) => void;
  /** Called when a relay could not be shut at its limit; the attempt is repeated. */
  readonly report: (problem: Problem, relay: string) => void;
  /** Index of the meter; −1 when it is not on this driver. */
  readonly findLine: (meter: string) => number;
  readonly countTicks: (line: number) => number;
}

/**
 * Relays controlled by a timer in the main loop. While that loop stalls they keep their state, since no
 * thread watches them.
 */
export class MainLoopToggles implements ToggleOutput {
  readonly #relays: MainLoopRelays;
  readonly #guard = new RelayGuard();
  readonly #isOpen: boolean[];
  /** Relays that should be shut but could not be. */
  readonly #stuck = new Set<number>();
  readonly #timer: NodeJS.Timeout;
  readonly #atExit = (): void => this.#shutAll();

  constructor(relays: MainLoopRelays) {
    this.#relays = relays;
    this.#isOpen = relays.names.map(() => false);
    this.#timer = setInterval(() => this.#enforceLimits(), checkMs);
    this.#timer.unref();
    process.once('exit', this.#atExit);
  }

  open(
    name: string,
    limits: { readonly maxMs: number; readonly meter?: string; readonly maxTicks?: number },
  ): void {
    const relay = this.#relays.names.indexOf(name);
    if (relay === -1) throwToggleError(name, this.#relays.faults);
    const line = limits.meter === undefined ? -1 : this.#relays.findLine(limits.meter);
    checkLimits(limits, line >= 0);
    this.#set(relay, true);
    this.#guard.open(relay, monotonicMs(), {
      maxMs: limits.maxMs,
      ...(limits.maxTicks === undefined
        ? {}
        : { line, maxTicks: limits.maxTicks, ticksNow: this.#relays.countTicks(line) }),
    });
  }

  shut(name: string): void {
    const relay = this.#relays.names.indexOf(name);
    if (relay === -1) return;
    this.#guard.shut(relay);
    this.#stuck.add(relay);
    this.#set(relay, false);
  }

  isOpen(name: string): boolean {
    return this.#isOpen[this.#relays.names.indexOf(name)] ?? false;
  }

  heartbeat(): void {
    this.#guard.noteHeartbeat(monotonicMs());
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    process.removeListener('exit', this.#atExit);
    this.#shutAll();
  }

  #enforceLimits(): void {
    const due = this.#guard.takeExpired(monotonicMs(), this.#relays.countTicks).map(({ relay }) => relay);
    for (const relay of new Set([...this.#stuck, ...due])) this.#tryShut(relay);
  }

  #shutAll(): void {
    // A relay that fails must not leave the others open.
    this.#relays.names.forEach((_, relay) => {
      this.#guard.shut(relay);
      this.#tryShut(relay);
    });
  }

  #tryShut(relay: number): void {
    try {
      this.#set(relay, false);
    } catch {
      const name = this.#relays.names[relay]!;
      if (!this.#stuck.has(relay))
        this.#relays.report(createProblem('relay_not_shut', { relay: name }), name);
      this.#stuck.add(relay);
    }
  }

  #set(relay: number, on: boolean): void {
    this.#relays.set(relay, on);
    this.#stuck.delete(relay);
    this.#isOpen[relay] = on;
  }
}
