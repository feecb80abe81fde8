import type { Problem } from '../../../../core/health/problems.ts';
import { omitUndefined } from '../../../../core/omit-undefined.ts';
import type { Drained, LineFault, LineState, PulseInput, ToggleOutput } from '../../../device-interfaces.ts';
import type { OpenPins, PinRequest } from '../../open-pins.ts';
import { checkLimits, throwToggleError } from '../../toggle-rules.ts';
import type { CdevStart } from './cdev-messages.ts';
import { cdev } from './driver.ts';
import { createRingMemory, RingReader } from './edge-ring.ts';
import { type PinThread, startPinThread } from './pin-thread.ts';
import { createControlMemory, SharedControl } from './shared-control.ts';

/**
 * Opens the lines through the GPIO character device; a separate thread reads them. Resolves when the lines
 * are requested; lines that could not be opened are `faults`. Rejects with `unavailable` when no chip can be
 * used.
 */
export async function openCdev(request: PinRequest): Promise<OpenPins> {
  const lineCount = request.plan.meters.length;
  const ring = createRingMemory(lineCount);
  const control = createControlMemory({ lineCount, relayCount: request.plan.relays.length });
  const start: CdevStart = {
    plan: request.plan,
    roots: request.roots,
    // The kernel shows this name as the owner of the lines; the process id distinguishes two daemons.
    consumer: `tapster-${process.pid}`,
    ring,
    control,
    ...omitUndefined({ chip: request.chip }),
  };
  const thread = await startPinThread({ request, start, control: new SharedControl(control) });
  return {
    input: new CdevInput(thread, new RingReader(ring)),
    toggles: new CdevToggles(thread),
    hasEnded: () => thread.hasFailed,
  };
}

class CdevInput implements PulseInput {
  readonly driver = cdev.name;
  readonly #thread: PinThread;
  readonly #reader: RingReader;

  constructor(thread: PinThread, reader: RingReader) {
    this.#thread = thread;
    this.#reader = reader;
  }

  get description(): readonly Problem[] {
    return [this.#thread.opened.description];
  }

  get faults(): readonly LineFault[] {
    return this.#thread.faults;
  }

  drain(): Drained {
    const { meters } = this.#thread.request.plan;
    const { batches, untilMonoMs } = this.#reader.drain();
    return {
      untilMonoMs,
      lines: batches.map(({ line, stampsMonoMs, lost }) => ({
        meter: meters[line]!.name,
        stampsMonoMs,
        lost,
      })),
    };
  }

  lines(): readonly LineState[] {
    return this.#thread.request.plan.meters.map(({ name, pin }, line) => ({
      name,
      pin,
      received: this.#reader.received(line),
      lost: this.#reader.lost(line),
      dropped: this.#reader.dropped(line),
      level: this.#thread.control.level(line),
    }));
  }

  /** Stops the thread, which switches every relay off. */
  close(): Promise<void> {
    return this.#thread.stop();
  }
}

class CdevToggles implements ToggleOutput {
  readonly #thread: PinThread;
  readonly #commands: number[];
  readonly #requested: boolean[];

  constructor(thread: PinThread) {
    this.#thread = thread;
    this.#commands = thread.request.plan.relays.map(() => 0);
    this.#requested = thread.request.plan.relays.map(() => false);
  }

  open(
    name: string,
    limits: { readonly maxMs: number; readonly meter?: string; readonly maxTicks?: number },
  ): void {
    const relay = this.#relay(name);
    if (this.#thread.faults.some((fault) => fault.name === name)) throwToggleError(name, this.#thread.faults);
    const line = this.#thread.request.plan.meters.findIndex((meter) => meter.name === limits.meter);
    checkLimits(limits, line >= 0);
    this.#requested[relay] = true;
    this.#thread.send({
      kind: 'open',
      relay,
      command: this.#nextCommand(relay),
      maxMs: limits.maxMs,
      ...(limits.maxTicks === undefined ? {} : { line, maxTicks: limits.maxTicks }),
    });
  }

  shut(name: string): void {
    const relay = this.#relay(name);
    this.#requested[relay] = false;
    if (!this.#thread.isOver) this.#thread.send({ kind: 'shut', relay, command: this.#nextCommand(relay) });
  }

  isOpen(name: string): boolean {
    const relay = this.#relay(name);
    if (this.#thread.isOver) return false;
    return this.#thread.control.relayAfter(relay, this.#commands[relay]!) ?? this.#requested[relay]!;
  }

  heartbeat(): void {
    this.#thread.control.heartbeat();
  }

  /** Shuts every relay; closing the pulse input stops the thread. */
  async close(): Promise<void> {
    for (const { name } of this.#thread.request.plan.relays) this.shut(name);
  }

  #relay(name: string): number {
    const relay = this.#thread.request.plan.relays.findIndex((one) => one.name === name);
    if (relay === -1) throwToggleError(name, this.#thread.faults);
    return relay;
  }

  #nextCommand(relay: number): number {
    this.#commands[relay] = (this.#commands[relay]! + 1) | 0;
    return this.#commands[relay]!;
  }
}
