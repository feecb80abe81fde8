import type { Config } from '../config/schema.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import { createMeterFeed, type MeterFeed } from '../devices/meter-feed.ts';
import type { ThermoBus, ToggleOutput } from '../devices/ports.ts';
import { createSerialBoards } from '../devices/serial/serial-boards.ts';
import { openSerialLink } from '../devices/serial/serial-link.ts';
import { findPorts } from '../devices/serial/serial-ports.ts';
import type { Hardware } from '../engine/engine.ts';
import type { MeterStatus } from '../http/ports.ts';
import { randomIds } from '../system/ids.ts';
import type { Logger } from '../system/log.ts';
import { monotonicMs } from '../system/monotonic.ts';
import { ControllerService } from './controller-service.ts';
import type { ReportProblem } from './health-reporters.ts';

export interface SerialControllersOptions {
  readonly config: Config;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Throws while the ledger is closed. */
  readonly hardware: () => Hardware;
  readonly reportProblem: ReportProblem;
  readonly log: Logger;
}

/** The serial boards and what of them the other rooms need. */
export interface SerialControllers {
  /** Every 50 ms: hear the boards, count their ticks, speak to them. */
  everyHeartbeat(): void;
  /** Every second: enter new boards into the ledger, say how the ports are. */
  everySecond(): void;
  /** Turns what the boards report into pours; beaten by `beat`. */
  readonly feed: MeterFeed;
  readonly thermo: ThermoBus;
  readonly toggles: ToggleOutput;
  lines(): readonly MeterStatus[];
  /** Every port, and every board that was heard and is not connected any more. */
  ports(): readonly SerialPortStatus[];
  /** Shuts the boards' relays and lets the ports go. */
  close(): Promise<void>;
}

/** A port or a board, and how it is. */
export interface SerialPortStatus {
  readonly path: string;
  /** Null while nobody there has said who he is. */
  readonly controller: string | null;
  readonly problem: string | null;
}

/** The meters every board has; further ones are heard of when beer runs through them. */
const defaultMeters = ['flow0', 'flow1'];

/** Connects the serial boards with feed, ledger and health. */
export function startSerialControllers(options: SerialControllersOptions): SerialControllers {
  const { config, bus, clock, hardware, reportProblem, log } = options;
  const controllerService = new ControllerService(hardware, (err) =>
    log.warn({ err }, 'a serial board waits to be entered into the ledger'),
  );
  const meters = new Set<string>();
  const readerPorts = config.readers.flatMap(({ type, port }) => (type === 'serial' ? (port ?? []) : []));
  /** Where each board was heard last. */
  const lastPaths = new Map<string, string>();

  const boards = createSerialBoards({
    findPorts: () => findPorts({ ...config.serial, others: readerPorts }),
    openLink: openSerialLink,
    nowMonoMs: monotonicMs,
    bus,
    onBoard({ controller, serialNumber, firmware, relays }) {
      log.info({ controller, serialNumber, firmware }, 'a serial board is heard');
      const serialPort = boards.ports().find((port) => port.controller === controller);
      if (serialPort !== undefined) lastPaths.set(controller, serialPort.path);
      for (const port of defaultMeters) addMeter(`${controller}.${port}`);
      const modelName = `Kegboard, firmware ${firmware}`;
      controllerService.register({
        name: controller,
        modelName,
        serialNumber,
        meters: defaultMeters,
        toggles: relays,
      });
    },
    onMeter(meter, { controller, port }) {
      addMeter(meter);
      controllerService.register({
        name: controller,
        modelName: 'Kegboard',
        serialNumber: null,
        meters: [port],
        toggles: [],
      });
    },
    onNote: (details, message) => log.warn(details, message),
  });

  const { noise_share: noiseShare, simultaneous_ms: simultaneousMs } = config.judgement;
  const feed = createMeterFeed({
    input: boards.pulses,
    meters: [],
    bus,
    ids: randomIds,
    bootId: clock.now().bootId,
    judgement: { noiseShare, simultaneousMs },
    onFault: (err, meter) => log.error({ err, meter }, 'a meter could not be counted'),
  });

  function addMeter(name: string): void {
    meters.add(name);
    const { idle_ms: idleMs, min_ticks: minTicks, max_ms: maxMs } = config.pour;
    // The board has counted already: there are no edges left to refuse.
    feed.addMeter({ name, minGapMs: 0, idleMs, minTicks, maxMs });
  }

  function ports(): readonly SerialPortStatus[] {
    const present = boards.ports();
    // A port that nobody named is forgotten when its plug is pulled; the board on it is not.
    const missed = [...lastPaths].filter(
      ([controller, path]) =>
        !present.some(
          (port) => port.controller === controller || (port.path === path && port.problem !== null),
        ),
    );
    return [
      ...present,
      ...missed.map(([controller, path]) => ({
        path,
        controller,
        problem: `The board ${controller}, last at ${path}, is not connected. Plug it in again.`,
      })),
    ];
  }

  return {
    feed,
    ports,
    thermo: boards.thermo,
    toggles: boards.toggles,

    everyHeartbeat() {
      boards.toggles.heartbeat();
      boards.poll();
      feed.poll();
    },

    everySecond() {
      controllerService.retry();
      const all = ports().flatMap(({ problem }) => problem ?? []);
      reportProblem(all.length === 0 ? null : all.join(' '));
    },

    lines() {
      const present = new Set(boards.ports().map(({ controller }) => controller));
      return [...meters].map((meter): MeterStatus => {
        const controller = meter.slice(0, meter.indexOf('.'));
        if (present.has(controller)) return { meter, state: 'counting', problem: null };
        return { meter, state: 'fault', problem: `The board ${controller} is not connected.` };
      });
    },

    close: () => boards.toggles.close(),
  };
}
