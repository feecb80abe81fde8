import { beforeEach, expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

let anna: ReturnType<typeof createStaffClient>;

beforeEach(async () => {
  anna = createStaffClient(createTestServer());
  await anna.create('/beverage-producers', { name: 'Brasserie Étoile', origin_city: 'Köln' });
  await anna.create('/beverages', { name: 'Pils', producer_id: 1, style: 'German Pilsner' });
  await anna.create('/beverages', { name: 'Bière de Garde', producer_id: 2 });
  await anna.create('/beverages', { name: 'Weißbier', producer_id: 2, style: 'Hefeweizen' });
});

async function names(query: string): Promise<string[]> {
  const { beverages, paging } = await anna.send('get', `/beverages?${query}`);
  expect(paging.total).toBe(beverages.length);
  return beverages.map(({ name }: { readonly name: string }) => name);
}

test.each<[string, readonly string[]]>([
  ['pils', ['Pils']],
  ['PILSNER', ['Pils']],
  ['biere', ['Bière de Garde']],
  ['weissbier', ['Weißbier']],
  ['étoile garde', ['Bière de Garde']],
  ['garde etoile', ['Bière de Garde']],
  ['hefe', ['Weißbier']],
  ['stout', []],
  ['%', ['Weißbier', 'Bière de Garde', 'Pils', 'Haus Helles']],
])('finds beverages by words of name, producer and style: %s', async (search, found) => {
  expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(found);
});

test('lists beverages by use', async () => {
  await anna.create('/kegs', { beverage_id: 2 });
  expect(await names('use=on_tap')).toEqual(['Haus Helles']);
  expect(await names('use=in_stock')).toEqual(['Pils']);
  expect(await names('use=unused')).toEqual(['Weißbier', 'Bière de Garde']);
  expect(await names('use=unused&search=weiss')).toEqual(['Weißbier']);
});

test('the pages of a search have its filters', async () => {
  const { paging } = await anna.send('get', '/beverages?use=unused&search=e&limit=1');
  expect(paging.next).toMatch(/use=unused&search=e&limit=1&cursor=/);
});

test('finds producers by name and city, and a new one has no country', async () => {
  const find = async (search: string) =>
    (await anna.send('get', `/beverage-producers?search=${search}`)).beverage_producers;
  expect(await find('etoile')).toMatchObject([{ id: 2, country: '' }]);
  expect(await find('koln')).toMatchObject([{ id: 2 }]);
  expect(await find('stern')).toEqual([]);
});
