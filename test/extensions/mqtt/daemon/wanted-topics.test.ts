import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasMosquitto, type Observer, observe, startMosquitto, type TestBroker } from '../kit/mosquitto.ts';
import { createTopicListener } from '../kit/topic-listener.ts';
import { type MqttRig, openMqttRig } from './mqtt-rig.ts';

// Starts Mosquitto.

const topic = 'keg-scale/sensor/weight/state';

describe.skipIf(!hasMosquitto)('topics that another feature wants', () => {
  let broker: TestBroker;
  let observer: Observer;
  let rig: MqttRig;
  let listener: ReturnType<typeof createTopicListener>;

  const start = async (settings: object = {}) => {
    listener = createTopicListener();
    rig = openMqttRig(
      {
        enabled: true,
        host: '127.0.0.1',
        port: broker.port,
        topic_site: 'bar1',
        ...settings,
      },
      { beside: [listener.extension] },
    );
    await rig.connected();
    await observer.waitFor(({ topic: sent }) => sent.endsWith('/taps/2/state'));
  };
  const want = (...topics: readonly string[]) => {
    listener.topics.clear();
    for (const one of topics) listener.topics.add(one);
    rig.bus.publish({ type: 'database.changed' });
  };
  const texts = () => listener.received.map(({ text }) => text);
  /** Sends a message until it is taken: the broker may not have subscribed yet. */
  const send = async (payload: string, options: { readonly retain?: boolean } = {}) => {
    await expect
      .poll(
        async () => {
          await observer.publish(topic, payload, options);
          return texts();
        },
        { timeout: 10_000, interval: 100 },
      )
      .toContain(payload);
  };

  beforeEach(async () => {
    broker = await startMosquitto();
    observer = await observe(broker.port);
  });

  afterEach(async () => {
    observer.close();
    await rig.close();
    await broker.remove();
  });

  test('are received as they were sent', async () => {
    await start();
    want(topic);
    await send('38250.5');
    await send('{"keg": {"weight": 38.25}, "temperature": 4.5}');
    await send('\u0000\u0001');
    await send('9'.repeat(10_000));
    expect(listener.received.every((one) => one.topic === topic)).toBe(true);
  });

  test('are subscribed to at once while MQTT is on, one that is wanted no longer is ignored', async () => {
    await start();
    want(topic);
    await send('1000');
    want('elsewhere');
    const before = listener.received.length;
    await expect
      .poll(
        async () => {
          await observer.publish(topic, '2000');
          await observer.publish('elsewhere', '3000');
          return listener.received.length;
        },
        { timeout: 10_000, interval: 100 },
      )
      .toBeGreaterThan(before);
    expect(listener.received.slice(before)).toContainEqual({ topic: 'elsewhere', text: '3000' });
    expect(texts()).not.toContain('2000');
  });

  test('are subscribed to when the feature is switched on while MQTT is on', async () => {
    await start();
    listener.topics.add(topic);
    rig.bus.publish({ type: 'features.switched' });
    await send('1000');
  });

  test('give no retained message, which is of an unknown time; the next one is taken', async () => {
    await observer.publish(topic, '55555', { retain: true });
    await start();
    want(topic);
    await send('1000');
    expect(texts()).not.toContain('55555');
  });

  test.each(['5', '3.1.1'])(
    'give what is published with retain while MQTT %s is connected, not what was stored before',
    async (protocol) => {
      await observer.publish(topic, '55555', { retain: true });
      await start({ protocol });
      want(topic);
      await send('1000', { retain: true });
      expect(texts()).not.toContain('55555');
    },
  );

  test('give messages again after the broker was away', async () => {
    await start();
    want(topic);
    await send('1000');
    observer.close();
    await broker.kill();
    await expect.poll(() => rig.service.isConnected(), { timeout: 10_000 }).toBe(false);
    await broker.start();
    observer = await observe(broker.port);
    await rig.connected();
    await send('2000');
  });
});
