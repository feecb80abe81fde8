import { expect, test } from 'vitest';
import { ConfigFault, createConfigLoader } from '../../src/config/load.ts';
import { Group, Int, List, Text } from '../../src/config/schema-builders.ts';
import { defineSettings, settingsOf } from '../../src/config/settings-group.ts';
import { settingsTable } from '../../src/config/table.ts';

const about = { description: 'about it' };
const name = Text({ maxLength: 9, default: '', ...about });
const darts = defineSettings({
  name: 'darts',
  properties: {
    boards: List(Group({ name, port: name }), { maxItems: 4, default: [], ...about }),
    players: Int({ minimum: 1, maximum: 8, default: 2, ...about }),
    secret: Text({ maxLength: 9, pattern: '^[!-~]*$', secret: true, default: '', ...about }),
    scores: Text({ maxLength: 99, default: 'scores', ...about }),
  },
  unique: { controllers: { list: 'boards', key: 'name' }, ports: { list: 'boards', key: 'port' } },
  findFaults: ({ players }) => (players === 7 ? ['darts.players must be even.'] : []),
  complete: (settings, toPath) => ({ ...settings, scores: toPath(settings.scores) }),
});
const cards = defineSettings({ name: 'cards', properties: { decks: Int({ default: 1, ...about }) } });

const { parseConfig } = createConfigLoader([darts, cards]);
const parse = (settings: object) =>
  parseConfig(JSON.stringify(settings), 'tapster.json', { env: {}, cwd: '/bar' });

function findFaults(settings: object): readonly string[] {
  try {
    parse(settings);
  } catch (fault) {
    if (fault instanceof ConfigFault) return fault.faults;
    throw fault;
  }
  return [];
}

test('the settings of a group have its type, its defaults and complete paths, and are none of the base', () => {
  const config = parse({ darts: { players: 4 } });
  expect(settingsOf(config, darts)).toEqual({ boards: [], players: 4, secret: '', scores: '/bar/scores' });
  expect(settingsOf(config, cards).decks).toBe(1);
  expect(config).not.toHaveProperty('darts');
});

test('each fault of a group is reported with its path, those of the base with it, and no secret is repeated', () => {
  const faults = findFaults({ darts: { players: 9, secret: 'a b', plaers: 1 }, logs: {}, decks: 2 });
  expect(faults).toEqual([
    'logs is not a setting; did you mean log?',
    'decks is not a setting; did you mean cards.decks?',
    'darts.plaers is not a setting; did you mean darts.players?',
    'darts.players must be an integer from 1 to 8, not 9.',
    'darts.secret must be a text of 0 to 9 characters (ASCII without blanks).',
  ]);
  expect(findFaults({ darts: [] })).toEqual(['darts must be a group of settings in { }, not an empty list.']);
  expect(findFaults({ darts: { players: 7 } })).toEqual(['darts.players must be even.']);
});

test('names and ports of a group are unique in the whole file', () => {
  const boards = [
    { name: 'pi', port: '/dev/a' },
    { name: 'b', port: '/dev/b' },
  ];
  const settings = { darts: { boards }, readers: [{ type: 'serial', port: '/dev/b' }] };
  expect(findFaults({ ...settings, controller: { name: 'bar' } })).toEqual([
    'readers[0].port repeats "/dev/b" of darts.boards[1].port; a port has one device.',
  ]);
  expect(findFaults({ darts: { boards }, controller: { name: 'pi' } })).toEqual([
    'darts.boards[0].name repeats "pi" of controller.name; controller names must be unique.',
  ]);
});

test('a group that was not named to the loader is an unknown key, and has no settings', () => {
  const base = createConfigLoader([]);
  const fault = 'darts is not a setting; known are';
  expect(() => base.parseConfig('{"darts": {}}', 'tapster.json', { env: {} })).toThrow(fault);
  const config = base.parseConfig('{}', 'tapster.json', { env: {} });
  expect(() => settingsOf(config, darts)).toThrow('darts');
});

test('the table of all settings lists those of groups', () => {
  const rows = settingsTable([darts, cards]).split('\n');
  expect(rows).toContain('| `darts.players` | `2` | an integer from 1 to 8 | about it |');
  expect(rows).toContain('| `darts.boards[].port` | `` | a text of 0 to 9 characters | about it |');
});
