import { expect, test } from 'vitest';
import { settingFault, settingList, siteSettings } from '../../../src/core/settings/site-settings.ts';

test('every setting has a valid default, a name and a description', () => {
  const names = settingList.map(([, { name }]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [, setting] of settingList) {
    expect(settingFault(setting, setting.default), setting.name).toBeNull();
    expect(setting.description).toMatch(/^[A-Z].*\.$/);
  }
});

test.each([
  ['title', ''],
  ['title', 'x'.repeat(65)],
  ['title', ' beer'],
  ['title', 7],
  ['privacy', 'secret'],
  ['privacy', ['public']],
  ['timeZone', 'Mars/Olympus'],
  ['timeZone', '+02:00'],
  ['timeZone', ''],
  ['sessionTimeoutMinutes', -1],
  ['sessionTimeoutMinutes', 1.5],
  ['sessionTimeoutMinutes', '180'],
  ['enableUsers', 'yes'],
] as const)('%s rejects %o', (name, value) => {
  expect(settingFault(siteSettings[name], value)?.fault).toMatch(/^must /);
});

test.each(['UTC', 'Europe/Berlin', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires'])(
  'accepts the zone %s',
  (zone) => {
    expect(settingFault(siteSettings.timeZone, zone)).toBeNull();
  },
);
