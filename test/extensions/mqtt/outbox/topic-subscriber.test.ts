import { expect, test } from 'vitest';
import { createTopicSubscriber } from '../../../../src/extensions/mqtt/outbox/topic-subscriber.ts';
import { at, openBar } from '../../../engine/bar.ts';
import { createTopicListener } from '../kit/topic-listener.ts';

/** A bar with a feature that wants topics, and a broker that refuses one of them. */
function open() {
  const { engine } = openBar();
  const asked: string[] = [];
  const warnings: unknown[] = [];
  const listener = createTopicListener();
  engine.useExtensions([listener.extension]);
  const subscriber = createTopicSubscriber({
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
  for (const topic of ['a', 'refused', 'b']) listener.topics.add(topic);
  return {
    engine,
    asked,
    warnings,
    listener,
    subscriber,
    async follow() {
      subscriber.follow();
      await new Promise(setImmediate);
    },
  };
}

const message = (topic: string, text: string, retain = false) => ({
  topic,
  payload: Buffer.from(text),
  retain,
});

test('a refused topic is asked for once, and the others once', async () => {
  const { asked, warnings, follow } = open();
  for (let count = 0; count < 3; count++) await follow();
  expect(asked).toEqual(['a', 'refused', 'b']);
  expect(warnings).toEqual([expect.objectContaining({ topic: 'refused' })]);
});

test('who wants a refused topic is told until it wants another, or MQTT is switched off', async () => {
  const { listener, subscriber, follow } = open();
  await follow();
  expect(listener.refused()).toEqual(['refused']);
  subscriber.stop();
  expect(listener.refused()).toEqual([]);
  subscriber.onConnect();
  await follow();
  expect(listener.refused()).toEqual(['refused']);
  listener.topics.delete('refused');
  listener.topics.add('c');
  await follow();
  expect(listener.refused()).toEqual([]);
});

test('a refused topic is asked for again after a reconnect, and when somebody wants it again', async () => {
  const { asked, listener, subscriber, follow } = open();
  await follow();
  subscriber.onConnect();
  await follow();
  expect(asked).toEqual(['a', 'refused', 'b', 'a', 'refused', 'b']);
  listener.topics.delete('refused');
  await follow();
  listener.topics.add('refused');
  await follow();
  expect(asked.slice(6)).toEqual(['refused']);
});

test('a message goes to who wants its topic while the feature is on, without what the broker had stored', () => {
  const { engine, listener, subscriber } = open();
  expect(subscriber.onMessage(message('elsewhere', '1'))).toBe(false);
  for (const one of [message('a', '1'), message('a', '2', true), message('a', '')])
    expect(subscriber.onMessage(one)).toBe(true);
  expect(listener.received).toEqual([{ topic: 'a', text: '1' }]);
  engine.useExtensions([]);
  expect(subscriber.onMessage(message('a', '3'))).toBe(false);
  expect(listener.received).toHaveLength(1);
});

test('a failure to take messages is logged once, and the next message is taken', () => {
  const { engine, listener, subscriber, warnings } = open();
  const failing = createTopicListener();
  failing.topics.add('a');
  let isFull = true;
  const hooks = failing.extension.hooks(null);
  engine.useExtensions([
    {
      ...failing.extension,
      name: 'full',
      hooks: () => ({
        topicSubscriber: {
          ...hooks.topicSubscriber!,
          receive(...received) {
            if (isFull) throw new Error('disk full');
            hooks.topicSubscriber!.receive(...received);
          },
        },
      }),
    },
  ]);
  for (let count = 0; count < 3; count++) subscriber.onMessage(message('a', '1'));
  expect(warnings).toHaveLength(1);
  isFull = false;
  subscriber.onMessage(message('a', '2'));
  expect(failing.received).toEqual([{ topic: 'a', text: '2' }]);
  expect(listener.received).toEqual([]);
});
