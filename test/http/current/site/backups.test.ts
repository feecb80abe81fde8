import { expect, test } from 'vitest';
import { workingServices } from '../../fuzz/working-services.ts';
import { createTestServer } from '../../test-server.ts';
import { createConfirmedStaffClient } from '../staff-client.ts';

test('a backup is begun in the background, listed and deleted, and the audit log has both', async () => {
  const server = createTestServer({ services: workingServices() });
  const staff = createConfirmedStaffClient(server);
  expect(await staff.send('post', '/admin/backups', undefined, 202)).toEqual({ started: true });
  const { backups, paging } = await staff.send('get', '/admin/backups');
  expect([paging.total, backups.length]).toEqual([1, 1]);
  const name: string = backups[0].backup_name;
  expect(await staff.send('delete', `/admin/backups/${name}`)).toEqual({});
  const written = server.engine.audit.list({}).items.map(({ action, subject }) => [action, subject.id]);
  expect(written.slice(0, 2)).toEqual([
    ['backup.deleted', name],
    ['backup.begun', 'manual'],
  ]);
});

test('a backup that is not there is a 404, and nothing is written', async () => {
  const server = createTestServer({ services: workingServices() });
  const staff = createConfirmedStaffClient(server);
  const before = server.engine.audit.list({}).total;
  const error = await staff.expectError(404, 'delete', '/admin/backups/other.tar.gz');
  expect(error.message).toBe('There is no backup other.tar.gz.');
  expect(server.engine.audit.list({}).total).toBe(before);
});
