import { createProblem } from '../../../core/health/problems.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { createMeterFeed } from '../../../devices/meter-feed.ts';
import type { OpenLink } from '../../../devices/serial/serial-link.ts';
import type { MeterStatus } from '../../../http/ports.ts';
import type {
  CountingSource,
  CountingSourceParts,
  SourcePort,
} from '../../../services/counting/counting-source.ts';
import { randomIds } from '../../../system/ids.ts';
import type { SerialSettings } from '../config/settings-group.ts';
import type { ReportedTicks } from '../devices/reported-ticks.ts';
import { createSerialBoards } from '../devices/serial-boards.ts';
import { findPorts, openBoardLink, type PortCandidate } from '../devices/serial-ports.ts';
import { ControllerService } from './controller-service.ts';
import { toKeptTotals } from './kept-totals.ts';

/** The meters that every board has; others become known with their first ticks. */
const defaultMeters = ['flow0', 'flow1'];

/** Connects the serial boards to feed, database and health: their pours, temperatures, relays and ports. */
export function startSerialBoards(
  options: CountingSourceParts & {
    readonly settings: SerialSettings;
    /** How ports are found and opened, instead of those of this machine. */
    readonly machine?: {
      readonly findPorts: () => Promise<readonly PortCandidate[]>;
      readonly openLink: OpenLink;
    };
  },
): CountingSource {
  const { config, bus, clock, log, reportProblem, hardware, interruptedPours, returnMs } = options;
  const { idle_ms: idleMs, min_ticks: minTicks, max_ms: maxMs } = config.pour;
  const nowMonoMs = () => clock.now().monoMs;
  const returnMonoMs = nowMonoMs() + returnMs;
  const interrupted = new Set(interruptedPours.map(({ meter }) => meter));
  const controllerService = new ControllerService(hardware, (err) =>
    log.warn({ err }, 'a serial board could not be registered in the database yet; trying again'),
  );
  const meters = new Set<string>();
  const readerPorts = config.readers.flatMap(({ type, port }) => (type === 'serial' ? (port ?? []) : []));
  /** The last known path of each board. */
  const lastPaths = new Map<string, string>();

  const boards = createSerialBoards({
    findPorts: () => findPorts({ ...options.settings, others: readerPorts }),
    openLink: openBoardLink,
    ...options.machine,
    nowMonoMs,
    bus,
    idleMs,
    findKept(controller) {
      const kept = options.keptCounters();
      const flowUntilMonoMs = (meter: string) => (interrupted.has(meter) ? returnMonoMs : undefined);
      return kept && toKeptTotals(kept, { controller, now: clock.now(), flowUntilMonoMs });
    },
    onUnobserved: recordUnobserved,
    onBoard({ controller, serialNumber, firmware, relays }) {
      log.info({ controller, serialNumber, firmware }, 'serial board connected');
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
    findFacts: options.findFacts,
    onFault: (err, meter) => log.error({ err, meter }, 'a meter could not be counted'),
  });

  for (const pour of interruptedPours) {
    addMeter(pour.meter);
    feed.resume(pour);
    boards.pulses.hold(pour.meter, pour.lastTickMonoMs, returnMonoMs);
  }

  /** Records ticks that a board counted while it could not be read, as a pour of their own. */
  function recordUnobserved(meter: string, report: ReportedTicks): void {
    const { ticks, lost, arrivedMonoMs } = report;
    const { bootId } = clock.now();
    const pourId = randomIds.next();
    const position = report.counter && { ...report.counter, bootId, atMonoMs: arrivedMonoMs };
    log.info({ meter, ticks, lost }, 'a serial board counted while it could not be read');
    if (ticks < (options.findFacts(meter)?.minTicks ?? minTicks)) {
      bus.publish({ type: 'pour.dripped', meter, pourId, ticks, ...omitUndefined({ position }) });
      return;
    }
    bus.publish({
      type: 'pour.ended',
      pour: {
        pourId,
        meter,
        bootId,
        ticks,
        startedMonoMs: arrivedMonoMs,
        durationMs: 0,
        series: `0:${ticks}`,
        reachedMaxDuration: false,
        rejectedEdges: 0,
        ticksLost: lost,
        doubts: [],
        recovered: true,
        unobserved: true,
        ...omitUndefined({ position }),
      },
    });
  }

  function addMeter(name: string): void {
    meters.add(name);
    // The board has already filtered its edges, so the gap is 0.
    feed.addMeter({ name, minGapMs: 0, idleMs, minTicks, maxMs });
  }

  function ports(): readonly SourcePort[] {
    const present = boards.ports();
    // A port that is not in the configuration disappears when it is unplugged; its board stays listed.
    const disconnected = [...lastPaths].filter(
      ([controller, path]) =>
        !present.some(
          (port) => port.controller === controller || (port.path === path && port.problem !== null),
        ),
    );
    return [
      ...present,
      ...disconnected.map(([controller, path]) => ({
        path,
        controller,
        problem: createProblem('board_unplugged', { board: controller, path }),
      })),
    ];
  }

  return {
    feed,
    ports,
    thermo: boards.thermo,
    toggles: boards.toggles,

    /** Called every 50 ms: receive from the boards, count their ticks, send to them. */
    everyHeartbeat(): void {
      boards.toggles.heartbeat();
      boards.poll();
      feed.poll();
    },

    /** Called every second: register new boards in the database, report the state of the ports. */
    everySecond(): void {
      controllerService.retry();
      reportProblem(ports().flatMap(({ problem }) => problem ?? []));
    },

    meterStatuses(): readonly MeterStatus[] {
      const present = new Set(boards.ports().map(({ controller }) => controller));
      return [...meters].map((meter): MeterStatus => {
        const controller = meter.slice(0, meter.indexOf('.'));
        if (present.has(controller)) return { meter, state: 'counting', problem: null };
        return {
          meter,
          state: 'fault',
          problem: createProblem('board_not_connected', { board: controller }),
        };
      });
    },

    /** Shuts the boards' relays and closes the ports. */
    close: (): Promise<void> => boards.toggles.close(),
  };
}
