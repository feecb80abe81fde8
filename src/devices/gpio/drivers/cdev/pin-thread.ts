import { closeSync, existsSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../core/app-error.ts';
import { createProblem, type Problem } from '../../../../core/health/problems.ts';
import type { LineFault } from '../../../device-interfaces.ts';
import type { PinRequest } from '../../open-pins.ts';
import type { CdevCommand, CdevReport, CdevStart } from './cdev-messages.ts';
import type { SharedControl } from './shared-control.ts';

/** The thread stops within one wait of 200 ms; the limit allows for a machine under load. */
const stopTimeoutMs = 2_000;
const wakeValue = new Uint8Array(new BigUint64Array([1n]).buffer);

type Opened = Extract<CdevReport, { kind: 'opened' }>;

/** The pin thread, shared by the pulse input and the toggles. */
export class PinThread {
  readonly request: PinRequest;
  readonly opened: Opened;
  readonly control: SharedControl;
  readonly faults: LineFault[];
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #atExit = (): void => this.#stopAtExit();
  #wakeFd: number | null;
  #isStopping = false;
  #hasFailed = false;

  constructor(parts: { worker: Worker; request: PinRequest; opened: Opened; control: SharedControl }) {
    this.request = parts.request;
    this.opened = parts.opened;
    this.control = parts.control;
    this.faults = [...parts.request.plan.faults, ...parts.opened.faults];
    this.#worker = parts.worker;
    this.#wakeFd = parts.opened.wakeFd;
    this.#worker.on('message', (message: CdevReport) => this.#handleMessage(message));
    this.#worker.on('error', (error) =>
      this.#fail(createProblem('pin_thread_failed', { error: error.message })),
    );
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#handleExit();
        resolve();
      });
    });
    // A process that exits without closing must not leave a valve open.
    process.once('exit', this.#atExit);
  }

  send(command: CdevCommand): void {
    this.#worker.postMessage(command);
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.control.requestStop();
    this.#wake();
    const timer = setTimeout(() => void this.#worker.terminate(), stopTimeoutMs);
    await this.#ended;
    clearTimeout(timer);
  }

  get isOver(): boolean {
    return this.#wakeFd === null;
  }

  /** True once no line counts any more although nobody stopped the thread. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  #handleMessage(message: CdevReport): void {
    if (message.kind !== 'fault') {
      if (message.kind === 'failed') this.#fail(message.problem);
      return;
    }
    if (message.isOver) this.#fail(message.problem);
    else this.request.report(message.problem, message.relay);
  }

  #fail(problem: Problem): void {
    this.#hasFailed = true;
    const { meters, relays } = this.request.plan;
    for (const { name } of [...meters, ...relays]) {
      if (!this.faults.some((fault) => fault.name === name)) this.faults.push({ name, problem });
    }
    this.request.report(problem);
  }

  #handleExit(): void {
    process.removeListener('exit', this.#atExit);
    const fd = this.#wakeFd;
    // Cleared before closing: the descriptor's number may be reused at once.
    this.#wakeFd = null;
    if (fd !== null) closeSync(fd);
    this.#closeLines();
    if (!this.#isStopping) this.#fail(createProblem('pin_thread_ended'));
  }

  /** A thread that dies, for lack of memory for example, keeps its lines: opening them again would find them taken. */
  #closeLines(): void {
    if (this.control.isStopped) return;
    for (const fd of this.opened.lineFds) closeSync(fd);
  }

  #wake(): void {
    if (this.#wakeFd !== null) writeSync(this.#wakeFd, wakeValue);
  }

  #stopAtExit(): void {
    if (this.isOver) return;
    this.control.requestStop();
    this.#wake();
    this.control.waitStopped(stopTimeoutMs / 4);
  }
}

/**
 * Starts the thread; resolves when its lines are opened, rejects with `unavailable` when no line can be
 * opened.
 */
export async function startPinThread(parts: {
  readonly request: PinRequest;
  readonly start: CdevStart;
  readonly control: SharedControl;
}): Promise<PinThread> {
  // Node did not open the lines' descriptors itself and would warn whenever one is closed.
  const worker = new Worker(workerFile(), { workerData: parts.start, trackUnmanagedFds: false });
  const opened = await firstReport(worker);
  return new PinThread({ worker, opened, request: parts.request, control: parts.control });
}

/** The thread's first message: `opened`, or the reason for the failure. */
function firstReport(worker: Worker): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      worker.off('error', onError).off('exit', onExit).off('message', onMessage);
      action();
    };
    const refuse = (problem: Problem, cause?: unknown): void =>
      settle(() => {
        // Ignore a further error while the thread ends.
        worker.on('error', () => undefined);
        reject(new AppError('unavailable', problem, { cause }));
      });
    const onError = (error: Error): void =>
      refuse(createProblem('pin_thread_not_started', { error: error.message }), error);
    const onExit = (): void => refuse(createProblem('pin_thread_ended_at_start'));
    const onMessage = (message: CdevReport): void => {
      if (message.kind === 'opened') settle(() => resolve(message));
      else refuse(message.problem);
    };
    worker.on('error', onError).on('exit', onExit).on('message', onMessage);
  });
}

/** The compiled thread: a Node 20 worker cannot be a `.ts` file, so a run from source uses the built file. */
function workerFile(): URL {
  const beside = new URL('./cdev-worker.js', import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL('../../../../../dist/devices/gpio/drivers/cdev/cdev-worker.js', import.meta.url);
}
