import type { Config } from '../config/schema.ts';
import { createEventBus } from '../core/event-bus.ts';
import { createOneWireBus } from '../devices/onewire/onewire-bus.ts';
import { addDemoKegs } from '../engine/demo-data.ts';
import { createClock } from '../system/clock.ts';
import { createHealthRegistry } from '../system/health.ts';
import type { Logger } from '../system/log.ts';
import { createLogMemory, type LogMemory } from '../system/log-memory.ts';
import { createAdminService } from './admin-service.ts';
import { startCounting } from './counting/counting.ts';
import { declaredHardware } from './counting/declared-hardware.ts';
import { createDemoTraffic } from './counting/demo-traffic.ts';
import { openPins } from './counting/pins.ts';
import type { SerialControllers } from './counting/serial-controllers.ts';
import { createDatabaseLifecycle } from './database-lifecycle.ts';
import type { HttpService } from './http-service.ts';
import { createMaintenance } from './maintenance.ts';
import { ClockMonitor } from './monitors/clock-monitor.ts';
import { createHealthReporters } from './monitors/health-reporters.ts';
import type { OutboxService } from './outbox-service.ts';
import { startScheduler } from './scheduler.ts';
import { joinThermo } from './temperatures/join-thermo.ts';
import { ThermoRecorder } from './temperatures/thermo-recorder.ts';
import type { UpstreamService } from './upstream-service.ts';
import { startValveControl, type ValveControl } from './valves/valve-control.ts';
import { createWiringService } from './wiring/wiring-service.ts';

/** Time for running HTTP responses at shutdown; open pours are in the database before it starts. */
const shutdownGraceMs = 1_500;

/** Time for deliveries that are under way at shutdown; unfinished ones are due again at the next start. */
const outboxGraceMs = 500;

/** A running daemon. */
export interface Daemon {
  /** The port of page and API; null while the address is not available yet. */
  port(): number | null;
  /** Milliseconds since the pulses were last drained, for the watchdog. */
  sinceHeartbeatMs(): number;
  /** Ends open pours, records them, flushes, and releases pins, port and database. */
  close(): Promise<void>;
}

/** Creates, connects and starts every part, the pins first. Throws what only a person can repair. */
export async function startDaemon({
  config,
  log,
  memory = createLogMemory(),
}: {
  config: Config;
  log: Logger;
  /** The last lines of the log, for staff. */
  memory?: LogMemory;
}): Promise<Daemon> {
  const bus = createEventBus((err, { type }) => log.error({ err, event: type }, 'a listener failed'));
  const health = createHealthRegistry((part, problem) =>
    bus.publish({ type: 'health.changed', part, problem }),
  );
  const reporters = createHealthReporters(health, log);
  const clock = createClock();

  let disconnectClients: (() => void) | null = null;
  let taps: ValveControl | null = null;
  // From here on edges queue in the kernel and the pin thread while the other parts start.
  const pinsOpening = openPins(config, (problem, relay) => {
    log.warn({ part: 'pins' }, problem);
    if (relay !== undefined) taps?.reportRelayFailure(relay, problem);
  });

  let clockMonitor: ClockMonitor | null = null;
  const database = createDatabaseLifecycle({
    config,
    bus,
    reportProblem: reporters('storing'),
    onOpen(engine) {
      clockMonitor = new ClockMonitor({
        clock,
        clockCorrection: engine.clockCorrection,
        reportProblem: reporters('clock'),
        log,
      });
      engine.hardware.provision(declaredHardware(config));
      engine.grants.endStale(clock.now());
      if (config.demo.kegs) addDemoKegs(engine, clock.now());
    },
  });

  const pins = await pinsOpening;
  for (const sentence of [...pins.attempts, pins.input.describe]) log.info({ part: 'pins' }, sentence);
  const counting = startCounting({
    config,
    pins,
    bus,
    clock,
    pours: () => database.requireEngine().pours,
    reporters,
    log,
  });
  const serial = await startSerial();
  taps = await startValveControl({
    config,
    bus,
    clock,
    grants: () => database.requireEngine().grants,
    pins: pins.toggles,
    serial: serial?.toggles ?? null,
    endPour: counting.endPour,
    reporters,
    log,
  });
  const valveControl = taps;
  const oneWireBus = createOneWireBus({
    directory: config.onewire.directory,
    expected: config.taps.flatMap((tap) => tap.thermo ?? []),
  });
  const thermo = new ThermoRecorder({
    bus: serial === null ? oneWireBus : joinThermo([oneWireBus, serial.thermo]),
    eventBus: bus,
    thermo: () => database.requireEngine().thermo,
    clock,
    reportProblem: reporters('sensors'),
    log,
  });
  const { backups, admin } = createAdminService({
    config,
    clock,
    engine: database.engine,
    health,
    reporters,
    memory,
    log,
    replaceDatabase: database.replace,
    // Delayed by 1 s so that the response to the restore request is sent first.
    onReplaced: () => void setTimeout(() => disconnectClients?.(), 1_000).unref(),
  });
  const stepDemoTraffic =
    pins.simulator && config.demo.traffic ? createDemoTraffic(config, pins.simulator) : null;

  const stopScheduler = startScheduler(
    {
      everyHeartbeat() {
        try {
          serial?.everyHeartbeat();
        } finally {
          counting.everyHeartbeat();
        }
        valveControl.everyHeartbeat();
      },
      everySecond: [
        database.retryOpen,
        valveControl.everySecond,
        counting.everySecond,
        () => serial?.everySecond(),
        () => clockMonitor?.poll(),
        () => database.engine()?.kegboards.poll(clock.now()),
        createMaintenance({ engine: database.engine, clock, log }).everySecond,
        () => stepDemoTraffic?.(clock.now().monoMs),
      ],
      everyMinute() {
        counting.everyMinute();
        backups.everyMinute();
        database.engine()?.reports.mailWhenDue(clock.now());
      },
      sensors: { intervalMs: config.onewire.interval_s * 1_000, poll: () => thermo.poll() },
    },
    (err) => log.error({ err }, 'a scheduled task failed'),
  );
  log.info({ sinceStartMs: Math.round(performance.now()) }, 'counting');

  async function startSerial(): Promise<SerialControllers | null> {
    if (!config.serial.auto && config.serial.boards.length === 0) return null;
    const { startSerialControllers } = await import('./counting/serial-controllers.ts');
    const hardware = () => database.requireEngine().hardware;
    const controllers = startSerialControllers({
      config,
      bus,
      clock,
      hardware,
      reportProblem: reporters('serial'),
      log,
    });
    counting.addFeed(controllers.feed);
    return controllers;
  }

  async function stopServices(): Promise<void> {
    stopScheduler();
    // Valves first: their limits are no longer checked, and a backup may take long to end.
    await valveControl.close();
    await counting.close();
    await backups.close();
    await serial?.close();
    await outbox?.close(outboxGraceMs);
    await upstream?.close();
    thermo.flush();
    database.close();
  }

  let outbox: OutboxService | null = null;
  let upstream: UpstreamService | null = null;

  async function startNetworkServices(): Promise<HttpService> {
    // Loaded late so that counting starts before the HTTP modules are parsed.
    const { startHttp } = await import('./start-http.ts');
    const { startOutboxService } = await import('./outbox-service.ts');
    outbox = startOutboxService({
      engine: database.engine,
      requireEngine: database.requireEngine,
      bus,
      clock,
      reporters,
      log,
      config,
      latestTemperatures: () => thermo.latestTemperatures(),
      health: () => health.report().parts,
    });
    const { runningPours } = counting;
    const meterStatuses = () => [...counting.meterStatuses(), ...(serial?.meterStatuses() ?? [])];
    if (config.upstream.url !== '') {
      const { startUpstreamService } = await import('./upstream-service.ts');
      const meterNames = () => meterStatuses().map(({ meter }) => meter);
      const engine = database.engine;
      upstream = startUpstreamService({
        config,
        engine,
        bus,
        clock,
        meterNames,
        reportProblem: reporters('upstream'),
        log,
      });
    }
    const { simulator } = pins;
    const wiring = createWiringService({
      config,
      pins,
      nowMonoMs: () => clock.now().monoMs,
      snapshot: counting.snapshot,
      meterStatuses: counting.meterStatuses,
      serial: serial && {
        snapshot: serial.feed.snapshot,
        meterStatuses: serial.meterStatuses,
        ports: serial.ports,
      },
      sensors: () => thermo.knownSensors(),
      pollSensors: () =>
        void thermo.poll().catch((err: unknown) => log.warn({ err }, 'the thermo sensors could not be read')),
      readers: valveControl.readers,
    });
    return startHttp({
      engine: database.engine,
      bus,
      clock,
      log,
      runningPours,
      meterStatuses,
      latestTemperatures: () => thermo.latestTemperatures(),
      valves: valveControl.manual,
      mailTester: outbox.mailTester,
      webhookTester: outbox.webhookTester,
      ...(upstream === null ? {} : { upstream: upstream.admin }),
      health: health.report,
      admin,
      wiring,
      config: config.http,
      reportProblem: reporters('serving'),
      ...(simulator === null ? {} : { simulator }),
    });
  }
  const http = await startNetworkServices().catch(async (fault: unknown) => {
    await stopServices();
    throw fault;
  });
  disconnectClients = http.disconnectClients;

  return {
    port: http.port,
    sinceHeartbeatMs: counting.sinceHeartbeatMs,
    async close() {
      bus.publish({ type: 'daemon.stopping' });
      await Promise.all([http.close(shutdownGraceMs), stopServices()]);
    },
  };
}
