import { expect, test } from 'vitest';
import { createEventBus } from '../../src/core/event-bus.ts';
import { createCurrentApp } from '../../src/daemon/http/current-app.ts';

/** A bus whose apps note each change of the database that they are told of. */
function openBus() {
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const told: string[] = [];
  let opened = 0;
  const appFor = createCurrentApp(bus, (engine: { readonly name: string }, appBus) => {
    opened += 1;
    appBus.on('database.changed', () => void told.push(engine.name));
    return engine.name;
  });
  return { bus, told, appFor, opened: () => opened };
}

test('one app is opened for each database, however many requests come', () => {
  const { appFor, opened } = openBus();
  const engine = { name: 'first' };
  expect([appFor(engine), appFor(engine), appFor(engine)]).toEqual(['first', 'first', 'first']);
  expect(opened()).toBe(1);
});

test('after each replacement of the database only the newest app is subscribed', () => {
  const { appFor, bus, told } = openBus();
  for (let i = 1; i <= 20; i++) appFor({ name: `database ${i}` });
  bus.publish({ type: 'database.changed' });
  expect(told).toEqual(['database 20']);
});
