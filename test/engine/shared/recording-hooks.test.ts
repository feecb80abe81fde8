import { expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import type { EngineHooks, LoadedExtension } from '../../../src/engine/extension.ts';
import { at, minute, openBar, pour } from '../bar.ts';

const extensionWith = (name: string, hooks: EngineHooks): LoadedExtension => ({
  name,
  createServices: () => null,
  hooks: () => hooks,
});

/** The bar with these extensions on, in this order. */
function barWith(...loaded: readonly LoadedExtension[]) {
  const { store } = openBar();
  const all = loaded.map(({ name }) => ({ name, isOnByDefault: true, outboxKinds: [name] }));
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const given = { store, bus, ids: { next: () => 'id' }, settings: { maxFlowMlPerS: 200 } };
  return { engine: createEngine(given, { all, loaded }) };
}

test('each extension is told of a drink once, in order, when it is recorded or a held pour is kept', () => {
  const told: string[] = [];
  const tell = (name: string) =>
    extensionWith(name, {
      drinkRecorded: ({ ticks, isValid }, { atMs, clockBoot }) =>
        told.push(`${name} ${ticks} ${isValid} ${atMs === at(minute).wallMs} ${clockBoot}`),
    });
  const { engine } = barWith(tell('darts'), extensionWith('silent', {}), tell('billiards'));
  const flow = pour(at(minute), { ticks: 300 });
  engine.drinks.pours.record(flow, 'pin', at(minute));
  engine.drinks.pours.record(flow, 'pin', at(minute));
  expect(told.splice(0)).toEqual(['darts 300 true true boot-1', 'billiards 300 true true boot-1']);

  const held = pour(at(minute), { ticks: 400, pourId: 'held', doubts: ['electrical_noise'] });
  engine.drinks.pours.record(held, 'pin', at(minute));
  expect(told).toEqual([]);
  engine.drinks.keep(engine.drinks.held()[0]!.id, { actor: systemActor }, at(2 * minute));
  expect(told).toEqual(['darts 400 true true ', 'billiards 400 true true ']);
});

test('who an extension names hears all news while it is on, and the topics that one publishes to are known', () => {
  const club = { kind: 'radio', target: 'club', maxWaiting: 1_000 };
  const radio = extensionWith('radio', {
    newsReceiver: () => club,
    publishesTo: (topic) => topic.startsWith('own/'),
  });
  const { engine } = barWith(extensionWith('silent', {}), radio);
  const topics = () => engine.notifications.outbox.due(club, at(2 * minute), 10).map(({ topic }) => topic);
  engine.drinks.pours.record(
    pour(at(minute), { pourId: 'held', doubts: ['electrical_noise'] }),
    'pin',
    at(minute),
  );
  engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  expect(topics()).toEqual(['pour_held', 'session_started', 'session_joined', 'drink_poured']);
  expect(['own/scale', 'other'].map(engine.hooks.publishesTo)).toEqual([true, false]);

  engine.useExtensions([]);
  expect(engine.hooks.publishesTo('own/scale')).toBe(false);
  engine.drinks.pours.record(pour(at(2 * minute)), 'pin', at(2 * minute));
  expect(topics()).toHaveLength(4);
  // Nobody would send what waits.
  engine.notifications.outbox.removeUnsent();
  expect(topics()).toEqual([]);
});

test('what an extension writes is in the transaction of the record: when it fails, nothing is recorded', () => {
  const failing = extensionWith('darts', {
    drinkRecorded() {
      throw new Error('no space');
    },
    temperaturesRead() {
      throw new Error('no space');
    },
  });
  const { engine } = barWith(failing);
  expect(() => engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute))).toThrow('no space');
  expect(engine.drinks.newest(1)).toEqual([]);
  const readings = [{ sensor: '28-0000000000a1', tempC: 4, at: at(minute) }];
  expect(() => engine.temperatures.logAll(readings)).toThrow('no space');
  expect(engine.temperatures.sensors()).toEqual([]);
});
