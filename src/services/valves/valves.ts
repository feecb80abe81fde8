import { AppError } from '../../core/app-error.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import type { ToggleOutput } from '../../devices/device-interfaces.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/** How long a holder needs a valve open, and how much may flow through it. */
interface ValveNeed {
  /** Monotonic milliseconds. */
  readonly untilMonoMs: number;
  /**
   * Ticks of `meter` after which the relay shuts by itself; works only for a meter of the relay's own
   * controller.
   */
  readonly meter?: string;
  readonly maxTicks?: number;
}

interface ValvesOptions {
  /** Name of this machine's controller: `pins` drives its relays, boards all others. */
  readonly controller: string;
  readonly pins: ToggleOutput;
  /** The relays of boards at this machine, one for each source that reads such boards. */
  readonly boards: readonly ToggleOutput[];
  /** True for the full name of a meter whose ticks the pin driver counts. */
  readonly isPinMeter: (meter: string) => boolean;
  readonly nowMonoMs: () => number;
  /** Reports relays that cannot be switched. */
  readonly reportProblem: ReportProblem;
}

/** The problem of a relay that its driver cannot switch off. */
export const relayStuck = (toggle: string): Problem => createProblem('relay_not_shut', { relay: toggle });

/** A relay with the needs of all its holders: grants and manual opening. It shuts when the last one ends. */
interface Valve {
  readonly needs: Map<string, ValveNeed>;
}

/** All relays that this machine and the boards at it drive. Owns no timer: `poll` drives it. */
export class Valves {
  readonly #options: ValvesOptions;
  readonly #valves = new Map<string, Valve>();
  /** The problems of each relay whose last switching failed. */
  readonly #problems = new Map<string, readonly Problem[]>();
  /** Those of them whose board was disconnected; their problem ends when it returns. */
  readonly #disconnected = new Set<string>();

  constructor(options: ValvesOptions) {
    this.#options = options;
  }

  /** Opens a relay for `holder`, or keeps it open. Throws the driver's error when it cannot be switched. */
  open(toggle: string, holder: string, need: ValveNeed): void {
    const valve = this.#valves.get(toggle) ?? { needs: new Map() };
    valve.needs.set(holder, need);
    this.#valves.set(toggle, valve);
    try {
      this.#apply(toggle, valve);
      this.#clearProblems(toggle);
    } catch (fault) {
      valve.needs.delete(holder);
      if (valve.needs.size === 0) this.#valves.delete(toggle);
      this.#setProblems(
        toggle,
        toProblems(fault, createProblem('relay_not_switched', { relay: toggle })),
        fault,
      );
      throw fault;
    }
  }

  /** Throws `unavailable` for a relay that neither this machine nor a board at it drives. */
  requireDriver(toggle: string): void {
    this.#requireDriver(toggle);
  }

  /** Removes the holder's need; the relay shuts when none is left. Never throws. */
  release(toggle: string, holder: string): void {
    const valve = this.#valves.get(toggle);
    if (!valve?.needs.delete(holder)) return;
    this.#update(toggle, valve);
  }

  /**
   * Shuts a relay whoever holds it. Never throws; returns false and reports it when the driver could not
   * switch it.
   */
  shut(toggle: string): boolean {
    this.#valves.delete(toggle);
    return this.#shut(toggle);
  }

  /** True when the driver has the relay open. */
  isOpen(toggle: string): boolean {
    try {
      return this.#requireDriver(toggle).isOpen(toggle);
    } catch {
      return false;
    }
  }

  /** Like `isOpen`, and null when the state is not known: no driver here, or its board is not connected. */
  findState(toggle: string): boolean | null {
    return this.#findDriver(toggle) === null || !this.#isConnected(toggle) ? null : this.isOpen(toggle);
  }

  /** The holders of each relay, and until when they need it. */
  needs(): readonly { readonly toggle: string; readonly holder: string; readonly untilMonoMs: number }[] {
    return [...this.#valves].flatMap(([toggle, { needs }]) =>
      [...needs].map(([holder, { untilMonoMs }]) => ({ toggle, holder, untilMonoMs })),
    );
  }

  /** Removes expired needs and returns the relays that shut although they are needed. */
  poll(): readonly { readonly toggle: string; readonly holders: readonly string[] }[] {
    this.#clearReturned();
    const now = this.#options.nowMonoMs();
    const unexpectedlyShut: { toggle: string; holders: readonly string[] }[] = [];
    for (const [toggle, valve] of [...this.#valves]) {
      const expired = [...valve.needs].filter(([, { untilMonoMs }]) => now >= untilMonoMs);
      for (const [holder] of expired) valve.needs.delete(holder);
      if (expired.length > 0) this.#update(toggle, valve);
      if (valve.needs.size === 0 || this.isOpen(toggle)) continue;
      unexpectedlyShut.push({ toggle, holders: [...valve.needs.keys()] });
      this.#valves.delete(toggle);
    }
    return unexpectedlyShut;
  }

  /** Reports a relay that its driver could not switch. */
  reportFailure(toggle: string, problem: Problem): void {
    this.#setProblems(toggle, [problem, createProblem('relay_advice')]);
  }

  /** Reports a relay that shut by itself while it was needed. */
  reportUnexpectedShut(toggle: string): void {
    this.#setProblems(toggle, [createProblem('relay_shut_by_itself', { relay: toggle })]);
  }

  #update(toggle: string, valve: Valve): void {
    if (valve.needs.size === 0) {
      this.shut(toggle);
      return;
    }
    try {
      this.#apply(toggle, valve);
    } catch {
      // The relay then shuts by itself, and the next `poll` finds it shut.
    }
  }

  /** A relay has one limit, the longest need. A tick limit applies only while there is a single holder. */
  #apply(toggle: string, { needs }: Valve): void {
    const all = [...needs.values()];
    const untilMonoMs = Math.max(...all.map((need) => need.untilMonoMs));
    const maxMs = Math.max(1, untilMonoMs - this.#options.nowMonoMs());
    const [only] = all;
    const ticks =
      all.length === 1 && only?.maxTicks !== undefined && this.#countsMeter(toggle, only.meter)
        ? { meter: only.meter!, maxTicks: only.maxTicks }
        : {};
    this.#requireDriver(toggle).open(toggle, { maxMs, ...ticks });
  }

  #countsMeter(toggle: string, meter: string | undefined): boolean {
    if (meter === undefined || controllerName(meter) !== controllerName(toggle)) return false;
    return controllerName(toggle) !== this.#options.controller || this.#options.isPinMeter(meter);
  }

  #shut(toggle: string): boolean {
    const driver = this.#findDriver(toggle);
    // A network kegboard switches its own relays.
    if (driver === null) return true;
    try {
      driver.shut(toggle);
      return true;
    } catch (fault) {
      // A relay that the driver does not know was never opened here.
      if (fault instanceof AppError && fault.code === 'not_found') return true;
      this.#setProblems(toggle, [relayStuck(toggle)], fault);
      return false;
    }
  }

  #findDriver(toggle: string): ToggleOutput | null {
    const { controller, pins, boards } = this.#options;
    if (controllerName(toggle) === controller) return pins;
    return boards.find((one) => one.isConnected?.(toggle)) ?? boards[0] ?? null;
  }

  #requireDriver(toggle: string): ToggleOutput {
    const driver = this.#findDriver(toggle);
    if (driver !== null) return driver;
    throw new AppError(
      'unavailable',
      `The relay "${toggle}" belongs to a board that is not connected to this machine.`,
      { reason: { name: 'board_disconnected', relay: toggle } },
    );
  }

  /** Clears the problems of relays whose board has returned: it starts with all relays shut. */
  #clearReturned(): void {
    for (const toggle of this.#problems.keys()) {
      if (!this.#isConnected(toggle)) this.#disconnected.add(toggle);
      else if (this.#disconnected.has(toggle)) this.#clearProblems(toggle);
    }
  }

  #isConnected(toggle: string): boolean {
    try {
      return this.#requireDriver(toggle).isConnected?.(toggle) ?? true;
    } catch {
      return false;
    }
  }

  #clearProblems(toggle: string): void {
    this.#disconnected.delete(toggle);
    if (this.#problems.delete(toggle)) this.#report();
  }

  #setProblems(toggle: string, problems: readonly Problem[], cause?: unknown): void {
    this.#problems.set(toggle, problems);
    if (!this.#isConnected(toggle)) this.#disconnected.add(toggle);
    this.#report(cause);
  }

  #report(cause?: unknown): void {
    this.#options.reportProblem([...this.#problems.values()].flat(), cause);
  }
}

const controllerName = (name: string): string => name.slice(0, name.indexOf('.'));
