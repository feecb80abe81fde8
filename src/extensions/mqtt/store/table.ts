import { parseStoredSettings } from '../../../core/settings/setting-declarations.ts';
import type { Database } from '../../../store/database.ts';
import { type MqttSettings, mqttSettingFault, mqttSettings } from '../core/mqtt-settings.ts';

export type MqttTable = ReturnType<typeof mqttTable>;

/** The single row of MQTT settings, and the topics on which the broker keeps a message. */
export function mqttTable(db: Database) {
  const read = db.prepare<[], { site_id: string; settings: string; queues_events: number }>(
    'SELECT site_id, settings, queues_events FROM mqtt_settings',
  );
  const write = db.prepare<[string]>('UPDATE mqtt_settings SET settings = ?');
  const setQueuesEvents = db.prepare<[number]>('UPDATE mqtt_settings SET queues_events = ?');
  const topics = db.prepare<[], string>('SELECT topic FROM mqtt_retained_topics ORDER BY topic').pluck();
  const addTopic = db.prepare<[string]>('INSERT OR IGNORE INTO mqtt_retained_topics (topic) VALUES (?)');
  const removeTopic = db.prepare<[string]>('DELETE FROM mqtt_retained_topics WHERE topic = ?');
  return {
    /** The site in topics, unless the settings name another. */
    siteId: (): string => read.get()!.site_id,
    /** The settings of the page; those that were never set are absent. */
    settings: (): Partial<MqttSettings> =>
      parseStoredSettings(mqttSettings, read.get()!.settings, mqttSettingFault),
    writeSettings: (settings: Partial<MqttSettings>): void => void write.run(JSON.stringify(settings)),
    queuesEvents: (): boolean => read.get()!.queues_events === 1,
    /** Decides whether events are queued from now on. */
    setQueuesEvents: (queues: boolean): void => void setQueuesEvents.run(Number(queues)),
    retainedTopics: (): readonly string[] => topics.all(),
    addRetainedTopic: (topic: string): void => void addTopic.run(topic),
    removeRetainedTopic: (topic: string): void => void removeTopic.run(topic),
  };
}
