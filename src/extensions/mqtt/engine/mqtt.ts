import type { Moment } from '../../../core/clock/moment.ts';
import type { Actor } from '../../../engine/shared/audit.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import { changeSettings, checkSettings } from '../../../engine/shared/stored-settings.ts';
import type { NewsReceiver } from '../../../store/notifications/event-receivers-table.ts';
import { type MqttSettings, mqttDefaults, mqttSettingFault, mqttSettingList } from '../core/mqtt-settings.ts';
import type { MqttTable } from '../store/table.ts';

/** Settings of MQTT, and what the broker keeps of ours. */
export type Mqtt = ReturnType<typeof createMqtt>;

/**
 * The messages for the broker wait for one receiver, which keeps their order; more of them than a busy bar has in two weeks.
 */
const receiver: NewsReceiver = { kind: 'mqtt', target: 'broker', maxWaiting: 25_000 };

export function createMqtt(parts: EngineParts, table: MqttTable) {
  const { store } = parts;
  const readStored = store.cachedUntilChange(table.settings);
  const queuesEvents = store.cachedUntilChange(table.queuesEvents);
  const read = (): MqttSettings => ({ ...mqttDefaults, ...readStored() });
  return {
    /** The settings of the page with defaults; includes password and key: for the connection, never for a page. */
    settings: read,

    /** Another object whenever something but a recording was written, by whichever process: the set-up may have changed. */
    setupVersion: store.cachedUntilChange(() => ({})),

    /** The site in topics, unless the settings name another. */
    siteId: (): string => table.siteId(),

    /** The broker while events are queued for it. */
    newsReceiver: (): NewsReceiver | null => (queuesEvents() ? receiver : null),

    /** Whether a topic is below those of this site. */
    publishesTo(topic: string): boolean {
      const { topicPrefix, siteId } = read();
      return topic.startsWith(`${topicPrefix}/${siteId || table.siteId()}/`);
    },

    /** Absent fields stay unchanged. Throws `invalid_request`. */
    change: (requested: Partial<MqttSettings>, actor: Actor, now: Moment): MqttSettings =>
      changeSettings(parts, {
        list: mqttSettingList,
        read,
        write: (before) => table.writeSettings({ ...table.settings(), ...parseChanges(before, requested) }),
        subject: 'mqtt',
        action: 'mqtt.changed',
        actor,
        now,
      }),

    /** Decides whether events are queued from now on; those that wait are deleted when they are not. */
    setQueuesEvents(queues: boolean): void {
      if (table.queuesEvents() === queues) return;
      store.transaction(() => {
        table.setQueuesEvents(queues);
        if (!queues) store.notifications.outbox.removeForTarget(receiver.kind, receiver.target);
      });
    },

    /** Number of events that wait for the broker. */
    waitingCount: (): number =>
      store.notifications.outbox.countFor(receiver.kind, receiver.target, 'waiting'),

    /** Topics on which the broker keeps a message of ours. */
    retainedTopics: (): readonly string[] => table.retainedTopics(),

    /** Records topics before their first message, and removes those whose message was deleted. */
    recordRetained({ added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] }) {
      if (added.length + removed.length === 0) return;
      store.transaction(() => {
        for (const topic of added) table.addRetainedTopic(topic);
        for (const topic of removed) table.removeRetainedTopic(topic);
      });
    },
  };
}

/** The changes; a password of another broker or user and the key of a removed certificate are dropped. */
function parseChanges(before: MqttSettings, requested: Partial<MqttSettings>): Partial<MqttSettings> {
  checkSettings(mqttSettingList, requested, mqttSettingFault);
  const withoutUser = requested.username === '';
  const isOtherAccount =
    (requested.host !== undefined && requested.host !== before.host) ||
    (requested.username !== undefined && requested.username !== before.username);
  return {
    ...requested,
    ...(withoutUser || (isOtherAccount && requested.password === undefined) ? { password: '' } : {}),
    ...(requested.certificate === '' ? { key: '' } : {}),
  };
}
