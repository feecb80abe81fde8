import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { hasMosquitto, type Observer, observe, startMosquitto, type TestBroker } from '../kit/mosquitto.ts';
import { type MqttRig, openMqttRig } from './mqtt-rig.ts';

// Starts Mosquitto.

const topic = 'keg-scale/sensor/weight/state';

describe.skipIf(!hasMosquitto)('weights over MQTT', () => {
  let broker: TestBroker;
  let observer: Observer;
  let rig: MqttRig;

  const start = async (settings: object = {}) => {
    rig = openMqttRig({
      ...{ enabled: true, host: '127.0.0.1', port: broker.port, topic_site: 'bar1' },
      ...settings,
    });
    await rig.connected();
    await observer.waitFor(({ topic: sent }) => sent.endsWith('/taps/2/state'));
  };
  const addScale = (more: object = {}) => {
    const scale = rig.engine.scales.create(
      { name: 'Scale', tapId: 1, topic, ...more },
      { actor: systemActor, now: rig.now() },
    );
    return scale.id;
  };
  const view = (id = 1) => rig.engine.scales.find(id)!;
  /** Sends messages until one is taken: the broker may not have subscribed yet. */
  const send = async (payload: string, expected: (shown: ReturnType<typeof view>) => boolean) => {
    await expect
      .poll(
        async () => {
          rig.pass(1_000);
          await observer.publish(topic, payload);
          return expected(view());
        },
        { timeout: 10_000, interval: 100 },
      )
      .toBe(true);
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

  test('a plain number in grams, as ESPHome publishes it, is the weight of the tap’s scale', async () => {
    await start();
    addScale();
    await send('38250.5', ({ last }) => last !== null);
    expect(view().last).toMatchObject({ weightG: 38_250.5, tempC: null });
    expect(view().broken).toBeNull();
  });

  test('a field of a JSON message in kilograms is read with the temperature beside it', async () => {
    await start();
    addScale({ payloadField: 'keg.weight', unit: 'kg' });
    await send('{"keg": {"weight": 38.25}, "temperature": 4.5}', ({ last }) => last !== null);
    expect(view().last).toMatchObject({ weightG: 38_250, tempC: 4.5 });
  });

  test('two scales share a topic, each with its own field', async () => {
    await start();
    addScale({ payloadField: 'left' });
    addScale({ tapId: 2, payloadField: 'right' });
    await send('{"left": 1000, "right": 2000}', ({ last }) => last !== null);
    expect([view(1).last!.weightG, view(2).last!.weightG]).toEqual([1_000, 2_000]);
  });

  test('a topic that is set while MQTT is on is subscribed to at once, one that is taken away is ignored', async () => {
    await start();
    const id = addScale({ topic: '' });
    rig.engine.scales.change(id, { topic });
    await send('1000', ({ last }) => last !== null);
    rig.engine.scales.change(id, { topic: 'elsewhere' });
    rig.pass(5_000);
    await observer.publish(topic, '2000');
    await observer.publish('elsewhere', '3000');
    await expect.poll(() => view().last!.weightG).toBe(3_000);
  });

  test('broken messages are counted with their reason, and the next weight is taken', async () => {
    await start();
    addScale();
    await send('nan', ({ broken }) => broken?.fault === 'not_a_number');
    for (const payload of ['{"weight"', '\u0000\u0001', '9'.repeat(10_000), '400000']) {
      const count = view().broken!.count;
      await observer.publish(topic, payload);
      await expect.poll(() => view().broken!.count).toBe(count + 1);
    }
    expect(view().broken).toMatchObject({ fault: 'out_of_range' });
    expect(view().last).toBeNull();
    await send('1000', ({ last }) => last !== null);
  });

  test('a retained weight is of an unknown time and is not taken; the next one is', async () => {
    await observer.publish(topic, '55555', { retain: true });
    await start();
    addScale();
    await send('1000', ({ last }) => last !== null);
    expect(view().last!.weightG).toBe(1_000);
    const { id } = view();
    const day = 86_400_000;
    const span = { sinceMs: rig.now().wallMs - day, untilMs: rig.now().wallMs + day };
    expect(rig.engine.scales.readings(id, span).map(({ weightG }) => weightG)).not.toContain(55_555);
  });

  test.each(['5', '3.1.1'])(
    'a weight that is published with retain while MQTT %s is connected is taken, the stored one is not',
    async (protocol) => {
      await observer.publish(topic, '55555', { retain: true });
      await start({ protocol });
      addScale();
      await expect
        .poll(
          async () => {
            rig.pass(1_000);
            await observer.publish(topic, '1000', { retain: true });
            return view().last?.weightG;
          },
          { timeout: 10_000, interval: 100 },
        )
        .toBe(1_000);
      const span = { sinceMs: 0, untilMs: rig.now().wallMs + 86_400_000 };
      expect(rig.engine.scales.readings(1, span).map(({ weightG }) => weightG)).not.toContain(55_555);
    },
  );

  test('at most one weight per second is taken', async () => {
    await start();
    addScale();
    await send('1000', ({ last }) => last !== null);
    rig.pass(5_000);
    await observer.publish(topic, '2000');
    await expect.poll(() => view().last!.weightG).toBe(2_000);
    for (let count = 0; count < 50; count++) await observer.publish(topic, String(3_000 + count));
    // Messages come in order: those before it have been seen.
    await observer.publish(topic, 'nan');
    await expect.poll(() => view().broken?.count).toBe(1);
    expect(view().last!.weightG).toBe(2_000);
    rig.pass(1_000);
    await observer.publish(topic, '4000');
    await expect.poll(() => view().last!.weightG).toBe(4_000);
  });

  test('weights come again after the broker was away', async () => {
    await start();
    addScale();
    await send('1000', ({ last }) => last !== null);
    observer.close();
    await broker.kill();
    await expect.poll(() => rig.service.isConnected(), { timeout: 10_000 }).toBe(false);
    await broker.start();
    observer = await observe(broker.port);
    await rig.connected();
    await send('2000', ({ last }) => last!.weightG === 2_000);
  });
});
