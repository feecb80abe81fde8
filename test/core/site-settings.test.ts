import { expect, test } from 'vitest';
import { settingFault, settingList, siteSettings } from '../../src/core/site-settings.ts';

test('every setting begins as something it may be, under a name and with a sentence of its own', () => {
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
] as const)('%s cannot be %o', (name, value) => {
  expect(settingFault(siteSettings[name], value)).toMatch(/^must /);
});

test.each(['UTC', 'Europe/Berlin', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires'])('%s is a zone', (zone) => {
  expect(settingFault(siteSettings.timeZone, zone)).toBeNull();
});
