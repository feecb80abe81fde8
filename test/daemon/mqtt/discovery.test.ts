import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mqttDefaults } from '../../../src/core/settings/mqtt-settings.ts';
import { toDiscoveryMessages } from '../../../src/outbox/mqtt/home-assistant.ts';
import { entitiesOfTap } from '../../../src/outbox/mqtt/home-assistant-entities.ts';
import { entityTable } from '../../../src/outbox/mqtt/home-assistant-table.ts';
import { createTopics } from '../../../src/outbox/mqtt/topics.ts';
import { productDirectory, productVersion } from '../../../src/system/product.ts';
import { openBar } from '../../engine/bar.ts';
import {
  hasMosquitto,
  type Observer,
  observe,
  readRetained,
  startMosquitto,
  type TestBroker,
} from '../../kit/mosquitto.ts';
import { type MqttRig, openMqttRig } from './mqtt-rig.ts';

// Starts Mosquitto.

const text = { type: 'string', minLength: 1 };
/** What Home Assistant requires of a message of device-based discovery, with the rules of its sensor classes. */
const discoverySchema = {
  type: 'object',
  required: ['dev', 'o', 'cmps', 'stat_t', 'avty'],
  additionalProperties: false,
  properties: {
    dev: {
      type: 'object',
      required: ['ids', 'name'],
      properties: { ids: { type: 'array', items: text, minItems: 1 }, name: text, via_device: text },
    },
    o: { type: 'object', required: ['name'], properties: { name: text, sw: text } },
    avty: { type: 'array', minItems: 1, items: { type: 'object', required: ['t'] } },
    stat_t: text,
    cmps: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z0-9_-]+$' },
      additionalProperties: {
        type: 'object',
        // One with nothing but its platform is removed.
        anyOf: [{ required: ['p', 'unique_id', 'name'] }, { required: ['p'], maxProperties: 1 }],
        properties: {
          p: { enum: ['sensor', 'binary_sensor', 'event', 'valve', 'image', 'button', 'update'] },
          unique_id: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
          ent_cat: { const: 'diagnostic' },
        },
        allOf: [
          {
            if: { properties: { dev_cla: { const: 'volume_storage' } }, required: ['dev_cla'] },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
            then: { properties: { unit_of_meas: { enum: ['L', 'mL'] }, stat_cla: { const: 'measurement' } } },
          },
          {
            if: { properties: { dev_cla: { const: 'volume' } }, required: ['dev_cla'] },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
            then: {
              properties: {
                unit_of_meas: { enum: ['L', 'mL'] },
                stat_cla: { enum: ['total', 'total_increasing'] },
              },
            },
          },
          {
            if: { properties: { dev_cla: { enum: ['timestamp', 'enum'] } }, required: ['dev_cla'] },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
            then: { not: { required: ['stat_cla'] } },
          },
          {
            if: { properties: { p: { const: 'event' } }, required: ['name'] },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
            then: {
              required: ['evt_typ', 'stat_t'],
              properties: { evt_typ: { type: 'array', minItems: 1 } },
            },
          },
          {
            if: { properties: { p: { const: 'valve' } }, required: ['name'] },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
            then: {
              required: ['cmd_t', 'stat_t'],
              properties: { ret: { const: false } },
              not: { required: ['optimistic'] },
            },
          },
        ],
      },
    },
  },
};
const isDiscovery = new Ajv2020({ strict: false, allErrors: true }).compile(discoverySchema);

const messagesOf = (change: Partial<typeof mqttDefaults> & { readonly isPackage?: boolean } = {}) => {
  const { engine, store } = openBar();
  const messages = toDiscoveryMessages(engine, createTopics('tapster', 'bar1'), {
    ...{ ...mqttDefaults, isPackage: true },
    ...change,
    siteId: 'bar1',
    temperatureIntervalS: () => 60,
    longestPourS: 300,
  }).map(({ topic, payload }) => ({ topic, config: JSON.parse(payload) }));
  store.close();
  return messages;
};

test('each message is valid for Home Assistant, and every entity has an id of its own', () => {
  const messages = messagesOf({ allowsValves: true });
  expect(messages.map(({ topic }) => topic)).toEqual([
    'homeassistant/device/tapster_bar1/config',
    'homeassistant/device/tapster_bar1_tap1/config',
    'homeassistant/device/tapster_bar1_tap2/config',
  ]);
  for (const { config } of messages)
    expect(isDiscovery(config), JSON.stringify(isDiscovery.errors)).toBe(true);
  const ids = messages.flatMap(({ config }) =>
    Object.values(config.cmps as Record<string, { unique_id?: string }>).flatMap(
      ({ unique_id }) => unique_id ?? [],
    ),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('a pour without an end and a temperature without a next reading do not last', () => {
  const { pouring } = messagesOf({})[1]!.config.cmps as Record<string, object>;
  expect(pouring).toMatchObject({ off_delay: 300 });
  const times = { temperatureIntervalS: () => 60, longestPourS: 300, hasAddress: false };
  const tap = { id: 1, thermoSensor: {}, toggle: null };
  const view = { tap, beverage: null } as unknown as Parameters<typeof entitiesOfTap>[0];
  const { temperature } = entitiesOfTap(view, createTopics('tapster', 'bar1'), { ...mqttDefaults, ...times });
  expect(temperature).toMatchObject({ expire_after: 180, stat_t: 'tapster/bar1/taps/1/temperature' });
  expect(temperature).not.toHaveProperty('val_tpl');
});

test('a package tells Home Assistant of new versions, which it cannot install; a checkout does not', () => {
  const updateOf = (isPackage: boolean) => messagesOf({ isPackage })[0]!.config.cmps.update;
  expect(updateOf(true)).toMatchObject({ p: 'update', name: 'Update', ent_cat: 'diagnostic' });
  expect(updateOf(true)).not.toHaveProperty('cmd_t');
  expect(updateOf(false)).toEqual({ p: 'update' });
});

test('valves appear only where commands are permitted, and events only where they are published', () => {
  const keysOf = (change: Partial<typeof mqttDefaults>) =>
    Object.entries(messagesOf(change)[1]!.config.cmps as Record<string, object>).flatMap(([key, entity]) =>
      'name' in entity ? [key] : [],
    );
  expect(keysOf({})).not.toContain('valve');
  expect(keysOf({ allowsValves: true })).toContain('valve');
  expect(keysOf({ publishesEvents: false })).not.toContain('pour');
  expect(JSON.stringify(messagesOf({ publishesMachine: false })[0]!.config.cmps)).not.toContain('name');
  expect(messagesOf({ publishesState: false })).toHaveLength(1);
});

test('docs/mqtt.md contains the entity table that the code gives', () => {
  const document = readFileSync(join(productDirectory, 'docs', 'mqtt.md'), 'utf8');
  const shown = /<!-- entities -->\n+([\s\S]*?)\n*<!-- \/entities -->/.exec(document)?.[1];
  expect(shown).toBe(entityTable().trimEnd());
});

describe.skipIf(!hasMosquitto)('with a broker', () => {
  let broker: TestBroker;
  let observer: Observer;
  let rig: MqttRig;
  let latestVersion: string;
  const tapConfig = (id: number) => `homeassistant/device/tapster_bar1_tap${id}/config`;

  beforeEach(async () => {
    broker = await startMosquitto();
    observer = await observe(broker.port);
    latestVersion = productVersion();
    rig = openMqttRig(
      { enabled: true, host: '127.0.0.1', port: broker.port, topic_site: 'bar1', discovery: true },
      { latestVersion: () => latestVersion },
    );
    await rig.connected();
    await observer.waitFor(({ topic }) => topic === tapConfig(2));
  });
  afterEach(async () => {
    observer.close();
    await rig.close();
    await broker.remove();
  });

  test('devices are announced, retained, again after a change, and deleted with their tap', async () => {
    rig.engine.taps.change(2, { name: 'Window' });
    await observer.waitFor(({ topic, payload }) => topic === tapConfig(2) && payload.includes('"Window"'));
    rig.engine.taps.remove(2);
    await observer.waitFor(({ topic, payload }) => topic === tapConfig(2) && payload === '');
    expect([...(await readRetained(broker.port, 'homeassistant/#')).keys()].sort()).toEqual([
      'homeassistant/device/tapster_bar1/config',
      tapConfig(1),
    ]);
  });

  test('a new version is told once in the state of the machine, and pours repeat nothing of it', async () => {
    const ofMachine = () =>
      observer.messages.filter(
        ({ topic }) => topic === 'tapster/bar1/state' || topic.endsWith('_bar1/config'),
      );
    await observer.waitFor(({ topic }) => topic === 'tapster/bar1/state');
    latestVersion = '9.0.0';
    // Any change of the set-up has the whole state compared.
    rig.engine.taps.change(1, { name: 'Door' });
    const { payload } = await observer.waitFor(
      ({ topic, payload }) => topic === 'tapster/bar1/state' && payload.includes('9.0.0'),
    );
    expect(JSON.parse(payload)).toMatchObject({ version: productVersion(), latest_version: '9.0.0' });
    const before = ofMachine().length;
    const drinkState = (text: string) => (message: { topic: string; payload: string }) =>
      message.topic === 'tapster/bar1/taps/1/state' && message.payload.includes(text);
    for (const ml of [331, 332]) {
      rig.pour(ml);
      await observer.waitFor(drinkState(`"ml":${ml}`));
    }
    expect(ofMachine()).toHaveLength(before);
  });

  test('devices and states are announced again when Home Assistant starts', async () => {
    const count = (topic: string) => observer.messages.filter((message) => message.topic === topic).length;
    const before = { config: count(tapConfig(1)), state: count('tapster/bar1/taps/1/state') };
    await observer.publish('homeassistant/status', 'online');
    await expect.poll(() => count(tapConfig(1))).toBe(before.config + 1);
    await expect.poll(() => count('tapster/bar1/taps/1/state')).toBe(before.state + 1);
  });

  test('switching discovery off removes the devices', async () => {
    await rig.close();
    observer.messages.length = 0;
    rig = openMqttRig({ enabled: true, host: '127.0.0.1', port: broker.port, topic_site: 'bar1' });
    rig.change({ announcesDevices: true });
    await rig.connected();
    await observer.waitFor(({ topic }) => topic === tapConfig(2));
    expect((await readRetained(broker.port, 'homeassistant/#')).size).toBe(3);
    rig.change({ announcesDevices: false });
    await expect.poll(async () => (await readRetained(broker.port, 'homeassistant/#')).size).toBe(0);
  });
});
