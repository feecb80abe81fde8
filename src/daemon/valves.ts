import { AppError } from '../core/app-error.ts';
import type { ToggleOutput } from '../devices/ports.ts';
import type { ReportProblem } from './health-reporters.ts';

/** How long somebody needs a valve open, and how much may run through it. */
export interface ValveNeed {
  /** Monotonic milliseconds. */
  readonly untilMonoMs: number;
  /** Ticks of `meter` after which the relay shuts by itself; only a meter of the relay's own controller counts there. */
  readonly meter?: string;
  readonly maxTicks?: number;
}

export interface ValvesOptions {
  /** Name of this machine's controller: its relays hang on `pins`, every other on a serial board. */
  readonly controller: string;
  readonly pins: ToggleOutput;
  /** Null where no serial board is configured. */
  readonly serial: ToggleOutput | null;
  /** Meters whose ticks the pins' own driver counts, by full name. */
  readonly pinMeters: ReadonlySet<string>;
  readonly nowMonoMs: () => number;
  /** Told of relays that cannot be switched. */
  readonly reportProblem: ReportProblem;
}

/** What is said of a relay that its driver cannot switch off. */
export const relayStuckMessage = (toggle: string): string =>
  `The relay ${toggle} cannot be switched off. Take the valve's power away.`;

/** A relay with every reason there is to keep it open: grants, and a hand. It shuts when the last one is gone. */
interface Valve {
  readonly needs: Map<string, ValveNeed>;
}

/** The relays of the house, whoever drives them. Owns no timer: it is looked at. */
export class Valves {
  readonly #options: ValvesOptions;
  readonly #valves = new Map<string, Valve>();
  /** Relays that failed the last time they were wanted, and how. */
  readonly #problems = new Map<string, string>();
  /** Those of them whose board was away: its return mends them. */
  readonly #away = new Set<string>();

  constructor(options: ValvesOptions) {
    this.#options = options;
  }

  /** Opens a relay for `who`, or keeps it open. Throws what its driver says when it cannot be switched. */
  open(toggle: string, holder: string, need: ValveNeed): void {
    const valve = this.#valves.get(toggle) ?? { needs: new Map() };
    valve.needs.set(holder, need);
    this.#valves.set(toggle, valve);
    try {
      this.#apply(toggle, valve);
      this.#clearProblem(toggle);
    } catch (fault) {
      valve.needs.delete(holder);
      if (valve.needs.size === 0) this.#valves.delete(toggle);
      this.#setProblem(
        toggle,
        fault instanceof AppError ? fault.message : `The relay ${toggle} cannot be switched.`,
        fault,
      );
      throw fault;
    }
  }

  /** Throws `unavailable` for a relay that neither this machine nor a serial board of it drives. */
  requireDriver(toggle: string): void {
    this.#requireDriver(toggle);
  }

  /** `who` needs it no more; without anybody who does, it shuts. Never throws. */
  release(toggle: string, holder: string): void {
    const valve = this.#valves.get(toggle);
    if (!valve?.needs.delete(holder)) return;
    this.#update(toggle, valve);
  }

  /** Shuts a relay whoever needs it. Never throws; false when its driver could not switch it, which is told then. */
  shut(toggle: string): boolean {
    this.#valves.delete(toggle);
    return this.#shut(toggle);
  }

  /** Whether the driver has it open. */
  isOpen(toggle: string): boolean {
    try {
      return this.#requireDriver(toggle).isOpen(toggle);
    } catch {
      return false;
    }
  }

  /** Who needs which relay, and until when. */
  needs(): readonly { readonly toggle: string; readonly holder: string; readonly untilMonoMs: number }[] {
    return [...this.#valves].flatMap(([toggle, { needs }]) =>
      [...needs].map(([holder, { untilMonoMs }]) => ({ toggle, holder, untilMonoMs })),
    );
  }

  /** Lets go of needs whose time is up, and finds relays that shut although they are needed. */
  poll(): readonly { readonly toggle: string; readonly holder: readonly string[] }[] {
    this.#clearReturned();
    const now = this.#options.nowMonoMs();
    const dropped: { toggle: string; holder: readonly string[] }[] = [];
    for (const [toggle, valve] of [...this.#valves]) {
      const over = [...valve.needs].filter(([, { untilMonoMs }]) => now >= untilMonoMs);
      for (const [holder] of over) valve.needs.delete(holder);
      if (over.length > 0) this.#update(toggle, valve);
      if (valve.needs.size === 0 || this.isOpen(toggle)) continue;
      dropped.push({ toggle, holder: [...valve.needs.keys()] });
      this.#valves.delete(toggle);
    }
    return dropped;
  }

  /** Its driver says that it could not be switched. */
  reportFailure(toggle: string, problem: string): void {
    this.#setProblem(
      toggle,
      `${problem} Look at its wiring, and shut the beer off by hand until it is mended.`,
    );
  }

  /** A relay that was needed shut by itself. */
  reportUnexpectedShut(toggle: string): void {
    this.#setProblem(
      toggle,
      `The relay ${toggle} did not stay open: its board or pin is gone, or the daemon stood still. Look at its wiring.`,
    );
  }

  #update(toggle: string, valve: Valve): void {
    if (valve.needs.size === 0) {
      this.shut(toggle);
      return;
    }
    try {
      this.#apply(toggle, valve);
    } catch {
      // It shuts by itself then, and the next look finds it shut.
    }
  }

  /** One relay, one limit: the longest need. Ticks limit it only while nobody else needs it. */
  #apply(toggle: string, { needs }: Valve): void {
    const all = [...needs.values()];
    const untilMonoMs = Math.max(...all.map((need) => need.untilMonoMs));
    const maxMs = Math.max(1, untilMonoMs - this.#options.nowMonoMs());
    const [only] = all;
    const ticks =
      all.length === 1 && only?.maxTicks !== undefined && this.#counts(toggle, only.meter)
        ? { meter: only.meter!, maxTicks: only.maxTicks }
        : {};
    this.#requireDriver(toggle).open(toggle, { maxMs, ...ticks });
  }

  #counts(toggle: string, meter: string | undefined): boolean {
    if (meter === undefined || controllerName(meter) !== controllerName(toggle)) return false;
    return controllerName(toggle) !== this.#options.controller || this.#options.pinMeters.has(meter);
  }

  #shut(toggle: string): boolean {
    const driver = this.#findDriver(toggle);
    // A board that reports over the network switches its own relays.
    if (driver === null) return true;
    try {
      driver.shut(toggle);
      return true;
    } catch (fault) {
      // What is not ours was never opened by us.
      if (fault instanceof AppError && fault.code === 'not_found') return true;
      this.#setProblem(toggle, relayStuckMessage(toggle), fault);
      return false;
    }
  }

  #findDriver(toggle: string): ToggleOutput | null {
    const { controller, pins, serial } = this.#options;
    return controllerName(toggle) === controller ? pins : serial;
  }

  #requireDriver(toggle: string): ToggleOutput {
    const driver = this.#findDriver(toggle);
    if (driver !== null) return driver;
    throw new AppError(
      'unavailable',
      `The relay "${toggle}" hangs on a board that is not connected to this machine.`,
      { reason: { name: 'board_away', relay: toggle } },
    );
  }

  /** A board that was away begins with all relays shut, so what was wrong with them is over. */
  #clearReturned(): void {
    for (const toggle of this.#problems.keys()) {
      if (!this.#isConnected(toggle)) this.#away.add(toggle);
      else if (this.#away.has(toggle)) this.#clearProblem(toggle);
    }
  }

  #isConnected(toggle: string): boolean {
    try {
      return this.#requireDriver(toggle).isConnected?.(toggle) ?? true;
    } catch {
      return false;
    }
  }

  #clearProblem(toggle: string): void {
    this.#away.delete(toggle);
    if (this.#problems.delete(toggle)) this.#report();
  }

  #setProblem(toggle: string, sentence: string, cause?: unknown): void {
    this.#problems.set(toggle, sentence);
    if (!this.#isConnected(toggle)) this.#away.add(toggle);
    this.#report(cause);
  }

  #report(cause?: unknown): void {
    const sentences = [...new Set(this.#problems.values())];
    this.#options.reportProblem(sentences.length === 0 ? null : sentences.join(' '), cause);
  }
}

const controllerName = (name: string): string => name.slice(0, name.indexOf('.'));
