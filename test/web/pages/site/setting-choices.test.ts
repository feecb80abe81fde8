import { beforeAll, expect, test } from 'vitest';
import { settingFault, siteSettings } from '../../../../src/core/settings/site-settings.ts';
import { loadAllTexts } from '../../../../src/web/locales/locale.ts';
import {
  currencyChoices,
  findSettings,
  localeChoices,
  timeZoneChoices,
} from '../../../../src/web/pages/site/setting-choices.ts';

beforeAll(loadAllTexts);

test.each([
  ['en-US', 'us', 'f', 'USD'],
  ['es-PR', 'us', 'f', 'USD'],
  ['en', 'us', 'f', 'USD'],
  ['en-GB', 'uk', 'c', 'GBP'],
  ['en-IE', 'metric', 'c', 'EUR'],
  ['de', 'metric', 'c', 'EUR'],
  ['de-CH', 'metric', 'c', 'CHF'],
  ['pt-BR', 'metric', 'c', 'BRL'],
])(
  'a browser in %s suggests the units %s, °%s and the currency %s',
  (tag, volumes, temperatures, currency) => {
    expect(findSettings(tag, 'Europe/Berlin')).toMatchObject({
      locale: tag,
      timezone: 'Europe/Berlin',
      volume_display_units: volumes,
      temperature_display_units: temperatures,
      currency,
    });
  },
);

test('every offered language, currency and time zone fits its setting, and the current value is always offered', () => {
  const locales = Object.keys(localeChoices('fa-IR'));
  expect(locales.filter((tag) => settingFault(siteSettings.locale, tag) !== null)).toEqual([]);
  expect(locales).toContain('fa-IR');
  expect(localeChoices('')['de-AT']).toBe('German (Austria)');
  const currencies = Object.keys(currencyChoices('XYZ'));
  expect(currencies).toEqual(expect.arrayContaining(['EUR', 'USD', 'XYZ']));
  // Every suggestion is offered.
  const suggested = locales.filter((tag) => tag !== '').map((tag) => findSettings(tag).currency);
  expect(suggested.filter((code) => !currencies.includes(code))).toEqual([]);
  const zones = Object.keys(timeZoneChoices('Asia/Calcutta'));
  expect(zones.filter((zone) => settingFault(siteSettings.timeZone, zone) !== null)).toEqual([]);
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'Asia/Calcutta', 'Europe/Berlin']));
});
