import type { LineFault, ToggleOutput } from '../ports.ts';
import { monotonicMs } from './edge-tray.ts';
import { RelayGuard } from './relay-guard.ts';
import { checkLimits, refuseToggle } from './toggle-rules.ts';

/** How often limits are looked at: a relay overruns its time by no more than this while the loop turns. */
const lookMs = 50;

/** What the relays of a driver without a thread of its own need. */
export interface MainLoopRelays {
  /** Relays that were granted, by full name. */
  readonly names: readonly string[];
  readonly faults: readonly LineFault[];
  readonly set: (relay: number, on: boolean) => void;
  /** Index of the meter, −1 when it is not ours. */
  readonly lineOf: (meter: string) => number;
  readonly ticksOf: (line: number) => number;
}

/** Relays minded by a timer of the main loop. While that loop is stalled they stay as they are: no thread watches them. */
export class MainLoopToggles implements ToggleOutput {
  readonly #relays: MainLoopRelays;
  readonly #guard = new RelayGuard();
  readonly #isOpen: boolean[];
  readonly #timer: NodeJS.Timeout;
  readonly #atExit = (): void => this.#shutAll();

  constructor(relays: MainLoopRelays) {
    this.#relays = relays;
    this.#isOpen = relays.names.map(() => false);
    this.#timer = setInterval(() => this.#mind(), lookMs);
    this.#timer.unref();
    process.once('exit', this.#atExit);
  }

  open(
    name: string,
    limits: { readonly maxMs: number; readonly meter?: string; readonly maxTicks?: number },
  ): void {
    const relay = this.#relays.names.indexOf(name);
    if (relay === -1) refuseToggle(name, this.#relays.faults);
    const line = limits.meter === undefined ? -1 : this.#relays.lineOf(limits.meter);
    checkLimits(limits, line >= 0);
    this.#set(relay, true);
    this.#guard.open(relay, monotonicMs(), {
      maxMs: limits.maxMs,
      ...(limits.maxTicks === undefined
        ? {}
        : { line, maxTicks: limits.maxTicks, ticksNow: this.#relays.ticksOf(line) }),
    });
  }

  shut(name: string): void {
    const relay = this.#relays.names.indexOf(name);
    if (relay === -1) return;
    this.#guard.shut(relay);
    this.#set(relay, false);
  }

  isOpen(name: string): boolean {
    return this.#isOpen[this.#relays.names.indexOf(name)] ?? false;
  }

  heartbeat(): void {
    this.#guard.hear(monotonicMs());
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    process.removeListener('exit', this.#atExit);
    this.#shutAll();
  }

  #mind(): void {
    for (const { relay } of this.#guard.due(monotonicMs(), this.#relays.ticksOf)) this.#set(relay, false);
  }

  #shutAll(): void {
    this.#relays.names.forEach((name) => {
      this.shut(name);
    });
  }

  #set(relay: number, on: boolean): void {
    this.#relays.set(relay, on);
    this.#isOpen[relay] = on;
  }
}
