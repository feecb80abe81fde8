import { expect, test } from 'vitest';
import { createWeightSubscriber } from '../../../../src/extensions/mqtt/outbox/weight-subscriber.ts';
import { at, openBar } from '../../../engine/bar.ts';

/** A bar with scales, and a broker that refuses one topic. */
function open() {
  const { engine } = openBar();
  const asked: string[] = [];
  const warnings: unknown[] = [];
  const subscriber = createWeightSubscriber({
    engine: () => engine,
    now: () => at(0),
    connection: {
      isConnected: true,
      subscribe(topics) {
        asked.push(...topics);
        return topics.includes('refused') ? Promise.reject(new Error('not authorized')) : Promise.resolve();
      },
    },
    log: { warn: (details: unknown) => void warnings.push(details) } as never,
  });
  for (const topic of ['a', 'refused', 'b']) engine.scales.create({ name: topic, topic });
  return {
    ...{ engine, asked, warnings, subscriber },
    async follow() {
      subscriber.follow();
      await new Promise(setImmediate);
    },
  };
}

test('a refused topic is asked for once, and the others once', async () => {
  const { asked, warnings, follow } = open();
  for (let count = 0; count < 3; count++) await follow();
  expect(asked).toEqual(['a', 'refused', 'b']);
  expect(warnings).toEqual([expect.objectContaining({ topic: 'refused' })]);
});

test('the scale of a refused topic shows it until it has another, or MQTT is switched off', async () => {
  const { engine, subscriber, follow } = open();
  const refused = () =>
    engine.scales.list().flatMap(({ scale, isTopicRefused }) => (isTopicRefused ? scale.topic : []));
  await follow();
  expect(refused()).toEqual(['refused']);
  subscriber.stop();
  expect(refused()).toEqual([]);
  subscriber.onConnect();
  await follow();
  expect(refused()).toEqual(['refused']);
  engine.scales.change(engine.scales.list().find(({ isTopicRefused }) => isTopicRefused)!.id, { topic: 'c' });
  await follow();
  expect(refused()).toEqual([]);
});

test('a refused topic is asked for again after a reconnect, and when a scale gets it again', async () => {
  const { engine, asked, subscriber, follow } = open();
  await follow();
  subscriber.onConnect();
  await follow();
  expect(asked).toEqual(['a', 'refused', 'b', 'a', 'refused', 'b']);
  const { id } = engine.scales.list().find(({ scale }) => scale.topic === 'refused')!;
  engine.scales.change(id, { topic: '' });
  await follow();
  engine.scales.change(id, { topic: 'refused' });
  await follow();
  expect(asked.slice(6)).toEqual(['refused']);
});
