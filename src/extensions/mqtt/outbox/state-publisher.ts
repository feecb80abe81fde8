import type { EventBus } from '../../../core/event-bus.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Log, Scheduler } from '../../../outbox/outbox-interfaces.ts';
import type { Mqtt } from '../engine/mqtt.ts';
import type { Connection } from './broker/connection.ts';
import type { StateMessage } from './state-messages.ts';
import type { Topics } from './topics.ts';

/** Least time between two snapshots, milliseconds: each reads the taps and writes to the network. */
const minGapMs = 500;
/** Slow changes, such as the end of a session, are noticed within this time, milliseconds. */
const slowMs = 60_000;

interface StatePublisherParts {
  readonly engine: () => Engine | null;
  /** Null while the database is closed. */
  readonly mqtt: () => Mqtt | null;
  readonly connection: Pick<Connection, 'isConnected' | 'publish'>;
  readonly topics: Topics;
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** What announces our devices; built again only when the set-up may have changed. */
  readonly devices: (engine: Engine) => readonly StateMessage[];
  /** The state of everything. */
  readonly states: (engine: Engine) => readonly StateMessage[];
  /** The state of the session and of these taps, named by id or meter. */
  readonly statesOfTaps: (engine: Engine, refs: readonly (number | string)[]) => readonly StateMessage[];
}

/** Publishes the state, retained: all of it at each connection, then what has changed. */
export interface StatePublisher {
  /** Call it at each connection. */
  onConnect(): void;
  /** Publishes everything again, for who was not there. */
  republish(): void;
  /** Publishes changes soon. */
  wake(): void;
  /** Deletes every retained message of ours at the broker. Resolves when they are sent. */
  clear(): Promise<void>;
  stop(): void;
}

export function createStatePublisher(parts: StatePublisherParts): StatePublisher {
  const { connection, topics, bus, scheduler, log } = parts;
  /** What the broker has, as far as it was published by this connection. */
  const published = new Map<string, string>();
  let devices: readonly StateMessage[] | null = null;
  /** Taps whose flow has changed since, by id or meter; null when anything may have. */
  let changedTaps: Set<number | string> | null = null;
  let setupVersion: object | null = null;
  let isScheduled = false;
  let isStopped = false;
  let cancel: () => void = () => {};

  function schedule(): void {
    if (isScheduled || isStopped || !connection.isConnected) return;
    isScheduled = true;
    // Deferred: several events are often published together, and the gap bounds the work of a busy bar.
    cancel = scheduler.after(minGapMs, () => {
      isScheduled = false;
      publishChanges();
    });
  }

  function wake(): void {
    changedTaps = null;
    schedule();
  }

  /** Publishes changes soon, those of the set-up too: a tap, a keg, a sensor, a setting. */
  function wakeForSetup(): void {
    devices = null;
    wake();
  }

  /** Changes by other processes have no event. The devices are built again only after one: that is most of the work. */
  function wakeEveryMinute(): void {
    const version = parts.mqtt()?.setupVersion() ?? null;
    if (version !== setupVersion) devices = null;
    setupVersion = version;
    wake();
  }

  /** Publishes what a pour changes at its tap: to read all taps for it would be most of the work of a pour. */
  function wakeForTap(ref: number | string): void {
    changedTaps?.add(ref);
    schedule();
  }

  function publishChanges(): void {
    const engine = parts.engine();
    const mqtt = parts.mqtt();
    if (engine === null || mqtt === null || isStopped || !connection.isConnected) return;
    const taps = changedTaps;
    changedTaps = new Set();
    try {
      if (taps === null || !publishTaps(engine, taps)) publishAll(engine, mqtt);
    } catch (err) {
      changedTaps = null;
      log.warn({ err }, 'the state cannot be published now');
    }
  }

  /** False, and nothing is published, when a topic is new: it must be recorded first. */
  function publishTaps(engine: Engine, taps: ReadonlySet<number | string>): boolean {
    const wanted = parts.statesOfTaps(engine, [...taps]);
    if (!wanted.every(({ topic }) => published.has(topic))) return false;
    sendChanged(wanted);
    return true;
  }

  function publishAll(engine: Engine, mqtt: Mqtt): void {
    devices ??= parts.devices(engine);
    // Devices first: their entities then get their states.
    const wanted = [...devices, ...parts.states(engine)];
    const names = new Set(wanted.map(({ topic }) => topic));
    const known = new Set(mqtt.retainedTopics());
    // What was published by this connection may be missing from a database that was restored since.
    const stale = [...new Set([...known, ...published.keys()])].filter(
      (topic) => !names.has(topic) && topic !== topics.availability,
    );
    // Recorded first: a crash must not leave a message that nobody knows of.
    mqtt.recordRetained({ added: [...names].filter((topic) => !known.has(topic)) });
    sendChanged(wanted);
    for (const topic of stale) remove(topic);
  }

  function sendChanged(wanted: readonly StateMessage[]): void {
    for (const { topic, payload } of wanted) if (published.get(topic) !== payload) send(topic, payload);
  }

  function send(topic: string, payload: string): void {
    published.set(topic, payload);
    connection.publish({ topic, payload, qos: 1, retain: true }).catch(() => {
      // Published again with the next change, or at the next connection.
      if (published.get(topic) === payload) published.delete(topic);
    });
  }

  /** Deletes the message of a topic at the broker. */
  async function remove(topic: string): Promise<void> {
    published.delete(topic);
    try {
      await connection.publish({ topic, payload: '', qos: 1, retain: true });
      parts.mqtt()?.recordRetained({ removed: [topic] });
    } catch {
      // Tried again with the next change: it is still recorded.
    }
  }

  const unsubscribers = [
    bus.on('pour.started', ({ meter }) => wakeForTap(meter)),
    bus.on('pour.ended', ({ pour }) => wakeForTap(pour.meter)),
    bus.on('pour.dripped', ({ meter }) => wakeForTap(meter)),
    bus.on('pour.stopped', ({ meter }) => wakeForTap(meter)),
    // A held one changes the state of the machine, too.
    bus.on('drink.recorded', ({ drink: { tapId, isValid } }) =>
      tapId !== null && isValid ? wakeForTap(tapId) : wake(),
    ),
    ...(['temperature.read', 'health.changed'] as const).map((type) => bus.on(type, wake)),
    ...(['database.changed', 'database.replaced'] as const).map((type) => bus.on(type, wakeForSetup)),
    scheduler.every(slowMs, wakeEveryMinute),
  ];

  return {
    onConnect() {
      published.clear();
      [devices, changedTaps] = [null, null];
      parts.mqtt()?.recordRetained({ added: [topics.availability] });
      connection
        .publish({ topic: topics.availability, payload: 'online', qos: 1, retain: true })
        .catch(() => {});
      publishChanges();
    },
    republish() {
      published.clear();
      [devices, changedTaps] = [null, null];
      publishChanges();
    },
    wake,
    async clear() {
      isStopped = true;
      const known = parts.mqtt()?.retainedTopics() ?? [];
      await Promise.all([...new Set([...known, ...published.keys()])].map(remove));
    },
    stop() {
      isStopped = true;
      cancel();
      for (const unsubscribe of unsubscribers) unsubscribe();
    },
  };
}
