import { beforeEach, expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createConfirmedStaffClient, createLoginClient, createStaffClient } from '../staff-client.ts';

let server: ReturnType<typeof createTestServer>;
let anna: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  server = createTestServer();
  anna = createConfirmedStaffClient(server);
});

const change = async (body: object): Promise<number> =>
  (await anna.send('patch', '/site', body)).correction_id;
const undo = (id: number) => anna.send('post', `/corrections/${id}/undo`);
const read = async () => (await anna.send('get', '/site')).site;

test('the opening hours are undone from the audit log, once', async () => {
  const id = await change({ opening_hours: '16:00-02:00' });
  const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(entry).toMatchObject({ id, action: 'site.changed', can_undo: true });
  await undo(id);
  expect((await read()).opening_hours).toBe('');
  const [undone, first] = (await anna.send('get', '/audit?limit=2')).entries;
  expect(undone).toMatchObject({
    action: 'correction.undone',
    before: { correction_id: id, openingHours: '16:00-02:00' },
    after: { openingHours: '' },
    can_undo: false,
  });
  expect(first).toMatchObject({ id, can_undo: false, undone_by: undone.id });
  const again = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(again.reason.name).toBe('already_undone');
});

test('settings of one change return together, others keep later values', async () => {
  const before = await read();
  const id = await change({ title: 'The Tap', privacy: 'staff', keg_low_percent: 20 });
  await change({ allergen_note: 'Contains barley.' });
  await undo(id);
  expect(await read()).toEqual({ ...before, allergen_note: 'Contains barley.' });
});

test('the undo is refused once one of the settings was changed again', async () => {
  const first = await change({ title: 'First', privacy: 'staff' });
  const second = await change({ title: 'Second' });
  const refused = await anna.expectError(409, 'post', `/corrections/${first}/undo`);
  expect(refused.reason.name).toBe('record_changed_since');
  expect((await read()).privacy).toBe('staff');
  await undo(second);
  await undo(first);
  expect(await read()).toMatchObject({ title: 'Tapster', privacy: 'public' });
});

test.each([
  ['privacy', 'staff', 'public'],
  ['registration_mode', 'member-invite-only', 'public'],
  ['require_https', 'on', 'off'],
])('neither a key nor an unconfirmed login changes %s or undoes its change', async (name, before, open) => {
  await change({ [name]: open });
  const id = await change({ [name]: before });
  const byKey = createStaffClient(server);
  const byLogin = createLoginClient(server);
  for (const [client, reason] of [
    [byKey, 'no_keys'],
    [byLogin, 'password_needed'],
  ] as const) {
    for (const [method, path, body] of [
      ['patch', '/site', { title: 'The Tap', [name]: open }],
      ['post', `/corrections/${id}/undo`, {}],
    ] as const)
      expect((await client.expectError(403, method, path, body)).reason.name).toBe(reason);
    await client.send('patch', '/site', { title: 'The Tap' });
  }
  expect((await read())[name]).toBe(before);
  await undo(id);
  expect((await read())[name]).toBe(open);
});

test('undone units have their usual serving sizes again', async () => {
  const volumes = async () =>
    (await anna.send('get', '/serving-sizes')).serving_sizes.map(
      ({ volume_ml: ml }: { volume_ml: number }) => ml,
    );
  const before = await volumes();
  const id = await change({ volume_display_units: 'metric' });
  expect(await volumes()).not.toEqual(before);
  await undo(id);
  expect(await volumes()).toEqual(before);
});

test('what was not changed has no undo', async () => {
  expect(await change({ title: 'Tapster' })).toBeNull();
});
