import request from 'supertest';
import { expect, test } from 'vitest';
import { createPopulatedServer } from '../populated-server.ts';

const open = () => {
  const server = createPopulatedServer();
  const get = (path: string, key = server.staffKey) =>
    request(server.app).get(`/api/${path}`).set('X-Kegbot-Api-Key', key);
  return { ...server, get };
};

test('a month lists each sensor by day, outside the limit and with gaps', async () => {
  const { get } = open();
  const { result } = (await get('temperature-sheets/2026-05?limit_c=5.5').expect(200)).body;
  expect(result.limit_c).toBe(5.5);
  const sheet = result.temperature_sheets.find(
    ({ sensor_name: name }: { sensor_name: string }) => name === '28-0000000000a1',
  );
  const days = sheet.days.filter(({ readings }: { readings: number }) => readings > 0);
  expect(days).toMatchObject([
    { date: '2026-05-02', min_c: 4, mean_c: 5, max_c: 6, readings: 3, hours_above: 1 },
  ]);
  // Days that have not begun are not listed.
  expect(sheet.days.at(-1).date).toBe('2026-05-03');
});

test('the CSV has the same rows; a wrong month is refused, and guests see nothing', async () => {
  const { get, guestKey } = open();
  const { text } = await get('temperature-sheets/2026-05/csv?limit_c=5.5').expect(200);
  expect(text).toContain('28-0000000000a1,2026-05-02,4,5,6,3,5.5,1,');
  await get('temperature-sheets/2026-13').expect(400);
  await get('temperature-sheets/2026-05', guestKey).expect(403);
});
