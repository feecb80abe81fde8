import { createProblem, type Problem } from '../../../../core/health/problems.ts';
import { eventBytes, eventField } from '../../gpio-structs.ts';
import type { GpioKernel } from '../../gpio-uapi.ts';
import type { InterruptCounters } from '../../interrupts.ts';
import { errorCode } from '../../line-problems.ts';
import type { GrantedMeters, GrantedRelay } from '../../line-request.ts';
import type { LossCounters } from '../../loss-counters.ts';
import { RelayGuard } from '../../relay-guard.ts';
import type { CdevCommand } from './cdev-messages.ts';
import type { RingWriter } from './edge-ring.ts';
import type { SharedControl } from './shared-control.ts';

/** Upper bound of one wait: a request to stop is noticed within this time. */
const waitMs = 200;
/** Pause after a read, so that edges queue up: at 6 400 edges/s this saves most of the wake-ups. */
const pauseMs = 4;
/** Upper bound of a wait while some edges are unaccounted for. */
const recheckWaitMs = 25;
/** The kernel's interrupt thread queues an edge well within this time after it occurred. */
const lateEdgeMs = 10;
const eventsPerRead = 256;
const wordSize = 0x1_0000_0000;

/** Dependencies and state of the loop; lines and relays are identified by their index in the plan. */
export interface CdevLoop {
  readonly kernel: GpioKernel;
  readonly nowMs: () => number;
  readonly ring: RingWriter;
  readonly control: SharedControl;
  readonly losses: LossCounters;
  readonly interrupts: InterruptCounters;
  readonly consumer: string;
  readonly meters: GrantedMeters;
  /** Index in the plan of each granted meter. */
  readonly planIndex: readonly number[];
  /** Index of the relay in the plan → its granted output. */
  readonly relays: ReadonlyMap<number, GrantedRelay>;
  readonly wakeFd: number;
  readonly nextCommand: () => CdevCommand | undefined;
  /** `relay` is the full name of the relay concerned. */
  readonly report: (problem: Problem, isOver: boolean, relay?: string) => void;
}

/**
 * Reads edges and enforces the relays' limits until `control.stopRequested`. Every wait has an upper bound.
 */
export function runCdevLoop(loop: CdevLoop): void {
  const { kernel, ring, control, losses, nowMs } = loop;
  const relays = new RelayControl(loop);
  const edges = new EdgeReader(loop);
  const wakeBytes = Buffer.alloc(8);
  let meterFd = loop.meters.fd;
  let heartbeats = control.heartbeats;

  while (!control.stopRequested) {
    const beforeMs = nowMs();
    if (control.heartbeats !== heartbeats) {
      heartbeats = control.heartbeats;
      relays.guard.noteHeartbeat(beforeMs);
    }
    relays.runCommands(beforeMs);
    relays.enforceLimits(beforeMs);

    let [found = 'nothing'] = kernel.poll([meterFd], 0);
    if (found === 'nothing') {
      ring.publishUntil(beforeMs - lateEdgeMs);
      if (losses.check(beforeMs, edges.interruptCounts)) edges.publishLosses();
      edges.readLevels(beforeMs, meterFd);
      const limitMs = Math.min(
        losses.open > 0 ? recheckWaitMs : waitMs,
        Math.ceil(relays.guard.msUntilNextCheck(nowMs())),
      );
      const [event = 'nothing', wake] = kernel.poll([meterFd, loop.wakeFd], limitMs);
      if (wake === 'readable') kernel.read(loop.wakeFd, wakeBytes);
      found = event;
    }
    if (found === 'nothing') continue;

    const code = found === 'readable' ? edges.read(meterFd) : 'ENODEV';
    if (code !== null) {
      meterFd = -1;
      loop.report(createProblem('gpio_chip_silent', { code }), true);
      continue;
    }
    // A full read means that more events are queued: read on without a pause.
    if (edges.wasFull) continue;
    const [wake] = kernel.poll([loop.wakeFd], pauseMs);
    if (wake === 'readable') kernel.read(loop.wakeFd, wakeBytes);
  }
  relays.shutAll();
}

/** Turns the kernel's events into ring entries and records lost edges. */
class EdgeReader {
  readonly #loop: CdevLoop;
  readonly #bytes = Buffer.alloc(eventBytes * eventsPerRead);
  readonly #words = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  /** Line offset → index in the request. */
  readonly #indexes: ReadonlyMap<number, number>;
  #levelsMs = Number.NEGATIVE_INFINITY;
  #wasFull = false;

  constructor(loop: CdevLoop) {
    this.#loop = loop;
    this.#indexes = new Map(loop.meters.lines.map((line, index) => [line.pin, index]));
  }

  /** True when the last read filled the buffer. */
  get wasFull(): boolean {
    return this.#wasFull;
  }

  /** Reads the queued events, at most 256; returns the error code when the chip is gone. */
  read(fd: number): string | null {
    const { kernel, ring, losses, planIndex } = this.#loop;
    let bytes: number;
    try {
      bytes = kernel.read(fd, this.#bytes);
    } catch (error) {
      return errorCode(error);
    }
    this.#wasFull = bytes === this.#bytes.length;
    let lastMs = 0;
    for (let at = 0; at + eventBytes <= bytes; at += eventBytes) {
      const low = this.#words.getUint32(at + eventField.stampNs, true);
      const high = this.#words.getUint32(at + eventField.stampNs + 4, true);
      lastMs = (high * wordSize + low) / 1e6;
      const index = this.#indexes.get(this.#words.getUint32(at + eventField.offset, true));
      if (index === undefined) continue;
      ring.push(planIndex[index]!, lastMs);
      losses.record(
        index,
        this.#words.getUint32(at + eventField.seqno, true),
        this.#words.getUint32(at + eventField.lineSeqno, true),
        lastMs,
      );
    }
    this.publishLosses();
    ring.publish();
    if (lastMs > 0) ring.publishUntil(lastMs - lateEdgeMs);
    return bytes === 0 ? 'EOF' : null;
  }

  /** Interrupts of every granted line since its request; null where the kernel's table has no usable row. */
  readonly interruptCounts = (): readonly (number | null)[] =>
    this.#loop.interrupts.counts(
      this.#loop.consumer,
      this.#loop.meters.lines.map((line) => line.pin),
    );

  publishLosses(): void {
    const { ring, losses, planIndex } = this.#loop;
    planIndex.forEach((line, index) => {
      ring.publishLosses(line, { lost: losses.lost(index), unproven: losses.unproven(index) });
    });
  }

  /** Publishes the present levels every 200 ms. */
  readLevels(atMs: number, fd: number): void {
    if (fd < 0 || atMs - this.#levelsMs < waitMs) return;
    this.#levelsMs = atMs;
    const { kernel, control, planIndex } = this.#loop;
    try {
      const levels = kernel.levels(fd, planIndex.length);
      planIndex.forEach((line, index) => {
        control.setLevel(line, (levels >> BigInt(index)) & 1n ? 1 : 0);
      });
    } catch {
      // Only `tapster doctor` shows levels; a chip that is gone fails at the next read.
      for (const line of planIndex) control.setLevel(line, null);
    }
  }
}

/** Executes relay commands and shuts relays whose limits are reached. */
class RelayControl {
  readonly guard = new RelayGuard();
  readonly #loop: CdevLoop;
  readonly #commands = new Map<number, number>();

  constructor(loop: CdevLoop) {
    this.#loop = loop;
  }

  runCommands(nowMs: number): void {
    for (let next = this.#loop.nextCommand(); next !== undefined; next = this.#loop.nextCommand()) {
      this.#commands.set(next.relay, next.command);
      if (next.kind === 'shut') {
        this.guard.shut(next.relay);
        this.#set(next.relay, false);
        continue;
      }
      if (!this.#set(next.relay, true)) continue;
      const { line } = next;
      this.guard.open(next.relay, nowMs, {
        ...next,
        ...(line === undefined ? {} : { ticksNow: this.#loop.ring.pushed(line) }),
      });
    }
  }

  enforceLimits(nowMs: number): void {
    for (const { relay, reason } of this.guard.takeExpired(nowMs, (line) => this.#loop.ring.pushed(line))) {
      this.#set(relay, false);
      if (reason === 'no_heartbeat') {
        this.#loop.report(createProblem('relays_without_heartbeat'), false);
      }
    }
  }

  shutAll(): void {
    for (const relay of this.#loop.relays.keys()) this.#set(relay, false);
  }

  #set(relay: number, on: boolean): boolean {
    const granted = this.#loop.relays.get(relay);
    if (!granted) return false;
    try {
      this.#loop.kernel.switchOutput(granted.fd, on);
    } catch (error) {
      const { name } = granted.relay;
      const problem = createProblem('relay_switch_failed', { relay: name, code: errorCode(error) });
      this.#loop.report(problem, false, name);
      // Reported as off: a relay that cannot be switched must not be relied on.
      this.#loop.control.setRelay(relay, false, this.#commands.get(relay) ?? 0);
      return false;
    }
    this.#loop.control.setRelay(relay, on, this.#commands.get(relay) ?? 0);
    return true;
  }
}
