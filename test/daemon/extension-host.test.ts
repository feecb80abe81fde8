import { expect, test } from 'vitest';
import type { Condition } from '../../src/core/alarms/condition.ts';
import type { HostedContext } from '../../src/daemon/extension-context.ts';
import { createExtensionHost } from '../../src/daemon/extension-host.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { defineExtension } from '../../src/extensions/extension.ts';
import { at } from '../engine/bar.ts';

const happened: string[] = [];
const lost: Condition = { kind: 'dart_lost', subject: 'Left', state: 'bad', lastsMs: 0, values: {} };
let isConnected: boolean | null = null;
const define = (name: string) =>
  defineExtension({
    name,
    isOnByDefault: true,
    services: async () => {
      happened.push(`load ${name}`);
      return () => ({});
    },
    routes: async () => {
      happened.push(`routes ${name}`);
      return () => [];
    },
    start: async () => () => {
      happened.push(`start ${name}`);
      return {
        close: () => void happened.push(`close ${name}`),
        ...(name === 'darts' ? { isConnected: () => isConnected, alarmConditions: () => [lost] } : {}),
      };
    },
  });
const all = [define('darts'), define('billiards')];
const engineWith = (...on: string[]) => ({ site: { features: { on: () => on } } }) as unknown as Engine;
const take = () => happened.splice(0);
const context = ({ name }: { readonly name: string }) =>
  ({ endProblems: () => void happened.push(`no problem of ${name}`) }) as HostedContext;

test('what is on is loaded and started, what is switched off is stopped, and nothing twice', async () => {
  const host = createExtensionHost(all);
  const { loaded } = await host.load(({ name }) => name === 'darts');
  expect(loaded.map(({ name }) => name)).toEqual(['darts']);
  expect(take()).toEqual(['load darts']);

  await host.serveHttp(engineWith('darts'), {} as Parameters<typeof host.serveHttp>[1]);
  expect(take()).toEqual(['routes darts']);
  expect(() => host.backgroundOf(all[0]!)).toThrow(/darts is not started yet/);
  await host.start(engineWith('darts'), context);
  expect(take()).toEqual(['start darts']);
  expect(host.backgroundOf(all[0]!)).toBeDefined();

  // Both are on now: the routes are loaded before the next app asks for them.
  await host.load(() => true);
  expect(take()).toEqual(['routes billiards', 'load darts', 'load billiards']);
  expect(host.routesOf(engineWith('darts', 'billiards')).routes).toHaveLength(2);
  await host.followEngine(engineWith('darts', 'billiards'));
  expect(take()).toEqual(['start billiards']);
  await host.followEngine(engineWith('billiards'));
  // What it reported is no problem any longer.
  expect(take()).toEqual(['close darts', 'no problem of darts']);
  await host.close();
  expect(take()).toEqual(['close billiards']);
});

test('what keeps a connection tells whether it is there, while it runs', async () => {
  const host = createExtensionHost(all);
  await host.start(engineWith('darts', 'billiards'), context);
  expect([...host.connections()]).toEqual([]);
  isConnected = false;
  expect([...host.connections()]).toEqual([['darts', false]]);
  isConnected = true;
  expect([...host.connections()]).toEqual([['darts', true]]);
  await host.followEngine(engineWith('billiards'));
  expect([...host.connections()]).toEqual([]);
  await host.close();
  take();
});

test('conditions of what runs in the background are told while it runs', async () => {
  const host = createExtensionHost(all);
  await host.start(engineWith('darts', 'billiards'), context);
  expect(host.alarmConditions(at(0))).toEqual([lost]);
  await host.followEngine(engineWith('billiards'));
  expect(host.alarmConditions(at(0))).toEqual([]);
  await host.close();
  take();
});

test('changes that follow quickly end in the newest state', async () => {
  const host = createExtensionHost(all);
  await host.start(null, context);
  take();
  await Promise.all([
    host.followEngine(engineWith('darts')),
    host.followEngine(engineWith()),
    host.followEngine(engineWith('darts')),
    host.followEngine(engineWith()),
  ]);
  const changes = take();
  expect(changes.filter((one) => one === 'start darts')).toHaveLength(
    changes.filter((one) => one === 'close darts').length,
  );
  expect(() => host.backgroundOf(all[0]!)).toThrow();
});
