import { beforeEach, describe, expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

let anna: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  anna = createStaffClient(createTestServer());
});

const change = async (body: object): Promise<number> =>
  (await anna.send('patch', '/admin/business', body)).correction_id;
const undo = (id: number) => anna.send('post', `/corrections/${id}/undo`);
const read = async () => (await anna.send('get', '/admin/business')).business;

test('a change of the end of the day is undone from the change log, once', async () => {
  const before = await read();
  const id = await change({ day_ends: '05:30', currency: 'CHF' });
  const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(entry).toMatchObject({
    id,
    action: 'business.changed',
    after: { dayEndsMinutes: 330, currency: 'CHF' },
    can_undo: true,
  });
  await undo(id);
  expect(await read()).toEqual(before);
  const [undone] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(undone).toMatchObject({
    action: 'correction.undone',
    before: { correction_id: id, dayEndsMinutes: 330, currency: 'CHF' },
    after: { dayEndsMinutes: 240, currency: before.currency },
  });
  const again = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(again.reason.name).toBe('already_undone');
});

test('settings that were not part of the change keep their later values', async () => {
  const id = await change({ day_ends: '05:30' });
  await change({ nightly_backups: false });
  await undo(id);
  expect(await read()).toMatchObject({ day_ends: '04:00', nightly_backups: false });
});

test('the undo is refused once the setting was changed again', async () => {
  const first = await change({ day_ends: '05:30' });
  const second = await change({ day_ends: '06:00' });
  const refused = await anna.expectError(409, 'post', `/corrections/${first}/undo`);
  expect(refused.reason.name).toBe('record_changed_since');
  await undo(second);
  await undo(first);
  expect((await read()).day_ends).toBe('04:00');
});

test('what was not changed has neither undo nor entry', async () => {
  const { day_ends: dayEnds } = await read();
  const entries = async () => (await anna.send('get', '/audit')).entries.length;
  const before = await entries();
  expect(await change({ day_ends: dayEnds })).toBeNull();
  expect(await entries()).toBe(before);
});

test('the limit of days on a tap is set, taken away by null, and undone', async () => {
  const id = await change({ max_days_on_tap: 14 });
  expect((await read()).max_days_on_tap).toBe(14);
  await undo(id);
  expect((await read()).max_days_on_tap).toBeNull();
  for (const wrong of [0, 366, 1.5, 'two'])
    expect(
      (await anna.expectError(400, 'patch', '/admin/business', { max_days_on_tap: wrong })).fields,
    ).toHaveProperty('max_days_on_tap');
});

describe('shifts', () => {
  const shifts = [
    { name: 'Lunch', starts: '10:00' },
    { name: 'Evening', starts: '17:30' },
  ];

  test('are stored in the order of their starts, and undone as one change', async () => {
    const id = await change({ shifts: [...shifts].reverse() });
    expect((await read()).shifts).toEqual(shifts);
    const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
    expect(entry).toMatchObject({ before: { shifts: '' }, after: { shifts: '10:00 Lunch, 17:30 Evening' } });
    await undo(id);
    expect((await read()).shifts).toEqual([]);
  });

  test('one alone, two with one start, and a wrong time are refused', async () => {
    const refuse = async (...others: object[]) =>
      (await anna.expectError(400, 'patch', '/admin/business', { shifts: [shifts[0], ...others] })).rules;
    expect(await refuse()).toMatchObject({ shifts: { name: 'shifts', most: 6 } });
    expect(await refuse({ name: 'Noon', starts: '10:00' })).toMatchObject({ shifts: { name: 'shifts' } });
    const rules = await refuse({ name: 'Late', starts: '24:00' });
    expect(Object.values(rules)).toMatchObject([{ name: 'time_of_day' }]);
    expect((await read()).shifts).toEqual([]);
  });
});
