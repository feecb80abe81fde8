import { defineExtension } from '../extension.ts';
import { mqttGroup } from './config/settings-group.ts';
import { mqttStore } from './store/mqtt-store.ts';

/** State, events and commands by a broker of MQTT, with Home Assistant's discovery; also what other features want to receive. */
export const mqtt = defineExtension({
  ...mqttStore,
  isOnByDefault: false,
  settings: mqttGroup,
  isConfigured: ({ enabled, host = '' }) => enabled ?? host !== '',
  services: async () => (await import('./engine/mqtt.ts')).createMqtt,
  hooks: ({ newsReceiver, publishesTo }) => ({ newsReceiver, publishesTo }),
  addresses: ['/admin/mqtt', '/admin/mqtt-test', '/schema/mqtt'],
  tags: {
    mqtt: 'The MQTT broker, and what is published there.',
    'mqtt-test': 'A message to try the MQTT broker.',
  },
  routes: async () => (await import('./http/routes.ts')).mqttRoutes,
  start: async () => (await import('./daemon/mqtt-service.ts')).startMqttService,
  auditVias: ['mqtt'],
  pages: ['/mqtt'],
  healthPart: 'mqtt',
  texts: [
    'mqtt.',
    'audit.actions.mqtt.',
    'audit.subjects.mqtt',
    'audit.via.mqtt',
    'daemon.problems.mqtt',
    'daemon.problemTexts.mqtt_',
  ],
});
