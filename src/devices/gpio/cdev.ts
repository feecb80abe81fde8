import { closeSync, existsSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { KegError } from '../../core/keg-error.ts';
import type { Drained, LineFault, LineState, PulseInput, ToggleOutput } from '../ports.ts';
import type { CdevCommand, CdevReport, CdevStart } from './cdev-messages.ts';
import { ControlCells, createControlMemory } from './control-cells.ts';
import { createRingMemory, RingReader } from './edge-ring.ts';
import type { OpenPins, PinRequest } from './open-pins.ts';
import { checkLimits, refuseToggle } from './toggle-rules.ts';

/** The kernel shows it as the owner of our lines; the process number tells two daemons apart. */
const consumerOf = (pid: number): string => `tapster-${pid}`;
/** The thread answers within one wait of 200 ms; this much patience covers a machine under load. */
const stopLimitMs = 2_000;
const wakeWord = new Uint8Array(new BigUint64Array([1n]).buffer);

/**
 * Opens the lines through the GPIO character device, read by a thread of its own. Resolves when the lines are ours;
 * lines that could not be had are `faults`. Rejects with `unavailable` when no chip can be used at all.
 */
export async function openCdev(request: PinRequest): Promise<OpenPins> {
  const ring = createRingMemory(request.plan.meters.length);
  const control = createControlMemory({
    lineCount: request.plan.meters.length,
    relayCount: request.plan.relays.length,
  });
  const start: CdevStart = {
    plan: request.plan,
    roots: request.roots,
    consumer: consumerOf(process.pid),
    ring,
    control,
    ...(request.chip === undefined ? {} : { chip: request.chip }),
  };
  // The kernel hands out the lines' descriptors past node, which would warn at each closing of one it never saw opened.
  const worker = new Worker(workerFile(), { workerData: start, trackUnmanagedFds: false });
  const opened = await firstReport(worker);
  const thread = new PinThread({ worker, request, opened, cells: new ControlCells(control) });
  return { input: new CdevInput(thread, new RingReader(ring)), toggles: new CdevToggles(thread) };
}

type Opened = Extract<CdevReport, { kind: 'opened' }>;

/** The thread as both ports see it: one life, one way to wake it, one end. */
class PinThread {
  readonly request: PinRequest;
  readonly opened: Opened;
  readonly cells: ControlCells;
  readonly faults: LineFault[];
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #atExit = (): void => this.#lastMoments();
  #wakeFd: number | null;
  #isStopping = false;

  constructor(parts: { worker: Worker; request: PinRequest; opened: Opened; cells: ControlCells }) {
    this.request = parts.request;
    this.opened = parts.opened;
    this.cells = parts.cells;
    this.faults = [...parts.request.plan.faults, ...parts.opened.faults];
    this.#worker = parts.worker;
    this.#wakeFd = parts.opened.wakeFd;
    this.#worker.on('message', (message: CdevReport) => this.#hear(message));
    this.#worker.on('error', (error) => this.#lose(`The pin thread failed (${error.message})`));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end();
        resolve();
      });
    });
    // A process that leaves without closing must not leave the beer running.
    process.once('exit', this.#atExit);
  }

  send(command: CdevCommand): void {
    this.#worker.postMessage(command);
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.cells.askToStop();
    this.#wake();
    const timer = setTimeout(() => void this.#worker.terminate(), stopLimitMs);
    await this.#ended;
    clearTimeout(timer);
  }

  get isOver(): boolean {
    return this.#wakeFd === null;
  }

  #hear(message: CdevReport): void {
    if (message.kind !== 'trouble') {
      if (message.kind === 'failed') this.#lose(message.problem);
      return;
    }
    if (message.isOver) this.#lose(message.problem);
    else this.request.report(message.problem);
  }

  #lose(problem: string): void {
    const { meters, relays } = this.request.plan;
    for (const { name } of [...meters, ...relays]) {
      if (!this.faults.some((fault) => fault.name === name)) this.faults.push({ name, problem });
    }
    this.request.report(problem);
  }

  #end(): void {
    process.removeListener('exit', this.#atExit);
    const fd = this.#wakeFd;
    // Forgotten before it is closed: its number may be another file's a moment later.
    this.#wakeFd = null;
    if (fd !== null) closeSync(fd);
    if (!this.#isStopping) this.#lose('The pin thread ended; no tap counts until the program is restarted.');
  }

  #wake(): void {
    if (this.#wakeFd !== null) writeSync(this.#wakeFd, wakeWord);
  }

  #lastMoments(): void {
    if (this.isOver) return;
    this.cells.askToStop();
    this.#wake();
    this.cells.waitStopped(stopLimitMs / 4);
  }
}

class CdevInput implements PulseInput {
  readonly driver = 'cdev';
  readonly #thread: PinThread;
  readonly #reader: RingReader;

  constructor(thread: PinThread, reader: RingReader) {
    this.#thread = thread;
    this.#reader = reader;
  }

  get describe(): string {
    return this.#thread.opened.describe;
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
      level: this.#thread.cells.level(line),
    }));
  }

  /** Ends the thread, and with it the relays. */
  close(): Promise<void> {
    return this.#thread.stop();
  }
}

class CdevToggles implements ToggleOutput {
  readonly #thread: PinThread;
  readonly #commands: number[];
  readonly #wanted: boolean[];

  constructor(thread: PinThread) {
    this.#thread = thread;
    this.#commands = thread.request.plan.relays.map(() => 0);
    this.#wanted = thread.request.plan.relays.map(() => false);
  }

  open(
    name: string,
    limits: { readonly maxMs: number; readonly meter?: string; readonly maxTicks?: number },
  ): void {
    const relay = this.#relay(name);
    if (this.#thread.faults.some((fault) => fault.name === name)) refuseToggle(name, this.#thread.faults);
    const line = this.#thread.request.plan.meters.findIndex((meter) => meter.name === limits.meter);
    checkLimits(limits, line >= 0);
    this.#wanted[relay] = true;
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
    this.#wanted[relay] = false;
    if (!this.#thread.isOver) this.#thread.send({ kind: 'shut', relay, command: this.#nextCommand(relay) });
  }

  isOpen(name: string): boolean {
    const relay = this.#relay(name);
    if (this.#thread.isOver) return false;
    return this.#thread.cells.relayAfter(relay, this.#commands[relay]!) ?? this.#wanted[relay]!;
  }

  heartbeat(): void {
    this.#thread.cells.beat();
  }

  /** Shuts every relay; the thread itself ends with the pulse input. */
  async close(): Promise<void> {
    for (const { name } of this.#thread.request.plan.relays) this.shut(name);
  }

  #relay(name: string): number {
    const relay = this.#thread.request.plan.relays.findIndex((one) => one.name === name);
    if (relay === -1) refuseToggle(name, this.#thread.faults);
    return relay;
  }

  #nextCommand(relay: number): number {
    this.#commands[relay] = (this.#commands[relay]! + 1) | 0;
    return this.#commands[relay]!;
  }
}

/** The thread's first word: opened, or why not. */
function firstReport(worker: Worker): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      worker.off('error', onError).off('exit', onExit).off('message', onMessage);
      action();
    };
    const refuse = (problem: string, cause?: unknown): void =>
      settle(() => {
        // A thread that fails once more while it ends has nothing new to say.
        worker.on('error', () => undefined);
        reject(new KegError('unavailable', problem, { cause }));
      });
    const onError = (error: Error): void => refuse(`The pin thread could not start: ${error.message}`, error);
    const onExit = (): void => refuse('The pin thread ended before it began.');
    const onMessage = (message: CdevReport): void => {
      if (message.kind === 'opened') settle(() => resolve(message));
      else refuse(message.problem);
    };
    worker.on('error', onError).on('exit', onExit).on('message', onMessage);
  });
}

/** The compiled thread: a Node 20 worker cannot be a `.ts` file, so a run from source takes the built one. */
function workerFile(): URL {
  const beside = new URL('./cdev-worker.js', import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL('../../../dist/devices/gpio/cdev-worker.js', import.meta.url);
}
