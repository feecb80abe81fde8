import { beforeAll, expect, test } from 'vitest';
import { settingFault, siteSettings } from '../../../../src/core/settings/site-settings.ts';
import { loadAllTexts } from '../../../../src/web/locales/locale.ts';
import {
  findSettings,
  localeChoices,
  timeZoneChoices,
} from '../../../../src/web/pages/site/setting-choices.ts';

beforeAll(loadAllTexts);

test.each([
  ['en-US', 'us', 'f'],
  ['es-PR', 'us', 'f'],
  ['en', 'us', 'f'],
  ['en-GB', 'uk', 'c'],
  ['en-IE', 'metric', 'c'],
  ['de', 'metric', 'c'],
  ['pt-BR', 'metric', 'c'],
])('a browser in %s suggests the units %s and °%s', (tag, volumes, temperatures) => {
  expect(findSettings(tag, 'Europe/Berlin')).toMatchObject({
    locale: tag,
    timezone: 'Europe/Berlin',
    volume_display_units: volumes,
    temperature_display_units: temperatures,
  });
});

test('every offered language and time zone fits its setting, and the current value is always offered', () => {
  const locales = Object.keys(localeChoices('fa-IR'));
  expect(locales.filter((tag) => settingFault(siteSettings.locale, tag) !== null)).toEqual([]);
  expect(locales).toContain('fa-IR');
  expect(localeChoices('')['de-AT']).toBe('German (Austria)');
  const zones = Object.keys(timeZoneChoices('Asia/Calcutta'));
  expect(zones.filter((zone) => settingFault(siteSettings.timeZone, zone) !== null)).toEqual([]);
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'Asia/Calcutta', 'Europe/Berlin']));
});
