import { dirname } from 'node:path';
import { createProblem } from '../../../core/rules/problems.ts';
import { type MqttSettingName, type MqttSettings, mqttDefaults } from '../../../core/settings/mqtt-settings.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { EventSender } from '../outbox/event-transport.ts';
import { readDisk } from '../../../services/monitors/disk-readings.ts';
import { productVersion } from '../../../system/product.ts';
import { readWrittenBytes } from '../../../system/written-bytes.ts';
import type { LocalServices } from '../../../daemon/services.ts';
import type { MqttSession } from './mqtt-session.ts';
import { readFileSettings } from './resolve-settings.ts';
import { createStorageWear } from './storage-wear.ts';

/** A database that is opened late is noticed within this time, milliseconds. */
const pollMs = 5_000;

/** MQTT: connected while the settings of file and page say so; they are followed at once. */
export type MqttService = ReturnType<typeof createMqttService>;

export function createMqttService(
  services: LocalServices,
  /** The newest version that is known; null for a checkout. */
  latestVersion: () => string | null = () => null,
) {
  const { config, database, bus, scheduler, reporters, log } = services;
  const file = readFileSettings(config.mqtt);
  const reportSettings = reporters('mqtt');
  const reportProblem = reporters('mqtt');
  const sources = createBarSources(services, latestVersion);
  let current: (Target & { readonly session: MqttSession }) | null = null;
  /** The settings that are followed, as text. */
  let followed = '';
  let isStopped = false;
  let onConnect: () => void = () => {};
  /** Sessions start and end one after the other. */
  let changing = Promise.resolve();

  const settings = (engine: Engine): MqttSettings => ({
    ...mqttDefaults,
    ...engine.mqtt.settings(),
    ...file.settings,
  });

  function follow(): void {
    const engine = database.engine();
    if (engine === null || isStopped) return;
    const wanted = settings(engine);
    const siteId = wanted.siteId || engine.mqtt.siteId();
    const text = JSON.stringify([wanted, siteId]);
    if (text === followed) return;
    followed = text;
    const isOn = wanted.isEnabled && wanted.host !== '';
    engine.mqtt.setQueuesEvents(isOn && wanted.publishesEvents);
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
      const session = startMqttSession(services, {
        ...{ ...next, sources, reportProblem, onConnect },
        isPackage: latestVersion() !== null,
      });
      current = { ...next, session };
    } catch (err) {
      log.error({ err }, 'MQTT could not be started');
    }
  }

  let unsubscribers: readonly (() => void)[] = [];
  return {
    /** Those of page and configuration file together; what the file names is fixed. */
    settings() {
      const engine = database.requireEngine();
      const values = settings(engine);
      const fixed = Object.keys(file.settings) as MqttSettingName[];
      return { values, fixed, siteId: values.siteId || engine.mqtt.siteId() };
    },
    /** Null while MQTT is off. */
    isConnected: (): boolean | null => current?.session.connection.isConnected ?? null,
    state() {
      const waiting = database.engine()?.mqtt.waitingCount() ?? 0;
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
    /** What events are sent through; null while MQTT is off. */
    sender: (): EventSender | null => current?.session.sender ?? null,
    /** Follows the settings from now on; `connected` is called at each connection. */
    start(connected: () => void): void {
      onConnect = connected;
      unsubscribers = [
        bus.on('database.changed', follow),
        bus.on('database.replaced', follow),
        scheduler.every(pollMs, follow),
      ];
      follow();
    },
    async close(): Promise<void> {
      isStopped = true;
      for (const unsubscribe of unsubscribers) unsubscribe();
      await changing;
      await current?.session.stop({ clears: false });
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
function createBarSources(services: LocalServices, latestVersion: () => string | null) {
  const { config, database, clock, counting, valves, thermo, health, pins, admin } = services;
  const storageWear = createStorageWear(
    () => readDisk(dirname(config.database)),
    () => clock.now().monoMs,
  );
  return {
    now: clock.now,
    pouringMeters: () =>
      new Set([...counting.runningPours().keys(), ...(database.engine()?.kegboards.running().keys() ?? [])]),
    openToggles: () => new Set(valves.open().map(({ toggle }) => toggle)),
    temperatures: () => thermo.latestTemperatures(),
    machine() {
      const problems = health.report().parts.flatMap((part) => part.problems.map(({ message }) => message));
      const backupMs = admin.backups.state().newestNightlyMs;
      const writtenBytes = readWrittenBytes();
      const engine = database.engine();
      return {
        version: productVersion(),
        healthy: problems.length === 0,
        problems: [...new Set(problems)],
        ticks_lost: pins.input.lines().reduce((sum, { lost }) => sum + (lost ?? 0), 0),
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
