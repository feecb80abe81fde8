import { AppError } from '../../../core/app-error.ts';
import type { RelayLimits } from '../../../devices/device-interfaces.ts';
import { RelayGuard } from '../../../devices/gpio/relay-guard.ts';
import { checkLimits } from '../../../devices/gpio/toggle-rules.ts';
import { relayPorts } from './kbsp/kbsp-commands.ts';

/**
 * Interval of repeating an open command: the board switches an output off ten seconds after the last command.
 */
const refreshMs = 2_000;

/** A command may be lost on the wire: off is repeated until the board confirms it, at most this often. */
const maxOffRepeats = 3;
const offRepeatMs = 500;

/** A command for one output. */
interface OutputCommand {
  readonly output: number;
  readonly on: boolean;
}

/**
 * The relays of one board: which are open, until when, and which commands are due. Without heartbeats of the
 * main loop open commands are no longer repeated, and the board's own watchdog shuts the relays.
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

  /** Opens `relay0`… within its limits. Throws `not_found`, or `invalid_request` for limits out of range. */
  open(port: string, limits: RelayLimits, nowMonoMs: number): void {
    const output = this.#findOutput(port);
    const { maxMs, maxTicks, meter } = limits;
    checkLimits(limits, meter !== undefined);
    const counted = meter !== undefined && maxTicks !== undefined;
    this.#guard.open(output, nowMonoMs, {
      maxMs,
      ...(counted ? { maxTicks, line: this.#findLine(meter), ticksNow: this.#ticks.get(meter) ?? 0 } : {}),
    });
    this.#open.add(output);
    this.#offsLeft.delete(output);
    this.#dueMonoMs.set(output, nowMonoMs);
  }

  /** Shuts a relay; does nothing for an unknown one. */
  shut(port: string, nowMonoMs: number): void {
    const output = this.#ports.indexOf(port);
    if (output >= 0) this.#shut(output, nowMonoMs);
  }

  isOpen(port: string): boolean {
    return this.#open.has(this.#ports.indexOf(port));
  }

  /** Records a heartbeat of the main loop. */
  noteHeartbeat(nowMonoMs: number): void {
    this.#guard.noteHeartbeat(nowMonoMs);
  }

  addTicks(meter: string, ticks: number): void {
    this.#ticks.set(meter, (this.#ticks.get(meter) ?? 0) + ticks);
  }

  /** Takes the board's report of an output's state. */
  outputReported(port: string, on: boolean, nowMonoMs: number): void {
    const output = this.#ports.indexOf(port);
    if (output < 0) return;
    if (on === this.#open.has(output)) {
      if (on) return;
      this.#offsLeft.delete(output);
      this.#dueMonoMs.delete(output);
      return;
    }
    // The board's watchdog acted first, or a command was lost: repeat the command.
    if (on) this.#shut(output, nowMonoMs);
    else this.#dueMonoMs.set(output, nowMonoMs);
  }

  /** The board restarted: every output is off and stays off until it is opened again. */
  restarted(): void {
    for (const output of this.#open) this.#guard.shut(output);
    this.#open.clear();
    this.#dueMonoMs.clear();
    this.#offsLeft.clear();
  }

  /** Returns the next due command, off commands first, and counts it as sent; null when none is due. */
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

  /** Shuts all relays; returns the off commands to send before the link is closed. */
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

  #findLine(meter: string): number {
    const existing = this.#lines.indexOf(meter);
    return existing >= 0 ? existing : this.#lines.push(meter) - 1;
  }

  #findOutput(port: string): number {
    const output = this.#ports.indexOf(port);
    if (output < 0) throw new AppError('not_found', `This board has no relay "${port}".`);
    return output;
  }
}
