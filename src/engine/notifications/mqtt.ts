import type { Moment } from '../../core/clock/moment.ts';
import {
  type MqttSettingName,
  type MqttSettings,
  mqttDefaults,
  mqttSettingFault,
  mqttSettingList,
  mqttSettings,
} from '../../core/rules/mqtt-settings.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { rejectFaults } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';

/** Settings of MQTT, and what the broker keeps of ours. */
export type Mqtt = ReturnType<typeof createMqtt>;

/** The messages for the broker wait for one receiver, which keeps their order. */
const receiver = { kind: 'mqtt', target: 'broker' } as const;

export function createMqtt(parts: EngineParts) {
  const { store } = parts;
  const readStored = store.cachedUntilChange(store.mqtt.settings);
  const read = (): MqttSettings => ({ ...mqttDefaults, ...readStored() });
  return {
    /** The settings of the page with defaults; includes password and key: for the connection, never for a page. */
    settings: read,

    /** The site in topics, unless the settings name another. */
    siteId: (): string => store.mqtt.siteId(),

    /** Absent fields stay unchanged. Throws `invalid_request`. */
    change: (requested: Partial<MqttSettings>, actor: Actor, now: Moment): MqttSettings =>
      change(parts, () => {
        const before = read();
        const stored = { ...store.mqtt.settings(), ...parseChanges(before, requested) };
        store.mqtt.writeSettings(stored);
        const after = read();
        const changed = mqttSettingList.map(([name]) => name).filter((name) => before[name] !== after[name]);
        if (changed.length > 0) {
          const subject = { kind: 'mqtt', id: 'settings' };
          const only = (settings: MqttSettings) => toAuditValue(settings, changed);
          writeAudit(
            store,
            { actor, action: 'mqtt.changed', subject, before: only(before), after: only(after) },
            now,
          );
        }
        return after;
      }),

    /** Decides whether events are queued from now on; those that wait are deleted when they are not. */
    setQueuesEvents(queues: boolean): void {
      if (store.mqtt.queuesEvents() === queues) return;
      store.transaction(() => {
        store.mqtt.setQueuesEvents(queues);
        if (!queues) store.outbox.removeForTarget(receiver.kind, receiver.target);
      });
    },

    /** Number of events that wait for the broker. */
    waitingCount: (): number => store.outbox.countFor(receiver.kind, receiver.target, 'waiting'),

    /** Topics on which the broker keeps a message of ours. */
    retainedTopics: (): readonly string[] => store.mqtt.retainedTopics(),

    /** Records topics before their first message, and removes those whose message was deleted. */
    recordRetained({ added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] }) {
      if (added.length + removed.length === 0) return;
      store.transaction(() => {
        for (const topic of added) store.mqtt.addRetainedTopic(topic);
        for (const topic of removed) store.mqtt.removeRetainedTopic(topic);
      });
    },
  };
}

/** The changes; a password of another broker or user and the key of a removed certificate are dropped. */
function parseChanges(before: MqttSettings, requested: Partial<MqttSettings>): Partial<MqttSettings> {
  rejectFaults(
    mqttSettingList
      .filter(([name]) => requested[name] !== undefined)
      .map(([name, setting]) => [setting.name, mqttSettingFault(setting, requested[name])]),
  );
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

/** The changed settings for the audit log; of certificates and secrets only whether they are set. */
const toAuditValue = (settings: MqttSettings, names: readonly MqttSettingName[]) =>
  Object.fromEntries(
    names.map((name) => {
      const setting = mqttSettings[name];
      const isHidden = setting.kind === 'pem' || 'secret' in setting;
      return [setting.name, isHidden ? (settings[name] === '' ? 'none' : 'set') : settings[name]];
    }),
  );
