import { expect, test } from 'vitest';
import { kegbotTime } from '../../../src/http/legacy-v1/kegbot-time.ts';

test('formats microseconds, except on the full second', () => {
  expect(kegbotTime(Date.UTC(2026, 4, 2, 17, 4, 11, 120))).toBe('2026-05-02T17:04:11.120000+00:00');
  expect(kegbotTime(Date.UTC(2026, 4, 2, 17, 4, 11))).toBe('2026-05-02T17:04:11+00:00');
});
