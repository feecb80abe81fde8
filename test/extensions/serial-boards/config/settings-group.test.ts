import { expect, test } from 'vitest';
import { createConfigLoader } from '../../../../src/config/load.ts';
import { settingsOf } from '../../../../src/config/settings-group.ts';
import { serialGroup } from '../../../../src/extensions/serial-boards/config/settings-group.ts';

const { parseConfig } = createConfigLoader([serialGroup]);

test.each<[string, object, string]>([
  [
    'two boards on one serial port',
    { serial: { boards: [{ path: '/dev/uno' }, { path: '/dev/uno' }] } },
    'serial.boards[1].path repeats "/dev/uno" of serial.boards[0].path; a port has one device.',
  ],
  [
    'a serial board with the name of the Pi',
    { serial: { boards: [{ path: '/dev/uno', name: 'pi' }] } },
    'serial.boards[0].name repeats "pi" of controller.name; controller names must be unique.',
  ],
])('%s is reported', (_, settings, fault) => {
  expect(() => parseConfig(JSON.stringify(settings), 'tapster.json', { env: {} })).toThrow(fault);
});

test('paths of boards are absolute', () => {
  const settings = { serial: { boards: [{ path: 'uno' }], directory: 'ports' } };
  const config = parseConfig(JSON.stringify(settings), 'tapster.json', { env: {}, cwd: '/bar' });
  expect(settingsOf(config, serialGroup)).toEqual({
    auto: false,
    directory: '/bar/ports',
    boards: [{ path: '/bar/uno' }],
  });
});
