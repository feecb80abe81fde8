import { AppError } from '../../core/app-error.ts';
import { RelayGuard } from '../gpio/relay-guard.ts';
import { checkLimits } from '../gpio/toggle-rules.ts';
import { relayPorts } from './kbsp-commands.ts';

/** The board switches an output off ten seconds after the last word; we speak well inside that. */
const refreshMs = 2_000;

/** A word may be lost on the wire: off is said again until the board agrees, so often at most. */
const maxOffRepeats = 3;
const offRepeatMs = 500;

/** What an output is to be told. */
export interface OutputCommand {
  readonly output: number;
  readonly on: boolean;
}

export interface RelayLimits {
  readonly maxMs: number;
  /** A meter of the same board, by its name there. */
  readonly meter?: string;
  readonly maxTicks?: number;
}

/**
 * The relays of one board: which are open, until when, and what the board must be told now. Nothing is said of an open
 * relay once the main loop is silent, and then the board's own watchdog shuts it.
 */
export class BoardRelays {
  readonly #ports: readonly string[];
  readonly #guard = new RelayGuard();
  readonly #open = new Set<number>();
  readonly #dueMonoMs = new Map<number, number>();
  readonly #offsLeft = new Map<number, number>();
  readonly #ticks = new Map<string, number>();
  readonly #lines: string[] = [];

  constructor(firmware: number) {
    this.#ports = relayPorts(firmware);
  }

  get ports(): readonly string[] {
    return this.#ports;
  }

  /** Opens `relay0`… within its limits. Throws `not_found`, or `invalid_request` for limits that are none. */
  open(port: string, limits: RelayLimits, nowMonoMs: number): void {
    const output = this.#outputOf(port);
    const { maxMs, maxTicks, meter } = limits;
    checkLimits(limits, meter !== undefined);
    const counted = meter !== undefined && maxTicks !== undefined;
    this.#guard.open(output, nowMonoMs, {
      maxMs,
      ...(counted ? { maxTicks, line: this.#lineOf(meter), ticksNow: this.#ticks.get(meter) ?? 0 } : {}),
    });
    this.#open.add(output);
    this.#offsLeft.delete(output);
    this.#dueMonoMs.set(output, nowMonoMs);
  }

  /** Harmless when it is shut already. */
  shut(port: string, nowMonoMs: number): void {
    const output = this.#ports.indexOf(port);
    if (output >= 0) this.#shut(output, nowMonoMs);
  }

  isOpen(port: string): boolean {
    return this.#open.has(this.#ports.indexOf(port));
  }

  /** The main loop lives. */
  noteHeartbeat(nowMonoMs: number): void {
    this.#guard.noteHeartbeat(nowMonoMs);
  }

  addTicks(meter: string, ticks: number): void {
    this.#ticks.set(meter, (this.#ticks.get(meter) ?? 0) + ticks);
  }

  /** The board says how an output stands. */
  outputReported(port: string, on: boolean, nowMonoMs: number): void {
    const output = this.#ports.indexOf(port);
    if (output < 0) return;
    if (on === this.#open.has(output)) {
      if (on) return;
      this.#offsLeft.delete(output);
      this.#dueMonoMs.delete(output);
      return;
    }
    // Its watchdog was faster than our word, or a word was lost: say again what we want.
    if (on) this.#shut(output, nowMonoMs);
    else this.#dueMonoMs.set(output, nowMonoMs);
  }

  /** The board began again: every output is off, and nobody opens a valve by himself. */
  restarted(): void {
    for (const output of this.#open) this.#guard.shut(output);
    this.#open.clear();
    this.#dueMonoMs.clear();
    this.#offsLeft.clear();
  }

  /** The next word that is due, offs first; null when all is said. It counts as said. */
  nextCommand(nowMonoMs: number): OutputCommand | null {
    for (const { relay } of this.#guard.takeExpired(
      nowMonoMs,
      (line) => this.#ticks.get(this.#lines[line] ?? '') ?? 0,
    )) {
      this.#shut(relay, nowMonoMs);
    }
    const isDue = (output: number) => (this.#dueMonoMs.get(output) ?? Number.POSITIVE_INFINITY) <= nowMonoMs;
    const dueOutputs = [...this.#dueMonoMs.keys()].filter(isDue);
    const output = dueOutputs.find((one) => !this.#open.has(one)) ?? dueOutputs[0];
    if (output === undefined) return null;
    if (this.#open.has(output)) {
      this.#dueMonoMs.set(output, nowMonoMs + refreshMs);
      return { output, on: true };
    }
    const left = (this.#offsLeft.get(output) ?? 0) - 1;
    if (left > 0) {
      this.#offsLeft.set(output, left);
      this.#dueMonoMs.set(output, nowMonoMs + offRepeatMs);
    } else {
      this.#offsLeft.delete(output);
      this.#dueMonoMs.delete(output);
    }
    return { output, on: false };
  }

  /** Shuts all; the offs for relays that were open, to be sent before the link is closed. */
  shutAll(): OutputCommand[] {
    const commands = [...this.#open, ...this.#offsLeft.keys()].map((output) => ({ output, on: false }));
    this.restarted();
    return commands;
  }

  #shut(output: number, nowMonoMs: number): void {
    this.#guard.shut(output);
    this.#open.delete(output);
    this.#offsLeft.set(output, maxOffRepeats);
    this.#dueMonoMs.set(output, nowMonoMs);
  }

  #lineOf(meter: string): number {
    const existing = this.#lines.indexOf(meter);
    return existing >= 0 ? existing : this.#lines.push(meter) - 1;
  }

  #outputOf(port: string): number {
    const output = this.#ports.indexOf(port);
    if (output < 0) throw new AppError('not_found', `This board has no relay "${port}".`);
    return output;
  }
}
