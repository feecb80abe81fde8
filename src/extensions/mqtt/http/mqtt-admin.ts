import type { Problem } from '../../../core/health/problems.ts';
import type { MqttSettingName, MqttSettings } from '../core/mqtt-settings.ts';

/** Settings in use, connection, test. */
export interface MqttAdmin {
  /** Those of page and configuration file together, and the names of those that the file fixes. */
  settings(): {
    readonly values: MqttSettings;
    readonly fixed: readonly MqttSettingName[];
    /** The site's id in topics. */
    readonly siteId: string;
  };
  state(): {
    readonly state: 'off' | 'connecting' | 'connected';
    readonly problem: Problem | null;
    /** Version of the protocol; null while not connected. */
    readonly version: string | null;
    /** Number of events that wait for the broker. */
    readonly waiting: number;
  };
  /** Connects with the settings in use and publishes a message; resolves to what failed, or null. */
  test(): Promise<Problem | null>;
  /** JSON Schemas of the payloads by topic. */
  payloadSchemas(): Promise<Readonly<Record<string, object>>>;
}
