import { expect, test } from 'vitest';
import { createConfigLoader } from '../../src/config/load.ts';
import { Bool, Text } from '../../src/config/schema-builders.ts';
import { defineSettings, reportSettings } from '../../src/config/settings-group.ts';
import { configuredFeatures, defineExtension, type ListenerParts } from '../../src/extensions/extension.ts';

const about = { description: 'about it' };
const group = defineSettings({
  name: 'darts',
  properties: {
    boards: Text({ maxLength: 9, default: '', ...about }),
    secret: Text({ maxLength: 9, default: '', ...about }),
    isOpen: Bool({ default: true, ...about }),
  },
  report: ({ isOpen }) => ({ isOpen }),
});
const given: unknown[] = [];
/** Notes the settings that a part of the extension is given. */
const note = (part: string, settings: { readonly boards: string }) => given.push([part, settings.boards]);
const darts = defineExtension({
  name: 'darts',
  isOnByDefault: false,
  needsConfiguration: true,
  settings: group,
  isConfigured: ({ boards }) => boards !== '',
  start: async () => (context) => {
    note('start', context.settings);
    return { close() {} };
  },
  listener: {
    path: '/darts',
    whenOff: 'No darts.',
    load: async () => (parts) => {
      note('listener', parts.settings);
      return () => {};
    },
  },
  countingSource: {
    returnMs: 1,
    load: async () => (parts) => {
      note('source', parts.settings);
      return {} as never;
    },
  },
  doctorCheck: {
    title: 'Darts',
    load: async () => (settings, config) => {
      note('doctor', settings);
      given.push(config.database);
      return [];
    },
  },
});

const { parseConfig } = createConfigLoader([group]);
const load = (settings: object) =>
  parseConfig(JSON.stringify({ database: '/bar.db', darts: settings }), 'tapster.json', { env: {} });

test('each part of an extension is given its group of the settings file', async () => {
  const config = load({ boards: 'two' });
  await darts.start({ config } as Parameters<typeof darts.start>[0]);
  await darts.listener!.load({ config } as ListenerParts<unknown>);
  (await darts.countingSource!.load())({ config } as never);
  await (await darts.doctorCheck!.load())(config);
  expect(given.splice(0)).toEqual([
    ['start', 'two'],
    ['listener', 'two'],
    ['source', 'two'],
    ['doctor', 'two'],
    '/bar.db',
  ]);
});

test('the group decides whether the extension is on', () => {
  expect(configuredFeatures([darts], load({ boards: 'two' }))).toEqual({ darts: true });
  expect(configuredFeatures([darts], load({}))).toEqual({ darts: false });
});

test('a bug report says of a group only what it names for that', () => {
  expect(reportSettings(load({ secret: 'abc' }), [group])).toEqual({ 'darts.isOpen': true });
});
