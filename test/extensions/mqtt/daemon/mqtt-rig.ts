import { vi } from 'vitest';
import { joinMessages } from '../../../../src/core/health/problems.ts';
import { realScheduler } from '../../../../src/daemon/scheduler.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import type { LoadedExtension } from '../../../../src/engine/extension.ts';
import type { ConfiguredContext } from '../../../../src/extensions/extension.ts';
import type { MqttFileSettings } from '../../../../src/extensions/mqtt/config/settings-group.ts';
import { startMqttService } from '../../../../src/extensions/mqtt/daemon/mqtt-service.ts';
import type { Mqtt } from '../../../../src/extensions/mqtt/engine/mqtt.ts';
import { mqtt as extension } from '../../../../src/extensions/mqtt/extension.ts';
import type { ReportProblem } from '../../../../src/outbox/outbox-interfaces.ts';
import type { Transport } from '../../../../src/outbox/transport.ts';
import { startOutboxWorker } from '../../../../src/outbox/worker.ts';
import { at, openBar } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

/** A relay that records what is done with it. */
export interface OpenedRelay {
  readonly toggle: string;
  readonly ms: number;
  readonly limit: { readonly meter: string; readonly maxTicks: number } | undefined;
}

export const switchedOnInRig = await switchOn([extension]);

/** The bar of `openBar`, the MQTT service and a worker for its events. Time is that of `pass`; timers are real. */
export function openMqttRig(
  mqtt: MqttFileSettings,
  {
    file = ':memory:',
    latestVersion = () => null,
    beside = [],
  }: {
    file?: string;
    latestVersion?: () => string | null;
    /** Features that are on beside MQTT. */
    beside?: readonly LoadedExtension[];
  } = {},
) {
  const bar = openBar(file, {}, switchedOnInRig);
  const { engine, store, bus } = bar;
  engine.useExtensions([...switchedOnInRig.engine.loaded, ...beside]);
  const own = engine.serviceOf(extension);
  let passedMs = 0;
  const now = () => at(passedMs);
  const running = new Map<string, { pourId: string; ticks: number }>();
  const open = new Map<string, OpenedRelay>();
  const opened: OpenedRelay[] = [];
  const problems = new Map<symbol, Parameters<ReportProblem>[0]>();
  const valves = {
    openManually(toggle: string, ms: number, limit?: OpenedRelay['limit']) {
      const relay = { toggle, ms, limit };
      open.set(toggle, relay);
      opened.push(relay);
    },
    shut: (toggle: string) => void open.delete(toggle),
  };
  const log = { info() {}, warn() {}, error: (details: unknown) => console.error(details) };
  const worker = startOutboxWorker({
    outbox: () => engine.notifications.outbox,
    transports: [],
    bus,
    clock: { now },
    scheduler: realScheduler,
    log,
    reportProblem: () => () => {},
  });
  const state = {
    now,
    engine: () => engine,
    runningPours: () => running,
    openValves: () =>
      [...open.values()].map(({ toggle, ms }) => ({
        toggle,
        secondsLeft: ms / 1_000,
        grantId: null,
        manual: true,
      })),
    latestTemperatures: () => new Map(),
    healthParts: () => [],
    lines: () => [],
    newestBackupMs: () => null,
  };
  const createReporter = (): ReportProblem => {
    const reporter = Symbol();
    return (now) => void problems.set(reporter, now);
  };
  const service = startMqttService({
    settings: mqtt,
    config: { database: file, onewire: { interval_s: 30 }, pour: { max_ms: 300_000 } },
    bus,
    clock: { now },
    scheduler: realScheduler,
    log,
    createReporter,
    engine: () => engine,
    services: () => engine.findService(extension),
    machine: () => ({
      state,
      valves,
      latestVersion,
      addTransport: (transport: Transport) => worker.add(transport, () => {}),
    }),
  } as unknown as ConfiguredContext<Mqtt, MqttFileSettings>);
  let count = 0;
  return {
    bar,
    engine,
    store,
    bus,
    now,
    running,
    opened,
    isOpen: (toggle: string) => open.has(toggle),
    service,
    worker,
    /** Topics start with it. */
    base: `${mqtt.topic_prefix ?? 'tapster'}/${mqtt.topic_site ?? own.siteId()}`,
    /** Its services in the engine. */
    own,
    problem: () => joinMessages([...problems.values()].flat()),
    pass(ms: number) {
      passedMs += ms;
    },
    /** Records a drink of the left tap, as its meter does; returns the id. */
    pour: (volumeMl = 330, username?: string) => {
      const drink = engine.drinks.pours.report(
        {
          tap: 'pi.flow0',
          ticks: volumeMl,
          source: 'post',
          pourId: `pour-${++count}`,
          ...(username === undefined ? {} : { username }),
        },
        now(),
      );
      return drink;
    },
    change: (settings: Parameters<Mqtt['change']>[0]) => own.change(settings, systemActor, now()),
    connected: () => vi.waitUntil(() => service.isConnected(), { timeout: 30_000, interval: 20 }),
    /** Ends it as the host does when a site switches the feature off. */
    async switchOff() {
      engine.useExtensions([]);
      engine.notifications.outbox.removeUnsent();
      await service.close();
    },
    async close() {
      await worker.stop(5_000);
      await service.close();
      store.close();
    },
  };
}

export type MqttRig = ReturnType<typeof openMqttRig>;
