import type { EventBus } from '../../../core/event-bus.ts';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { ThermoBus, ToggleOutput } from '../../../devices/device-interfaces.ts';
import type { OpenLink } from '../../../devices/serial/serial-link.ts';
import { BoardCounters } from './board-counters.ts';
import { BoardThermo } from './board-thermo.ts';
import { relayPorts } from './kbsp/kbsp-commands.ts';
import { type Port, PortList } from './port-list.ts';
import type { KeptMeterTotal, ReportedTicks } from './reported-ticks.ts';
import { type BoardStep, type LinkFailure, SerialBoard } from './serial-board.ts';
import { isDeviceListRefusal, linkProblem, openProblem, type PortCandidate } from './serial-ports.ts';
import { SerialPulses } from './serial-pulses.ts';
import { createSerialToggles } from './serial-toggles.ts';

/** Interval of searching for ports, so that a board that is plugged in again is opened within 2 s. */
const findPortsMs = 1_000;

/** Pause for a device that is not a Kegboard: opening its port may disturb it. */
const unknownDevicePauseMs = 600_000;

/** Upper bound of controllers, so that a board with an ever-changing number does not fill the database. */
const maxControllers = 32;

/** A board that has identified itself. */
export interface IdentifiedBoard {
  readonly controller: string;
  readonly serialNumber: string | null;
  readonly firmware: number;
  /** Names of its relays on the board. */
  readonly relays: readonly string[];
}

/** State of one port. */
interface PortState {
  readonly path: string;
  /** Null until a board has identified itself. */
  readonly controller: string | null;
  /** What is wrong and what to do; null when nothing needs attention. */
  readonly problem: Problem | null;
}

interface SerialBoardsOptions {
  /** Returns the ports to try now. */
  readonly findPorts: () => Promise<readonly PortCandidate[]>;
  readonly openLink: OpenLink;
  /** Milliseconds of the clock that pours are stamped with. */
  readonly nowMonoMs: () => number;
  /** Token events are published here. */
  readonly bus: EventBus;
  /** Called each time a board identifies itself. */
  readonly onBoard: (board: IdentifiedBoard) => void;
  /** Called with the full meter name when a board reports a meter for the first time. */
  readonly onMeter: (meter: string, at: { readonly controller: string; readonly port: string }) => void;
  /** Silence that ends a pour, milliseconds. */
  readonly idleMs: number;
  /**
   * Returns the last totals of a controller's meters that an earlier run of the daemon stored; null when they
   * cannot be read.
   */
  readonly findKept: (controller: string) => readonly KeptMeterTotal[] | null;
  /** Called with ticks that a board counted while it could not be read; `meter` is the full name. */
  readonly onUnobserved: (meter: string, report: ReportedTicks) => void;
  /** Called with details for the log. */
  readonly onNote: (details: object, message: string) => void;
}

/** All serial boards: finds their ports, keeps them open, and combines their pulses, sensors and relays. */
interface SerialBoards {
  /** Called every 50 ms: opens ports, handles steps, writes due commands. */
  poll(): void;
  readonly pulses: SerialPulses;
  readonly thermo: ThermoBus;
  readonly toggles: ToggleOutput;
  ports(): readonly PortState[];
}

export function createSerialBoards(options: SerialBoardsOptions): SerialBoards {
  const { findPorts, openLink, nowMonoMs, bus, onBoard, onMeter, onNote } = options;
  const { idleMs, findKept, onUnobserved } = options;
  const ports = new PortList();
  const counters = new Map<string, BoardCounters>();
  const meters = new Set<string>();
  const pulses = new SerialPulses({ nowMonoMs });
  const thermo = new BoardThermo({ nowMonoMs });
  let foundMonoMs = Number.NEGATIVE_INFINITY;
  let isFinding = false;
  let isClosing = false;

  async function updatePorts(): Promise<void> {
    isFinding = true;
    try {
      ports.update(await findPorts());
    } finally {
      isFinding = false;
    }
  }

  async function open(port: Port): Promise<void> {
    const { path, isDetected, name } = port.candidate;
    port.isOpening = true;
    const early: Uint8Array[] = [];
    let board: SerialBoard | null = null;
    let isClosed = false;
    try {
      const link = await openLink(path, {
        onBytes(bytes) {
          if (board === null) early.push(bytes);
          else if (port.board === board) handleSteps(port, board, board.receive(bytes, nowMonoMs()));
        },
        onClosed(fault) {
          isClosed = true;
          if (board === null || port.board !== board) return;
          onNote({ port: path, err: fault }, 'a serial port was closed');
          closePort(port, isDetected ? null : createProblem('port_unplugged', { path }));
        },
      });
      board = new SerialBoard({
        openedMonoMs: nowMonoMs(),
        findCounters: (controller) => findCounters(controller, port),
        ...omitUndefined({ name }),
      });
      port.link = link;
      port.board = board;
      for (const bytes of early) handleSteps(port, board, board.receive(bytes, nowMonoMs()));
      if (isClosed || isClosing) closePort(port, null);
    } catch (fault) {
      // A detected port may belong to another program; one that the service may not use at all needs a person.
      const isHidden = isDetected && !isDeviceListRefusal(fault);
      port.failed(isHidden ? null : openProblem(path, fault), nowMonoMs());
    } finally {
      port.isOpening = false;
    }
  }

  /** Counters are kept when a link closes; two links never share them. */
  function findCounters(controller: string, requestingPort: Port): BoardCounters | null {
    const other = ports.findByController(controller);
    if (other !== undefined && other !== requestingPort) return null;
    const existing = counters.get(controller);
    if (existing !== undefined) return existing;
    if (counters.size >= maxControllers) return null;
    const created = new BoardCounters({ idleMs, kept: findKept(controller) });
    counters.set(controller, created);
    return created;
  }

  function handleSteps(port: Port, board: SerialBoard, steps: readonly BoardStep[]): void {
    for (const step of steps) handleStep(port, board, step);
  }

  function handleStep(port: Port, board: SerialBoard, step: BoardStep): void {
    const controller = board.controller ?? '';
    const firmware = board.firmware ?? 0;
    switch (step.kind) {
      case 'identified':
        port.succeeded();
        onBoard({ ...step, relays: relayPorts(step.firmware) });
        return;
      case 'restarted':
        onNote({ controller }, 'a serial board has restarted');
        return;
      case 'reported': {
        const { report } = step;
        const meter = `${controller}.${report.meter}`;
        if (!meters.has(meter)) {
          meters.add(meter);
          onMeter(meter, { controller, port: report.meter });
        }
        if (report.jumpedBy !== undefined)
          onNote(
            { meter, ticks: report.jumpedBy },
            'a total rose faster than beer can flow; the difference is not counted',
          );
        if (report.gap === 'unobserved') onUnobserved(meter, report);
        else pulses.take(meter, report, firmware);
        return;
      }
      case 'temperature':
        thermo.record(`${controller}.${step.sensor}`, step.tempC, firmware);
        return;
      case 'presented':
        bus.publish({ type: 'token.presented', controller, device: step.device, value: step.value });
        return;
      case 'removed':
        bus.publish({ type: 'token.removed', controller, device: step.device, value: step.value });
        return;
      case 'failed':
        giveUp(port, step.why);
    }
  }

  function giveUp(port: Port, why: LinkFailure): void {
    const { path, isDetected } = port.candidate;
    const isUnknownDevice = isDetected && why === 'not_a_kegboard';
    const pauseMs = isUnknownDevice || why === 'too_old' ? unknownDevicePauseMs : undefined;
    void closePort(port, isUnknownDevice ? null : linkProblem(path, why), pauseMs);
  }

  /** Closes a port, even when its device is gone, and schedules the next attempt. */
  function closePort(port: Port, problem: Problem | null, pauseMs?: number): Promise<void> {
    const { link, board } = port;
    port.link = null;
    if (link === null || board === null) return Promise.resolve();
    const { steps, write } = board.disconnect();
    handleSteps(port, board, steps);
    port.board = null;
    for (const bytes of write) link.write(bytes);
    port.failed(problem, nowMonoMs(), pauseMs);
    return link.close();
  }

  const toggles = createSerialToggles({
    findBoard: (controller) => ports.findByController(controller)?.board ?? null,
    nowMonoMs,
    async closePorts() {
      isClosing = true;
      await Promise.all(ports.all().map((port) => closePort(port, null)));
    },
    boards: () => ports.all().flatMap(({ board }) => board ?? []),
  });

  return {
    pulses,
    thermo,
    toggles,
    ports: () =>
      ports.all().map(({ candidate, board, problem }) => ({
        path: candidate.path,
        controller: board?.controller ?? null,
        problem,
      })),

    poll() {
      if (isClosing) return;
      const now = nowMonoMs();
      if (!isFinding && now - foundMonoMs >= findPortsMs) {
        foundMonoMs = now;
        void updatePorts().catch((err: unknown) => onNote({ err }, 'serial ports could not be listed'));
      }
      for (const port of ports.all()) {
        const { board, link } = port;
        if (board !== null && link !== null) {
          const { steps, write } = board.step(now);
          for (const bytes of write) link.write(bytes);
          handleSteps(port, board, steps);
        } else if (port.isDue(now)) void open(port);
      }
      for (const [controller, totals] of counters) {
        for (const report of totals.step(now)) pulses.take(`${controller}.${report.meter}`, report, null);
      }
    },
  };
}
