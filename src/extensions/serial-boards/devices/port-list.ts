import type { Problem } from '../../../core/health/problems.ts';
import type { SerialLink } from '../../../devices/serial/serial-link.ts';
import type { SerialBoard } from './serial-board.ts';
import { absentProblem, type PortCandidate } from './serial-ports.ts';

/** Bounds of the pause between two attempts at one port. */
const minPauseMs = 1_000;
const maxPauseMs = 30_000;

/** One port with its link and board, and when it may be opened. */
export class Port {
  readonly candidate: PortCandidate;
  link: SerialLink | null = null;
  board: SerialBoard | null = null;
  isOpening = false;
  /** What is wrong and what to do; null when nothing needs attention. */
  problem: Problem | null = null;
  #device: string | null;
  #retryMonoMs = Number.NEGATIVE_INFINITY;
  #pauseMs = minPauseMs;

  constructor(candidate: PortCandidate) {
    this.candidate = candidate;
    this.#device = candidate.device;
    this.#noteAbsence();
  }

  /** Takes the device found at the path now. A device that was not there before is opened without a pause. */
  found(device: string | null): void {
    if (device === this.#device) return;
    this.#device = device;
    if (device !== null) {
      this.#pauseMs = minPauseMs;
      this.#retryMonoMs = Number.NEGATIVE_INFINITY;
    }
    this.#noteAbsence();
  }

  /** True when the port should be opened now. */
  isDue(nowMonoMs: number): boolean {
    const isIdle = this.link === null && !this.isOpening;
    return isIdle && this.#device !== null && nowMonoMs >= this.#retryMonoMs;
  }

  /** The board has identified itself. */
  succeeded(): void {
    this.problem = null;
    this.#pauseMs = minPauseMs;
  }

  /** The port cannot be used now: the next attempt follows after `ms`, or after a pause that doubles. */
  failed(problem: Problem | null, nowMonoMs: number, ms = this.#pauseMs): void {
    this.problem = problem;
    this.#retryMonoMs = nowMonoMs + ms;
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
  }

  #noteAbsence(): void {
    const { path, isDetected } = this.candidate;
    if (this.#device === null && !isDetected) this.problem ??= absentProblem(path);
  }
}

/** The known ports by path, in the order in which they were found. */
export class PortList {
  readonly #ports = new Map<string, Port>();

  all(): readonly Port[] {
    return [...this.#ports.values()];
  }

  /** Takes the result of a search: adds new ports and removes those that are neither listed nor in use. */
  update(candidates: readonly PortCandidate[]): void {
    for (const candidate of candidates) {
      const port = this.#ports.get(candidate.path);
      if (port === undefined) this.#ports.set(candidate.path, new Port(candidate));
      else port.found(candidate.device);
    }
    const paths = new Set(candidates.map(({ path }) => path));
    for (const [path, port] of this.#ports) {
      if (!paths.has(path) && port.link === null && !port.isOpening) this.#ports.delete(path);
    }
  }

  findByController(controller: string): Port | undefined {
    return this.all().find(({ board }) => board?.controller === controller);
  }
}
