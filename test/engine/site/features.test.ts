import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProblem } from '../../../src/core/health/problems.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { isFeatureOn } from '../../../src/engine/site/features.ts';
import { defineExtension } from '../../../src/extensions/extension.ts';
import { switchOn } from '../../kit/extensions.ts';
import { at, openBar } from '../bar.ts';

const darts = defineExtension({
  name: 'darts',
  isOnByDefault: true,
  services: async () => () => ({ score: () => 180 }),
  hooks: ({ score }) => ({
    menuAddress: () => `http://darts/${score()}`,
    whyInUse: () => createProblem('see_log'),
  }),
});
const billiards = defineExtension({
  name: 'billiards',
  isOnByDefault: false,
  schema: 'CREATE TABLE billiards (id INTEGER PRIMARY KEY) STRICT;',
  tables: (db) => ({ add: () => void db.prepare('INSERT INTO billiards DEFAULT VALUES').run() }),
  services: async () => (_parts, tables) => tables,
});

const all = await switchOn([darts, billiards]);

test('the services of an extension that is on are found by its declaration', () => {
  const { engine } = openBar(':memory:', {}, all);
  expect(engine.serviceOf(darts).score()).toBe(180);
  engine.serviceOf(billiards).add();
  expect(engine.hooks.menuAddress()).toBe('http://darts/180');
});

test('an extension that is off has its tables, and no services', () => {
  const { engine, store } = openBar(':memory:', {}, { ...all, engine: { all: all.all, loaded: [] } });
  store.tablesOf(billiards);
  expect(engine.findService(billiards)).toBeNull();
  expect(() => engine.serviceOf(billiards)).toThrow(/billiards is off/);
  expect(engine.hooks.menuAddress()).toBeNull();
  expect(engine.site.features.on()).toEqual([]);
});

test('the settings file decides before the page, the page before the default', () => {
  const { store } = openBar(':memory:', {}, all);
  const settings = { maxFlowMlPerS: 200 };
  expect([isFeatureOn(store, settings, darts), isFeatureOn(store, settings, billiards)]).toEqual([
    true,
    false,
  ]);
  expect(isFeatureOn(store, { ...settings, hasAllFeatures: true }, billiards)).toBe(true);
  store.site.features.set('darts', false);
  expect(isFeatureOn(store, { ...settings, hasAllFeatures: true }, darts)).toBe(false);
  expect(isFeatureOn(store, { ...settings, features: { darts: true } }, darts)).toBe(true);
});

test('switching is written to the audit log and told on the bus, once; nothing to switch writes nothing', () => {
  const { engine, bus, store } = openBar(':memory:', {}, { ...all, engine: { ...all.engine, loaded: [] } });
  let told = 0;
  bus.on('features.changed', () => told++);
  engine.site.features.change({ billiards: false }, systemActor, at(0));
  expect(told).toBe(0);
  engine.site.features.change({ billiards: true }, systemActor, at(0));
  expect(told).toBe(1);
  expect([...store.site.features.read()]).toEqual([['billiards', true]]);
  const { items } = engine.audit.list({ limit: 10, order: 'desc', after: null } as never);
  expect(items.filter(({ action }) => action === 'features.changed')).toMatchObject([
    { before: '{"billiards":false}', after: '{"billiards":true}' },
  ]);
});

test('what is in use, fixed by the settings file or unknown is refused, and then nothing is switched', () => {
  const { engine, store } = openBar(':memory:', { features: { billiards: true } }, all);
  const change = (requested: Record<string, boolean>) => () =>
    engine.site.features.change(requested, systemActor, at(0));
  expect(change({ darts: false })).toThrow(/darts cannot be switched off/);
  expect(change({ billiards: false })).toThrow(/settings file decides about billiards/);
  expect(change({ chess: true })).toThrow(/chess is not a feature; the features are darts, billiards/);
  expect(store.site.features.read().size).toBe(0);
});

test('switching leaves the services of the base and of other extensions as they are, with what they remember', () => {
  const { engine } = openBar(':memory:', {}, all);
  const [first, second] = all.engine.loaded;
  const { logins } = engine.users;
  const kept = engine.serviceOf(darts);
  engine.useExtensions([first!]);
  expect([engine.site.features.on(), engine.findService(billiards)]).toEqual([['darts'], null]);
  engine.useExtensions([first!, second!]);
  expect(engine.serviceOf(darts)).toBe(kept);
  expect(engine.users.logins).toBe(logins);
  engine.useExtensions([]);
  expect(engine.hooks.menuAddress()).toBeNull();
});

test('a second switch before the first has taken effect counts', () => {
  const { engine, store } = openBar(':memory:', {}, { ...all, engine: { ...all.engine, loaded: [] } });
  engine.site.features.change({ billiards: true }, systemActor, at(0));
  engine.site.features.change({ billiards: false }, systemActor, at(0));
  expect([...store.site.features.read()]).toEqual([['billiards', false]]);
  expect(engine.site.features.list().find(({ name }) => name === 'billiards')).toMatchObject({ isOn: false });
});

test('switching any features off and on again leaves the same features on', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean())), (switches) => {
      const { store } = openBar(':memory:', {}, all);
      const last = new Map<string, boolean>();
      for (const [name, isOn] of switches) {
        store.site.features.set(name, isOn);
        last.set(name, isOn);
      }
      for (const name of ['a', 'b', 'c'])
        for (const isOnByDefault of [true, false])
          expect(isFeatureOn(store, { maxFlowMlPerS: 200 }, { name, isOnByDefault })).toBe(
            last.get(name) ?? isOnByDefault,
          );
    }),
    { numRuns: 30 },
  );
});
