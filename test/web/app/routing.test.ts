import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => vi.resetModules());

/** The module as it is loaded below a path prefix. */
async function loadBelow(baseUrl: string) {
  vi.stubGlobal('document', { baseURI: baseUrl, documentElement: { lang: '' } });
  return await import('../../../src/web/app/routing.ts');
}

test.each([
  ['http://pi.local/', ''],
  ['https://bar.example/tap+bar/', '/tap+bar'],
])('below %s, links to pages are opened without a reload', async (baseUrl, prefix) => {
  const { routerScope, toHref } = await loadBelow(baseUrl);
  expect(toHref('/kegs/3')).toBe(`${prefix}/kegs/3`);
  for (const path of ['/', '/kegs/3', '/drinks?user=anna', '/apiary']) {
    expect(routerScope.test(toHref(path)), path).toBe(true);
  }
});

test.each([
  ['http://pi.local/', ''],
  ['https://bar.example/tap+bar/', '/tap+bar'],
])('below %s, the browser loads the API, files and other sites', async (baseUrl, prefix) => {
  const { routerScope } = await loadBelow(baseUrl);
  for (const path of ['/api/docs', '/api?x', '/healthz', '/licences.txt']) {
    expect(routerScope.test(`${prefix}${path}`), path).toBe(false);
  }
  expect(routerScope.test('https://bar.example/kegs')).toBe(false);
  expect(routerScope.test('kegs')).toBe(false);
});

test('below a prefix, other pages of the same server are not opened by the router', async () => {
  const { routerScope } = await loadBelow('https://bar.example/tap+bar/');
  expect(routerScope.test('/kegs')).toBe(false);
  expect(routerScope.test('/tappproom/kegs')).toBe(false);
});
