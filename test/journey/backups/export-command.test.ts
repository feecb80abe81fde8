import { expect, test } from 'vitest';
import { backupSite, pour } from './backup-site.ts';

const site = backupSite();

test('the export command works while the daemon runs', async () => {
  const request = await site.open();
  await pour(request, 'one');
  const csv = await site.tapster('export', 'drinks');
  expect(csv.code).toBe(0);
  const [head, line] = csv.out.split('\r\n');
  expect(head).toMatch(/^id,pour_time,duration,tap_id,tap,keg_id,/);
  expect(line).toMatch(/^1,20\d\d-.*,Left,/);
  const kegs = await site.tapster('export', 'kegs', '--format', 'jsonl');
  expect(
    kegs.out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text)),
  ).toEqual([expect.objectContaining({ id: 1, state: 'on_tap' }), expect.objectContaining({ id: 2 })]);
  expect((await site.tapster('export', 'drinks', '--to', '2020-01-01')).out.split('\r\n')).toHaveLength(2);
  expect((await site.tapster('export', 'secrets')).code).toBe(64);
  expect((await site.tapster('export', 'drinks', '--from', 'yesterday')).code).toBe(64);
  expect((await site.tapster('export', 'drinks', '--format', 'xml')).code).toBe(64);
});
