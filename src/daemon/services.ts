import { mergeHardware } from '../config/merged-hardware.ts';
import { readMeterCatalogue } from '../config/meter-catalogue.ts';
import { reportSettings } from '../config/settings-group.ts';
import type { PinEntry } from '../core/taps/pin-entries.ts';
import { createOneWireBus } from '../devices/onewire/onewire-bus.ts';
import { addDemoKegs } from '../engine/demo-data.ts';
import type { Engine } from '../engine/engine.ts';
import { extensions, settingsGroups } from '../extensions/all.ts';
import { configuredFeatures } from '../extensions/extension.ts';
import { logLogin } from '../http/routes/note-login.ts';
import { startCounting } from '../services/counting/counting.ts';
import { declaredHardware } from '../services/counting/declared-hardware.ts';
import { createDemoTraffic, openPins } from '../services/counting/pins.ts';
import { createDatabaseLifecycle } from '../services/database/database-lifecycle.ts';
import { createLiveHardware } from '../services/hardware/live-hardware.ts';
import { ClockMonitor } from '../services/monitors/clock-monitor.ts';
import { startDripMonitor } from '../services/monitors/drip-monitor.ts';
import { createAdminService } from '../services/site/admin-service.ts';
import { createDemoService, isDemo } from '../services/site/demo-service.ts';
import { createMaintenance } from '../services/site/maintenance.ts';
import { joinThermo, ThermoRecorder } from '../services/temperatures/thermo-recorder.ts';
import { createUpdateMonitor } from '../services/updates/update-monitor.ts';
import { createRelayList } from '../services/valves/relay-list.ts';
import { findValveTaps, ShutFlow } from '../services/valves/shut-flow.ts';
import { startValveControl } from '../services/valves/valve-control.ts';
import type { BaseServices } from './base-services.ts';
import { sourceReturnMs, startCountingSources } from './counting-sources.ts';
import { startContexts } from './extension-context.ts';
import { createExtensionHost } from './extension-host.ts';
import { heartbeatMs, startScheduler } from './scheduler.ts';
import type { Shutdown } from './shutdown.ts';

/** The services of this machine: database, counting, valves, sensors and their timers. */
export type LocalServices = Awaited<ReturnType<typeof startLocalServices>>;

/** Creates and starts them in order, each with its stop. Throws what only a person can repair. */
export async function startLocalServices(base: BaseServices, shutdown: Shutdown) {
  const { config, clock, log, reporters } = base;
  const relayList = createRelayList({
    config,
    hardware: base.hardware,
    stateDirectory: process.env.STATE_DIRECTORY,
    identity: base.identity,
    reportProblem: reporters('toggles'),
  });
  // Before a relay is opened: the stop program must know of it.
  relayList.store();
  // From here on edges queue in the kernel and the pin thread while the other services start.
  const pinsOpening = openPins(base);
  let adoptEntries: ((entries: readonly PinEntry[]) => void) | null = null;
  const clockMonitor = new ClockMonitor({ ...base, reportProblem: reporters('clock') });
  const extensionHost = createExtensionHost(extensions);
  const features = configuredFeatures(extensions, config);
  const database = await createDatabaseLifecycle({
    ...base,
    extensionHost,
    features,
    isDemo: isDemo(base),
    onOpen(engine) {
      base.onDatabaseOpened?.();
      prepareDatabase(engine, base, clockMonitor);
      adoptEntries?.(engine.taps.pinEntries.list());
    },
  });
  shutdown.add('database', database.close);
  const names = database.engine()?.site.features.on();
  const on = extensions.filter(({ name }) => names?.includes(name) ?? features[name]);
  await extensionHost.startBeforeCounting(
    on.map(({ name }) => name),
    startContexts(base, database),
  );

  const pins = await pinsOpening;
  const descriptions = pins.input.description.map(({ message }) => message);
  for (const sentence of [...pins.attempts, ...descriptions]) log.info({ part: 'pins' }, sentence);
  const shutFlow = new ShutFlow({
    valveTaps: () => findValveTaps(database.requireEngine()),
    limitMl: config.valves.flow_while_shut_ml,
    nowMonoMs: () => clock.now().monoMs,
    reportProblem: reporters('valves'),
  });
  shutFlow.subscribe(base.bus);
  const drips = startDripMonitor({
    bus: base.bus,
    engine: () => database.requireEngine(),
    nowMonoMs: () => clock.now().monoMs,
    reportProblem: reporters('valves'),
  });
  const counting = startCounting({
    ...base,
    pins,
    database,
    isFlowWhileShut: (pour) => shutFlow.isFlowWhileShut(pour),
    isShut: (meter) => shutFlow.isShut(meter),
    sourceReturnMs: sourceReturnMs(on),
  });
  shutdown.add('counting', counting.close);
  await startCountingSources(on, base, database, counting);
  const live = createLiveHardware({
    ...base,
    catalogue: readMeterCatalogue(),
    pins,
    counting,
    relayList,
    reportProblem: reporters('toggles'),
  });
  // The database may differ from the copy that counting started with.
  adoptEntries = (entries) => void live.adopt(entries);
  const opened = database.engine();
  if (opened !== null) void live.adopt(opened.taps.pinEntries.list());
  const valves = await startValveControl({ ...base, database, pins, counting, shutFlow });
  shutdown.add('valves', valves.close);

  const oneWireBus = createOneWireBus({
    directory: config.onewire.directory,
    expected: config.taps.flatMap((tap) => tap.thermo ?? []),
  });
  const thermo = new ThermoRecorder({
    ...base,
    sensors: joinThermo([oneWireBus, ...counting.sources().map((source) => source.thermo)]),
    thermo: () => database.requireEngine().temperatures,
    reportProblem: reporters('sensors'),
    intervalMs: config.onewire.interval_s * 1_000,
  });
  shutdown.add('thermo', () => thermo.flush());
  const admin = createAdminService({
    ...base,
    database,
    reportedSettings: reportSettings(config, settingsGroups),
  });
  shutdown.add('backups', admin.backups.close);

  const updates = createUpdateMonitor({ clock, reportProblem: reporters('updates') });
  updates.everyMinute();

  const { simulator } = pins;
  const demo = isDemo(base) ? createDemoService({ ...base, database }) : null;
  const maintenance = createMaintenance({ ...base, engine: database.engine, logLogin });
  shutdown.add('maintenance', maintenance.finish);
  const stepDemoTraffic = simulator && config.demo.traffic ? createDemoTraffic(config, simulator) : null;
  const stopScheduler = startScheduler(
    {
      everyHeartbeat() {
        base.measuring.current()?.heartbeat(heartbeatMs);
        counting.everyHeartbeat();
        valves.everyHeartbeat();
      },
      everySecond: [
        database.retryOpen,
        valves.everySecond,
        counting.everySecond,
        pins.everySecond,
        () => clockMonitor.poll(database.engine()?.drinks.clockCorrection ?? null),
        maintenance.everySecond,
        () => stepDemoTraffic?.(clock.now().monoMs),
      ],
      everyMinute() {
        counting.everyMinute();
        drips.everyMinute();
        relayList.store();
        admin.backups.everyMinute();
        updates.everyMinute();
        database.engine()?.kegs.priceSchedules.applyWhenDue(clock.now());
        database.engine()?.reports.mailWhenDue(clock.now());
        for (const meter of database.engine()?.drinks.meterLearning.applyByThemselves(clock.now()) ?? [])
          log.info({ meter }, 'meter calibrated with what it has learned');
      },
      sensors: { intervalMs: config.onewire.interval_s * 1_000, poll: () => thermo.poll() },
    },
    (err) => log.error({ err }, 'a scheduled task failed'),
  );
  shutdown.add('scheduler', stopScheduler);
  return {
    ...base,
    database,
    pins,
    live,
    simulator,
    demo,
    counting,
    valves,
    thermo,
    admin,
    extensionHost,
  };
}

/** Brings a database that was just opened up to date with clock and configuration. */
function prepareDatabase(engine: Engine, base: BaseServices, clockMonitor: ClockMonitor): void {
  const { config, clock, log, identity } = base;
  clockMonitor.start(engine.drinks.clockCorrection);
  const catalogue = readMeterCatalogue();
  const merged = mergeHardware(config, engine.taps.pinEntries.list(), catalogue, identity);
  engine.taps.hardware.provision(declaredHardware(config, merged, catalogue));
  engine.access.grants.endStale(clock.now());
  if (!isDemo(base)) engine.site.demoAccount.close();
  if (!config.demo.kegs) return;
  try {
    addDemoKegs(engine, clock.now());
  } catch (err) {
    // A nearly full disk refuses the samples; drinks are recorded without them.
    log.warn({ err }, 'the sample kegs of the demo could not be added');
  }
}
