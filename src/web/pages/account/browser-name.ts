import { words } from '../../words/account.ts';

/** The first that fits: most browsers also call themselves by the names of older ones. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg/, 'Edge'],
  [/OPR|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|Chromium|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** What a person calls the browser that calls itself so. */
export function browserName(userAgent: string): string {
  const nameIn = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return system ?? words.someBrowser;
  return system === undefined ? browser : words.on(browser, system);
}
