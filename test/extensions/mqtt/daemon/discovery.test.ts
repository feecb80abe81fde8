import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mqttDefaults } from '../../../../src/extensions/mqtt/core/mqtt-settings.ts';
import { toDiscoveryMessages } from '../../../../src/extensions/mqtt/outbox/home-assistant/home-assistant.ts';
import { entitiesOfTap } from '../../../../src/extensions/mqtt/outbox/home-assistant/home-assistant-entities.ts';
import { entityTable } from '../../../../src/extensions/mqtt/outbox/home-assistant/home-assistant-table.ts';
import {
  EventPayload,
  MachineState,
  TapState,
} from '../../../../src/extensions/mqtt/outbox/payload-schemas.ts';
import { createTopics } from '../../../../src/extensions/mqtt/outbox/topics.ts';
import { productDirectory, productVersion } from '../../../../src/system/product.ts';
import { openBar } from '../../../engine/bar.ts';
import {
  hasMosquitto,
  type Observer,
  observe,
  readRetained,
  startMosquitto,
  type TestBroker,
} from '../kit/mosquitto.ts';
import { createTopicListener } from '../kit/topic-listener.ts';
import { isDiscovery } from './home-assistant-schema.ts';
import { type MqttRig, openMqttRig, switchedOnInRig } from './mqtt-rig.ts';

// Starts Mosquitto.

const messagesOf = (
  change: Partial<typeof mqttDefaults> & { readonly isPackage?: boolean } = {},
  prepare: (engine: ReturnType<typeof openBar>['engine']) => void = () => {},
) => {
  const { engine, store } = openBar();
  prepare(engine);
  const messages = toDiscoveryMessages(engine, createTopics('tapster', 'bar1'), {
    ...mqttDefaults,
    isPackage: true,
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

/** The paths that a template reads from a JSON payload. */
const pathsOf = (template: string): string[] =>
  [...template.matchAll(/value_json((?:\.\w+)+)/g)].map(([, path]) => path!.slice(1));

/** Whether a payload of this schema may have a value at the path. */
function hasPath(schema: object, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const { anyOf = [], properties } = schema as { anyOf?: object[]; properties?: Record<string, object> };
  const found = properties?.[name];
  return (found !== undefined && hasPath(found, rest)) || anyOf.some((one) => hasPath(one, path));
}

test('entities read only what the published payloads contain', () => {
  const entities = messagesOf({ allowsValves: true }).flatMap(({ config }) =>
    Object.values(config.cmps as Record<string, Record<string, string>>).map(
      (entity): Record<string, string> => ({ stat_t: config.stat_t, ...entity }),
    ),
  );
  const read = entities.flatMap(
    ({ stat_t, val_tpl = '', json_attr_t, json_attr_tpl = '', url_t, url_tpl = '' }) => [
      ...pathsOf(val_tpl).map((path) => [stat_t!, path] as const),
      ...pathsOf(json_attr_tpl).map((path) => [json_attr_t!, path] as const),
      ...pathsOf(url_tpl).map((path) => [url_t!, path] as const),
    ],
  );
  expect(read.length).toBeGreaterThan(20);
  for (const [topic, path] of read) {
    const schema = topic.endsWith('/event')
      ? EventPayload
      : topic.includes('/taps/')
        ? TapState
        : MachineState;
    expect(hasPath(schema, path.split('.')), `${topic} ${path}`).toBe(true);
  }
});

test('names of taps and beers become no part of topics, keys or templates', () => {
  const plain = messagesOf({ allowsValves: true });
  const name = '+/# {{ states }} "';
  const [, tap] = messagesOf({ allowsValves: true }, (engine) => engine.taps.change(1, { name }));
  expect(isDiscovery(tap!.config), JSON.stringify(isDiscovery.errors)).toBe(true);
  expect(tap).toEqual({
    ...plain[1]!,
    config: { ...plain[1]!.config, dev: { ...plain[1]!.config.dev, name } },
  });
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

  test('a sensor, a valve and a picture come and go with their tap’s hardware', async () => {
    const { engine, store } = rig;
    const entities = async (isReached: (cmps: Record<string, object>) => boolean) => {
      const found = await observer.waitFor(
        ({ topic, payload }) =>
          topic === tapConfig(1) && payload !== '' && isReached(JSON.parse(payload).cmps),
      );
      observer.messages.length = 0;
      return JSON.parse(found.payload).cmps as Record<string, object>;
    };
    engine.temperatures.logAll([{ sensor: '28-00', tempC: 4, at: rig.now() }]);
    const sensor = store.temperatures.all().find(({ rawName }) => rawName === '28-00')!;
    observer.messages.length = 0;
    engine.taps.connectThermo(1, sensor.id);
    expect(await entities(({ temperature }) => 'name' in temperature!)).toMatchObject({
      temperature: { unique_id: 'tapster_bar1_tap1_temperature' },
    });
    engine.taps.connectThermo(1, null);
    expect((await entities(({ temperature }) => !('name' in temperature!))).temperature).toEqual({
      p: 'sensor',
    });
    const beverageId = engine.taps.find(1)!.beverage!.id;
    store.notifications.mailSettings.write({
      ...store.notifications.mailSettings.read(),
      baseUrl: 'http://bar.example',
    });
    store.pictures.set({ subject: 'beverage', id: beverageId, name: 'a'.repeat(32), caption: '' });
    rig.bus.publish({ type: 'database.changed' });
    expect(await entities(({ picture }) => 'name' in picture!)).toMatchObject({
      picture: { p: 'image', unique_id: 'tapster_bar1_tap1_picture' },
    });
    const state = [...(await readRetained(broker.port, 'tapster/bar1/taps/1/state')).values()];
    expect(JSON.parse(state[0]!).beverage.picture_url).toBe(
      `http://bar.example/api/pictures/${'a'.repeat(32)}-128.jpg`,
    );
    store.pictures.remove('beverage', beverageId);
    rig.bus.publish({ type: 'database.changed' });
    expect((await entities(({ picture }) => !('name' in picture!))).picture).toEqual({ p: 'image' });
    engine.taps.connectToggle(1, null);
    await observer.waitFor(({ topic, payload }) => topic === 'tapster/bar1/taps/1/valve' && payload === '');
    expect((await readRetained(broker.port, 'tapster/bar1/taps/1/valve')).size).toBe(0);
  });

  test('other prefixes and another id leave nothing under the former ones', async () => {
    await rig.close();
    rig = openMqttRig({ enabled: true, host: '127.0.0.1', port: broker.port });
    rig.change({ announcesDevices: true, siteId: 'one' });
    // Without those of the bar that was there before.
    const retained = async () =>
      [...(await readRetained(broker.port)).keys()].filter((topic) => !/[/_]bar1[/_]/.test(topic));
    const sites = async () => [
      ...new Set((await retained()).map((topic) => topic.split('/').slice(0, 2).join('/'))),
    ];
    const settle = async (site: string, discovery: string) => {
      await expect.poll(retained, { timeout: 20_000 }).toContain(`${site}/taps/2/state`);
      await expect
        .poll(async () => (await sites()).sort(), { timeout: 20_000 })
        .toEqual([discovery, site].sort());
    };
    await settle('tapster/one', 'homeassistant/device');
    rig.change({ siteId: 'two' });
    await settle('tapster/two', 'homeassistant/device');
    expect((await retained()).filter((topic) => /[/_]one[/_]/.test(topic))).toEqual([]);
    rig.change({ topicPrefix: 'bar' });
    await settle('bar/two', 'homeassistant/device');
    rig.change({ discoveryPrefix: 'ha' });
    await settle('bar/two', 'ha/device');
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

  test('a message on a topic that another feature wants reaches the others that wait for it, too', async () => {
    const listener = createTopicListener();
    listener.topics.add('homeassistant/status');
    rig.engine.useExtensions([...switchedOnInRig.engine.loaded, listener.extension]);
    rig.bus.publish({ type: 'features.switched' });
    const count = () => observer.messages.filter(({ topic }) => topic === tapConfig(1)).length;
    const before = count();
    // Until the broker has subscribed to it.
    await expect
      .poll(
        async () => {
          await observer.publish('homeassistant/status', 'online');
          return listener.received;
        },
        { timeout: 10_000, interval: 100 },
      )
      .toContainEqual({ topic: 'homeassistant/status', text: 'online' });
    await expect.poll(count).toBeGreaterThan(before);
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
