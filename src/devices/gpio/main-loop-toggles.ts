import type { LineFault, ToggleOutput } from '../ports.ts';
import { monotonicMs } from './edge-buffer.ts';
import { RelayGuard } from './relay-guard.ts';
import { checkLimits, throwToggleError } from './toggle-rules.ts';

/** How often limits are looked at: a relay overruns its time by no more than this while the loop turns. */
const checkMs = 50;

/** What the relays of a driver without a thread of its own need. */
export interface MainLoopRelays {
  /** Relays that were granted, by full name. */
  readonly names: readonly string[];
  readonly faults: readonly LineFault[];
  /** Throws what the system says when it cannot be switched. */
  readonly set: (relay: number, on: boolean) => void;
  /** Told of a relay that could not be shut at its limit; it is tried again. */
  readonly report: (problem: string, relay: string) => void;
  /** Index of the meter, −1 when it is not ours. */
  readonly findLine: (meter: string) => number;
  readonly countTicks: (line: number) => number;
}

/** Relays minded by a timer of the main loop. While that loop is stalled they stay as they are: no thread watches them. */
export class MainLoopToggles implements ToggleOutput {
  readonly #relays: MainLoopRelays;
  readonly #guard = new RelayGuard();
  readonly #isOpen: boolean[];
  /** Relays that should be shut and could not be. */
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
    // One that fails must not keep the others open.
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
      if (!this.#stuck.has(relay)) this.#relays.report(`Relay ${name} could not be switched off.`, name);
      this.#stuck.add(relay);
    }
  }

  #set(relay: number, on: boolean): void {
    this.#relays.set(relay, on);
    this.#stuck.delete(relay);
    this.#isOpen[relay] = on;
  }
}
