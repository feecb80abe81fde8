import { dirname } from 'node:path';
import { AppError } from '../../../core/app-error.ts';
import { createProblem } from '../../../core/health/problems.ts';
import type { Engine } from '../../../engine/engine.ts';
import { readDisk } from '../../../services/monitors/disk-readings.ts';
import { productVersion } from '../../../system/product.ts';
import { readWrittenBytes } from '../../../system/written-bytes.ts';
import type { ConfiguredContext, RunningMachine, StartContext } from '../../extension.ts';
import type { MqttFileSettings } from '../config/settings-group.ts';
import { type MqttSettingName, type MqttSettings, mqttDefaults } from '../core/mqtt-settings.ts';
import type { Mqtt } from '../engine/mqtt.ts';
import { createEventTransport } from '../outbox/event-transport.ts';
import type { MqttSession } from './mqtt-session.ts';
import { readFileSettings } from './resolve-settings.ts';
import { createStorageWear } from './storage-wear.ts';

/** A database that is opened late is noticed within this time, milliseconds. */
const pollMs = 5_000;

/** MQTT: connected while the settings of file and page say so; they are followed at once. */
export type MqttService = ReturnType<typeof startMqttService>;

/** Follows the settings from now on. */
export function startMqttService(context: ConfiguredContext<Mqtt, MqttFileSettings>) {
  const { bus, scheduler, log, createReporter } = context;
  const file = readFileSettings(context.settings);
  const reportSettings = createReporter();
  const reportProblem = createReporter();
  const machine = context.machine();
  const sources = createBarSources(context, machine);
  let current: (Target & { readonly session: MqttSession }) | null = null;
  /** The settings that are followed, as text. */
  let followed = '';
  let isStopped = false;
  let known: { readonly engine: Engine; readonly services: Mqtt } | null = null;
  /** Sessions start and end one after the other. */
  let changing = Promise.resolve();

  /** Null while the database is closed. When the feature is switched off its last services serve its end. */
  function findServices(): Mqtt | null {
    const engine = context.engine();
    const services = context.services();
    if (engine !== null && services !== null) known = { engine, services };
    return engine !== null && known?.engine === engine ? known.services : null;
  }

  function requireServices(): Mqtt {
    const services = findServices();
    if (services === null) throw new AppError('unavailable', 'The database is not open yet.');
    return services;
  }

  const settings = (services: Mqtt): MqttSettings => ({
    ...mqttDefaults,
    ...services.settings(),
    ...file.settings,
  });

  function follow(): void {
    const services = findServices();
    if (services === null || isStopped) return;
    const wanted = settings(services);
    const siteId = wanted.siteId || services.siteId();
    const text = JSON.stringify([wanted, siteId]);
    if (text === followed) return;
    followed = text;
    const isOn = wanted.isEnabled && wanted.host !== '';
    services.setQueuesEvents(isOn && wanted.publishesEvents);
    reportSettings([
      ...(wanted.isEnabled ? file.problems : []),
      ...(wanted.isEnabled && !isOn ? [createProblem('mqtt_no_host')] : []),
    ]);
    changing = changing.then(() => replaceSession(isOn ? { settings: wanted, siteId } : null));
  }

  async function replaceSession(next: Target | null): Promise<void> {
    try {
      const previous = current;
      current = null;
      await previous?.session.stop({ clears: next === null || isElsewhere(previous, next) });
      if (next === null || isStopped) return;
      // The modules and the library are loaded only where MQTT is used.
      const { startMqttSession } = await import('./mqtt-session.ts');
      const session = startMqttSession(
        { ...context, machine, mqtt: findServices },
        {
          ...next,
          sources,
          reportProblem,
          onConnect: transport.retryNow,
          isPackage: machine.latestVersion() !== null,
        },
      );
      current = { ...next, session };
    } catch (err) {
      log.error({ err }, 'MQTT could not be started');
    }
  }

  const transport = machine.addTransport(
    createEventTransport({
      engine: () => {
        const engine = context.engine();
        if (engine === null) throw new AppError('unavailable', 'The database is not open yet.');
        return engine;
      },
      sender: () => current?.session.sender ?? null,
    }),
  );
  const unsubscribers = [
    bus.on('database.changed', follow),
    bus.on('database.replaced', follow),
    scheduler.every(pollMs, follow),
  ];
  follow();
  return {
    /** Those of page and configuration file together; what the file names is fixed. */
    settings() {
      const services = requireServices();
      const values = settings(services);
      const fixed = Object.keys(file.settings) as MqttSettingName[];
      return { values, fixed, siteId: values.siteId || services.siteId() };
    },
    /** Null while MQTT is off. */
    isConnected: (): boolean | null => current?.session.connection.isConnected ?? null,
    state() {
      const waiting = findServices()?.waitingCount() ?? 0;
      if (current === null) return { state: 'off' as const, problem: null, version: null, waiting };
      const { isConnected, problem, version } = current.session.connection;
      const state = isConnected ? ('connected' as const) : ('connecting' as const);
      return { state, problem, version: version && (version === 5 ? '5' : '3.1.1'), waiting };
    },
    /** Connects with the settings in use, whether MQTT is on or off; resolves to what failed. */
    async test() {
      const { values, siteId } = this.settings();
      if (values.host === '') return createProblem('mqtt_no_host');
      const [fault] = file.problems;
      if (fault !== undefined) return fault;
      const { testMqttBroker } = await import('./mqtt-session.ts');
      return testMqttBroker(values, siteId);
    },
    payloadSchemas: async () => (await import('../outbox/payload-schemas.ts')).payloadSchemas,
    /** Ends it. When the feature was switched off, the broker keeps nothing of ours. */
    async close(): Promise<void> {
      isStopped = true;
      for (const unsubscribe of unsubscribers) unsubscribe();
      transport.remove();
      const isSwitchedOff = context.engine() !== null && context.services() === null;
      await changing;
      await current?.session.stop({ clears: isSwitchedOff });
      current = null;
    },
  };
}

/** Where and how a session publishes. */
interface Target {
  readonly settings: MqttSettings;
  readonly siteId: string;
}

/** True when the messages that the broker keeps are not replaced by those of the next session. */
const isElsewhere = (from: Target, to: Target): boolean =>
  (['host', 'port', 'topicPrefix'] as const).some((name) => from.settings[name] !== to.settings[name]) ||
  from.siteId !== to.siteId;

/** Reads what the daemon knows without the database. */
function createBarSources(
  { config, engine: openEngine, clock }: Pick<StartContext<unknown>, 'config' | 'engine' | 'clock'>,
  { state, latestVersion }: Pick<RunningMachine, 'state' | 'latestVersion'>,
) {
  const storageWear = createStorageWear(
    () => readDisk(dirname(config.database)),
    () => clock.now().monoMs,
  );
  return {
    now: clock.now,
    pouringMeters: () =>
      new Set([...state.runningPours().keys(), ...(openEngine()?.hooks.shownPours().keys() ?? [])]),
    openToggles: () => new Set(state.openValves().map(({ toggle }) => toggle)),
    temperatures: () => state.latestTemperatures(),
    machine() {
      const problems = state.healthParts().flatMap((part) => part.problems.map(({ message }) => message));
      const backupMs = state.newestBackupMs();
      const writtenBytes = readWrittenBytes();
      const engine = openEngine();
      return {
        version: productVersion(),
        healthy: problems.length === 0,
        problems: [...new Set(problems)],
        ticks_lost: state.lines().reduce((sum, { lost }) => sum + (lost ?? 0), 0),
        last_backup: backupMs === null ? null : new Date(backupMs).toISOString(),
        // In steps of 100 MB: each change is published.
        written_gb: writtenBytes === null ? null : Math.floor(writtenBytes / 1e8) / 10,
        storage_wear_percent: engine && storageWear(engine),
        latest_version: latestVersion(),
        clock_set: clock.now().synced,
      };
    },
  };
}
