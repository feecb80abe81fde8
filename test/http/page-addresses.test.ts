import { expect, test } from 'vitest';
import { extensions } from '../../src/extensions/all.ts';
import { createPageAddresses } from '../../src/http/page-addresses.ts';
import { listPaths } from '../browser/kit/routes.ts';

const isPageAddress = createPageAddresses(extensions.flatMap(({ pages = [] }) => pages));

test('every path of the page’s route table is served as a page, not as one that does not exist', () => {
  const paths = listPaths().filter((path) => path !== '/index.html');
  expect(paths).toEqual(expect.arrayContaining(['/updates', '/alarms', '/alarm-links/secret']));
  expect(paths.filter((path) => !isPageAddress(path))).toEqual([]);
});

test.each(['/nowhere', '/beers/1/2', '/assets/main.js'])('%s is no page', (path) => {
  expect(isPageAddress(path)).toBe(false);
});
