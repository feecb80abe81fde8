import { AppError } from '../../core/app-error.ts';
import { createProblem } from '../../core/health/problems.ts';
import type { LineBatch, PulseInput, ToggleOutput } from '../device-interfaces.ts';
import { PulseQueue } from './pulse-script.ts';
import { SimulatedRelays } from './simulated-relays.ts';

/** Most pulses of one call: about ten litres with the finest known meter. */
export const maxPulsesPerScript = 100_000;

/** Accepted pulse rates, hertz: from a drip to well above what the edge filter passes. */
export const minPulseHz = 0.1;
export const maxPulseHz = 10_000;

/** Scripts that may wait on one meter. */
const maxWaitingScripts = 8;

/** Longest duration of one script. */
const maxScriptMs = 3_600_000;

/** A line of the simulated chip. */
export interface SimulatedLine {
  /** Full name, `<controller>.<port>`. */
  readonly name: string;
  readonly pin: number;
}

/** Simulated pins: pulses have real time stamps, relays enforce the real limits. */
export interface SimulatedPins extends PulseInput, ToggleOutput {
  /**
   * Makes `ticks` pulses at `hz` on a meter, starting now or after the pulses requested before. Throws
   * `not_found` for an unknown meter, `invalid_request` out of range, `too_many` while too many scripts are
   * queued. `echoes` are meters that receive the same pulses, as with leads that touch.
   */
  pulse(meter: string, ticks: number, hz: number, echoes?: readonly string[]): void;
  /** Makes a pulse at each of these times from now, or from the end of the pours before; refuses like `pulse`. */
  pour(meter: string, offsetsMs: ArrayLike<number>, durationMs: number): void;
  /** Replaces the lines. Meters with the same name and pin go on; a relay that is taken away is shut. */
  change(next: {
    readonly meters: readonly SimulatedLine[];
    readonly toggles: readonly SimulatedLine[];
  }): void;
}

/**
 * `nowMonoMs` must read the same clock as the daemon's moments. Has no timer: pulses are made when drained.
 */
export function createSimulatedPins({
  meters,
  toggles,
  nowMonoMs,
}: {
  readonly meters: readonly SimulatedLine[];
  readonly toggles: readonly SimulatedLine[];
  readonly nowMonoMs: () => number;
}): SimulatedPins {
  const openLine = ({ pin }: SimulatedLine) => ({ pin, queue: new PulseQueue(), received: 0 });
  const lines = new Map(meters.map((line) => [line.name, openLine(line)]));
  /** Pulses of lines that were taken away, for the next drain. */
  let lastBatches: LineBatch[] = [];
  const relays = new SimulatedRelays(toggles.map(({ name }) => name));

  function findLine(meter: string) {
    const line = lines.get(meter);
    if (line === undefined) throw new AppError('not_found', `There is no meter "${meter}" here.`);
    return line;
  }

  return {
    driver: 'simulated',
    description: [createProblem('pins_simulated')],
    faults: [],

    pulse(meter, ticks, hz, echoes = []) {
      const queues = [...new Set([meter, ...echoes])].map((name) => ({ name, queue: findLine(name).queue }));
      validatePulses(ticks, hz);
      for (const { name, queue } of queues) requireFreeScript(name, queue);
      const now = nowMonoMs();
      for (const { queue } of queues) queue.add({ ticks, hz }, now);
    },

    pour(meter, offsetsMs, durationMs) {
      const { queue } = findLine(meter);
      validatePour(offsetsMs.length, durationMs);
      requireFreeScript(meter, queue);
      queue.add({ offsetsMs, durationMs }, nowMonoMs());
    },

    drain() {
      const untilMonoMs = nowMonoMs();
      relays.expire(untilMonoMs);
      const batches = lastBatches;
      lastBatches = [];
      for (const [meter, line] of lines) {
        const stampsMonoMs = line.queue.take(untilMonoMs);
        if (stampsMonoMs.length === 0) continue;
        line.received += stampsMonoMs.length;
        relays.countTicks(meter, stampsMonoMs.length);
        batches.push({ meter, stampsMonoMs, lost: 0 });
      }
      return { lines: batches, untilMonoMs };
    },

    change(next) {
      const untilMonoMs = nowMonoMs();
      for (const [meter, { pin, queue }] of [...lines]) {
        if (next.meters.some((line) => line.name === meter && line.pin === pin)) continue;
        lastBatches.push({ meter, stampsMonoMs: queue.take(untilMonoMs), lost: 0 });
        lines.delete(meter);
      }
      for (const line of next.meters) if (!lines.has(line.name)) lines.set(line.name, openLine(line));
      relays.rename(next.toggles.map(({ name }) => name));
    },

    lines() {
      const now = nowMonoMs();
      return [...lines].map(([name, { pin, received, queue }]) => ({
        name,
        pin,
        received,
        lost: 0,
        level: queue.isLow(now) ? 0 : 1,
      }));
    },

    open(name, limits) {
      if (limits.meter !== undefined) findLine(limits.meter);
      relays.open(name, limits, nowMonoMs());
    },
    shut: (name) => relays.shut(name),
    isOpen: (name) => relays.isOpen(name, nowMonoMs()),
    heartbeat: () => relays.heartbeat(nowMonoMs()),

    async close() {
      relays.shutAll();
    },
  };
}

function requireFreeScript(meter: string, queue: PulseQueue): void {
  if (queue.length < maxWaitingScripts) return;
  throw new AppError('too_many', `Too many pours are queued on "${meter}"; try again later.`, {
    reason: { name: 'queue_full' },
  });
}

function validatePour(ticks: number, durationMs: number): void {
  if (ticks <= maxPulsesPerScript && durationMs <= maxScriptMs) return;
  throw new AppError(
    'invalid_request',
    `A pour has at most ${maxPulsesPerScript} pulses and takes at most an hour.`,
  );
}

function validatePulses(ticks: number, hz: number): void {
  const fields: Record<string, string> = {};
  if (!(Number.isInteger(ticks) && ticks >= 1 && ticks <= maxPulsesPerScript)) {
    fields.ticks = `a whole number from 1 to ${maxPulsesPerScript}`;
  }
  if (!(hz >= minPulseHz && hz <= maxPulseHz)) {
    fields.hz = `a number from ${minPulseHz} to ${maxPulseHz}`;
  }
  if (Object.keys(fields).length === 0 && (ticks * 1_000) / hz > maxScriptMs) {
    fields.hz = 'fast enough to end within an hour';
  }
  if (Object.keys(fields).length > 0) {
    const problems = Object.entries(fields).map(([field, allowed]) => `${field} must be ${allowed}`);
    throw new AppError('invalid_request', `These pulses cannot be made: ${problems.join('; ')}.`, { fields });
  }
}
