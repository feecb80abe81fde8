import type { StoreExtension } from '../../../store/extension.ts';
import { mqttSchema } from './schema.ts';
import { type MqttTable, mqttTable } from './table.ts';

/** What the database knows of this extension. */
export const mqttStore = {
  name: 'mqtt',
  schema: mqttSchema,
  personData: { others: { 'mqtt_settings.settings': 'settings of the bar' } },
  outboxKinds: ['mqtt'],
  tables: mqttTable,
} as const satisfies StoreExtension<MqttTable>;
