import { vi } from 'vitest';
import type { Config } from '../../../../src/config/schema.ts';
import { joinMessages } from '../../../../src/core/rules/problems.ts';
import { createMqttService } from '../../../../src/extensions/mqtt/daemon/mqtt-service.ts';
import { realScheduler } from '../../../../src/daemon/scheduler.ts';
import type { LocalServices } from '../../../../src/daemon/services.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { createEventTransport } from '../../../../src/extensions/mqtt/outbox/event-transport.ts';
import { startOutboxWorker } from '../../../../src/outbox/worker.ts';
import { at, openBar } from '../../../engine/bar.ts';

/** A relay that records what is done with it. */
export interface OpenedRelay {
  readonly toggle: string;
  readonly ms: number;
  readonly limit: { readonly meter: string; readonly maxTicks: number } | undefined;
}

/** The bar of `openBar`, the MQTT service and a worker for its events. Time is that of `pass`; timers are real. */
export function openMqttRig(
  mqtt: Config['mqtt'],
  { file = ':memory:', latestVersion }: { file?: string; latestVersion?: () => string | null } = {},
) {
  const bar = openBar(file);
  const { engine, store, bus } = bar;
  let passedMs = 0;
  const now = () => at(passedMs);
  const running = new Map<string, { pourId: string; ticks: number }>();
  const open = new Map<string, OpenedRelay>();
  const opened: OpenedRelay[] = [];
  let problem: string | null = null;
  const valves = {
    openManually(toggle: string, ms: number, limit?: OpenedRelay['limit']) {
      const relay = { toggle, ms, limit };
      open.set(toggle, relay);
      opened.push(relay);
    },
    shut: (toggle: string) => void open.delete(toggle),
    open: () =>
      [...open.values()].map(({ toggle, ms }) => ({
        toggle,
        secondsLeft: ms / 1_000,
        grantId: null,
        manual: true,
      })),
  };
  const services = {
    config: { mqtt, database: file, onewire: { interval_s: 30 }, pour: { max_ms: 300_000 } },
    ...{ bus, clock: { now }, scheduler: realScheduler, valves },
    log: { info() {}, warn() {}, error: (details: unknown) => console.error(details) },
    reporters: () => (problems: Parameters<typeof joinMessages>[0]) => {
      problem = joinMessages(problems);
    },
    database: { engine: () => engine, requireEngine: () => engine },
    counting: { runningPours: () => running },
    thermo: { latestTemperatures: () => new Map() },
    health: { report: () => ({ status: 'ok', parts: [] }) },
    pins: { input: { lines: () => [] } },
    admin: { backups: { state: () => ({ newestNightlyMs: null }) } },
  } as unknown as LocalServices;
  const service = createMqttService(services, latestVersion);
  const worker = startOutboxWorker({
    outbox: () => engine.outbox,
    transports: [createEventTransport({ engine: () => engine, sender: service.sender })],
    ...{ bus, clock: { now }, scheduler: realScheduler, log: services.log },
    reportProblem: () => () => {},
  });
  service.start(() => worker.retryNow('mqtt'));
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
    base: `${mqtt.topic_prefix ?? 'tapster'}/${mqtt.topic_site ?? engine.mqtt.siteId()}`,
    problem: () => problem,
    pass(ms: number) {
      passedMs += ms;
    },
    /** Records a drink of the left tap, as its meter does; returns the id. */
    pour: (volumeMl = 330, username?: string) => {
      const drink = engine.pours.report(
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
    change: (settings: Parameters<typeof engine.mqtt.change>[0]) =>
      engine.mqtt.change(settings, systemActor, now()),
    connected: () =>
      vi.waitUntil(() => service.sender()?.connection.isConnected, { timeout: 30_000, interval: 20 }),
    async close() {
      await worker.stop(5_000);
      await service.close();
      store.close();
    },
  };
}

export type MqttRig = ReturnType<typeof openMqttRig>;
