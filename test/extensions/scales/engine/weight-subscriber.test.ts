import { expect, test } from 'vitest';
import { at } from '../../../engine/bar.ts';
import { openBarWithScales } from '../scales-on.ts';

const topic = 'keg-scale/sensor/weight/state';

/** The bar with a scale at the left tap whose weights come by MQTT. */
function openSubscribed(fields: object = {}) {
  const bar = openBarWithScales();
  const { scales } = bar.engine;
  scales.create({ name: 'Scale', tapId: bar.left.id, topic, ...fields });
  const [subscriber] = bar.engine.hooks.topicSubscribers();
  let passedMs = 0;
  return {
    ...bar,
    subscriber: subscriber!,
    send(text: string, afterMs = 1_000) {
      passedMs += afterMs;
      subscriber!.receive(topic, new TextEncoder().encode(text), at(passedMs));
    },
    view: (id = 1) => scales.find(id)!,
  };
}

test('a plain number in grams, as ESPHome publishes it, is the weight of the tap’s scale', () => {
  const { send, view } = openSubscribed();
  send('38250.5');
  expect(view()).toMatchObject({ last: { weightG: 38_250.5, tempC: null }, broken: null });
});

test('a field of a JSON message in kilograms is read with the temperature beside it', () => {
  const { send, view } = openSubscribed({ payloadField: 'keg.weight', unit: 'kg' });
  send('{"keg": {"weight": 38.25}, "temperature": 4.5}');
  expect(view().last).toMatchObject({ weightG: 38_250, tempC: 4.5 });
});

test('two scales share a topic, each with its own field', () => {
  const { engine, right, send, view, subscriber } = openSubscribed({ payloadField: 'left' });
  engine.scales.create({ name: 'Right', tapId: right.id, topic, payloadField: 'right' });
  send('{"left": 1000, "right": 2000}');
  expect([view(1).last!.weightG, view(2).last!.weightG]).toEqual([1_000, 2_000]);
  expect(new Set(subscriber.topics())).toEqual(new Set([topic]));
});

test('a topic that a scale gets is wanted at once, one that is taken away is no longer', () => {
  const { engine, subscriber, send, view } = openSubscribed({ topic: '' });
  expect(subscriber.topics()).toEqual([]);
  engine.scales.change(1, { topic });
  expect(subscriber.topics()).toEqual([topic]);
  send('1000');
  engine.scales.change(1, { topic: 'elsewhere' });
  send('2000');
  expect(view().last!.weightG).toBe(1_000);
});

test('broken messages are counted with their reason, and the next weight is taken', () => {
  const { send, view } = openSubscribed();
  for (const [count, payload] of [
    'nan',
    '{"weight"',
    '\u0000\u0001',
    '9'.repeat(10_000),
    '400000',
  ].entries()) {
    send(payload);
    expect(view().broken!.count).toBe(count + 1);
  }
  expect(view()).toMatchObject({ broken: { fault: 'out_of_range' }, last: null });
  send('1000');
  expect(view().last).not.toBeNull();
});

test('a message that is too long is not read', () => {
  const { send, view } = openSubscribed({ payloadField: 'weight' });
  send(JSON.stringify({ weight: 1_000, more: 'x'.repeat(5_000) }));
  expect(view()).toMatchObject({ broken: { fault: 'too_long' }, last: null });
});

test('at most one weight per second is taken', () => {
  const { send, view } = openSubscribed();
  send('2000');
  for (let count = 0; count < 50; count++) send(String(3_000 + count), 10);
  expect(view().last!.weightG).toBe(2_000);
  send('4000', 500);
  expect(view().last!.weightG).toBe(4_000);
});

test('a scale shows that the broker refuses its topic until it permits it', () => {
  const { engine, right, subscriber, view } = openSubscribed();
  engine.scales.create({ name: 'Right', tapId: right.id, topic: 'other' });
  subscriber.noteRefused(new Set([topic]));
  expect([view(1), view(2)].map(({ isTopicRefused }) => isTopicRefused)).toEqual([true, false]);
  subscriber.noteRefused(new Set());
  expect(view(1).isTopicRefused).toBe(false);
});

test('a topic that this program publishes to is refused', () => {
  const { engine } = openSubscribed();
  const broker = {
    name: 'broker',
    undoKinds: [],
    clockFollowers: [],
    createServices: () => null,
    hooks: () => ({ publishesTo: (one: string) => one.startsWith('own/') }),
  };
  const create = (name: string) => engine.scales.create({ name, topic: 'own/scale' });
  engine.useExtensions([broker]);
  expect(() => create('A')).toThrow(/topic/);
  engine.useExtensions([]);
  create('A');
});
