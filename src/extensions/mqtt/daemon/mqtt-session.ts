import type { Problem } from '../../../core/health/problems.ts';
import { reportIntervalMs } from '../../../core/temperatures/sensor-reading.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { ReportProblem } from '../../../services/monitors/health-reporters.ts';
import type { RunningMachine, StartContext } from '../../extension.ts';
import type { MqttSettings } from '../core/mqtt-settings.ts';
import type { Mqtt } from '../engine/mqtt.ts';
import type { Broker } from '../outbox/broker/broker-client.ts';
import { testBroker } from '../outbox/broker/broker-tester.ts';
import { type Connection, startConnection } from '../outbox/broker/connection.ts';
import { createCommands } from '../outbox/commands/commands.ts';
import type { EventSender } from '../outbox/event-transport.ts';
import { birthTopic, toDiscoveryMessages } from '../outbox/home-assistant/home-assistant.ts';
import { startLivePublisher } from '../outbox/live-publisher.ts';
import { type BarSources, toFlowMessages, toStateMessages } from '../outbox/state-messages.ts';
import { createStatePublisher } from '../outbox/state-publisher.ts';
import { startTemperaturePublisher } from '../outbox/temperature-publisher.ts';
import { createTopicSubscriber } from '../outbox/topic-subscriber.ts';
import { createTopics } from '../outbox/topics.ts';
import { portInUse } from './resolve-settings.ts';

/** Devices are announced within this time after Home Assistant has started, milliseconds. */
const birthSpreadMs = 3_000;
/** Time for the last message at shutdown, and for deleting what the broker keeps, milliseconds. */
const lastMessageMs = 1_000;
const clearMs = 10_000;

interface SessionParts
  extends Pick<StartContext<unknown>, 'config' | 'bus' | 'clock' | 'scheduler' | 'log' | 'engine'> {
  readonly machine: Pick<RunningMachine, 'state' | 'valves'>;
  /** Null while the database is closed. */
  readonly mqtt: () => Mqtt | null;
}

/** Everything that runs while MQTT is on with certain settings. */
export interface MqttSession {
  readonly connection: Connection;
  readonly sender: EventSender;
  /** Ends it; with `clears` it first deletes the retained messages at the broker. */
  stop(options: { readonly clears: boolean }): Promise<void>;
}

/** The broker of these settings, as the client of this site. */
export const toBroker = (settings: MqttSettings, siteId: string): Broker => ({
  ...settings,
  port: portInUse(settings),
  clientId: `tapster-${siteId}`,
});

/** Connects once and publishes a message; resolves to what failed, or null. */
export const testMqttBroker = (settings: MqttSettings, siteId: string): Promise<Problem | null> =>
  testBroker(toBroker(settings, siteId), {
    protocol: settings.protocol,
    topics: createTopics(settings.topicPrefix, siteId),
  });

/** Connects to the broker and publishes until it is stopped. */
export function startMqttSession(
  parts: SessionParts,
  options: {
    readonly settings: MqttSettings;
    readonly siteId: string;
    readonly sources: BarSources;
    readonly reportProblem: ReportProblem;
    /** False for a checkout, which has no updates. */
    readonly isPackage: boolean;
    /** Called at each connection: events that wait can be sent. */
    readonly onConnect: () => void;
  },
): MqttSession {
  const { config, bus, clock, scheduler, log, engine, machine, mqtt } = parts;
  const facts = {
    isPackage: options.isPackage,
    temperatureIntervalS: (sensor: string) =>
      sources.temperatures().has(sensor) ? Math.max(60, config.onewire.interval_s) : reportIntervalMs / 1_000,
    longestPourS: Math.ceil(config.pour.max_ms / 1_000),
  };
  const { settings, siteId, sources } = options;
  const topics = createTopics(settings.topicPrefix, siteId);
  const availability = (payload: string) =>
    ({ topic: topics.availability, payload, qos: 1, retain: true }) as const;
  const connection = startConnection({
    broker: toBroker(settings, siteId),
    protocol: settings.protocol,
    will: availability('offline'),
    scheduler,
    log,
    random: Math.random,
    reportProblem: options.reportProblem,
    onConnect() {
      state.onConnect();
      commands.onConnect();
      wanted.onConnect();
      if (settings.announcesDevices)
        connection.subscribe([birthTopic(settings.discoveryPrefix)]).catch((err: unknown) => {
          log.warn({ err }, 'the MQTT broker does not permit to notice the start of Home Assistant');
        });
      options.onConnect();
    },
    onMessage(message) {
      wanted.onMessage(message);
      if (message.topic !== birthTopic(settings.discoveryPrefix)) return commands.onMessage(message);
      // Spread: Home Assistant is busy, and other devices announce themselves too.
      if (settings.announcesDevices && message.payload.toString() === 'online')
        scheduler.after(Math.random() * birthSpreadMs, state.republish);
    },
  });
  const state = createStatePublisher({
    connection,
    topics,
    bus,
    scheduler,
    log,
    engine,
    mqtt,
    devices: (engine: Engine) =>
      settings.announcesDevices ? toDiscoveryMessages(engine, topics, { ...settings, ...facts, siteId }) : [],
    states: (engine: Engine) => toStateMessages(engine, sources, topics, settings),
    statesOfTaps(engine, refs) {
      // A tap may be named by its id and by its meter.
      const views = new Map(
        refs.flatMap((ref) => engine.taps.find(ref) ?? []).map((view) => [view.tap.id, view]),
      );
      return toFlowMessages(engine, [...views.values()], sources, topics, settings);
    },
  });
  const commands = createCommands({
    connection,
    topics,
    settings,
    log,
    engine,
    now: clock.now,
    valves: {
      openManually: machine.valves.openManually,
      shut: machine.valves.shut,
      isOpen: (toggle) => machine.state.openValves().some((one) => one.toggle === toggle),
    },
  });
  const wanted = createTopicSubscriber({ connection, log, engine, now: clock.now });
  const stopFollowing = [
    bus.on('database.changed', wanted.follow),
    bus.on('database.replaced', wanted.follow),
    bus.on('features.switched', wanted.follow),
  ];
  const stopLive = settings.publishesLive
    ? startLivePublisher({
        connection,
        topics,
        bus,
        engine,
        nowMonoMs: () => clock.now().monoMs,
        runningPours: machine.state.runningPours,
      })
    : () => {};

  const stopTemperatures = settings.publishesState
    ? startTemperaturePublisher({
        connection,
        topics,
        scheduler,
        log,
        engine,
        temperatures: sources.temperatures,
        now: sources.now,
      })
    : () => {};

  return {
    connection,
    sender: { connection, topics, publishesNames: settings.publishesNames },
    async stop({ clears }) {
      for (const stopOne of stopFollowing) stopOne();
      wanted.stop();
      stopLive();
      stopTemperatures();
      state.stop();
      if (connection.isConnected) {
        const last = clears ? state.clear() : connection.publish(availability('offline'));
        await Promise.race([
          last.catch(() => {}),
          new Promise<void>((resolve) => void scheduler.after(clears ? clearMs : lastMessageMs, resolve)),
        ]);
      }
      connection.stop();
    },
  };
}
