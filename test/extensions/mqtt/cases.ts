import { expect } from 'vitest';
import { mqttDefaults } from '../../../src/extensions/mqtt/core/mqtt-settings.ts';
import type { MqttAdmin } from '../../../src/extensions/mqtt/http/mqtt-admin.ts';
import { toDiscoveryMessages } from '../../../src/extensions/mqtt/outbox/home-assistant/home-assistant.ts';
import { payloadSchemas } from '../../../src/extensions/mqtt/outbox/payload-schemas.ts';
import { toStateMessages } from '../../../src/extensions/mqtt/outbox/state-messages.ts';
import { createTopics } from '../../../src/extensions/mqtt/outbox/topics.ts';
import type { TestServer } from '../../http/test-server.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';

/** What its routes find in place of a connection: MQTT that is set to nothing. */
export const testMqtt: MqttAdmin = {
  settings: () => ({ values: mqttDefaults, fixed: [], siteId: 'bar1' }),
  state: () => ({ state: 'off', problem: null, version: null, waiting: 0 }),
  test: async () => null,
  payloadSchemas: async () => payloadSchemas,
};

function publishedState({ engine, runningPours, now }: TestServer): unknown {
  const topics = createTopics('tapster', 'bar');
  const messages = toStateMessages(
    engine,
    {
      now,
      pouringMeters: () => new Set(runningPours.keys()),
      openToggles: () => new Set(),
      temperatures: () => new Map(),
      machine: () => {
        throw new Error('is not published');
      },
    },
    topics,
    { publishesState: true, publishesMachine: false, publishesNames: false },
  );
  return JSON.parse(messages.find(({ topic }) => topic === topics.tapState(1))!.payload).state;
}

/** The states that Home Assistant knows of the entity, whose template must be `{{ value_json.<name> }}`. */
function announcedStates({ engine }: TestServer): readonly string[] {
  const messages = toDiscoveryMessages(engine, createTopics('tapster', 'bar'), {
    ...mqttDefaults,
    siteId: 'bar',
    allowsValves: false,
    isPackage: false,
    temperatureIntervalS: () => 60,
    longestPourS: 300,
  });
  const device = messages.map(({ payload: text }) => JSON.parse(text)).find(({ cmps }) => cmps?.remaining);
  const { val_tpl: template, ops: options } = device.cmps.state;
  expect(template).toBe('{{ value_json.state }}');
  return options;
}

export const cases: ExtensionCases = {
  name: 'mqtt',
  writeNothing: ['testMqtt'],
  foreignSecrets: ['changeMqttSettings.password'],
  evidence: {
    'the state of the connection': ['mqtt.states.connected'],
  },
  exampleRequests: {
    changeMqttSettings: {
      body: { enabled: true, host: 'broker.local', username: 'tapster', password: 'a secret' },
    },
  },
  checkTapState(server, { state }) {
    expect(publishedState(server)).toBe(state);
    expect(announcedStates(server)).toContain(state);
  },
  background: testMqtt,
};
