import { expect, test } from 'vitest';
import { HotTimeJson, hotTimeJson } from '../../../../src/extensions/sales/http/balance-figures.ts';
import { schemaMismatch } from '../../../../src/http/pipeline/validate.ts';

test('every weekday and hour at which most of a difference can be is an allowed answer, midnight too', () => {
  for (let hour = 0; hour < 24; hour++) {
    const answer = hotTimeJson({
      weekday: hour % 7,
      sinceHour: hour,
      untilHour: (hour + 1) % 24,
      volumeMl: 500,
    });
    expect([hour, schemaMismatch(HotTimeJson, answer)]).toEqual([hour, null]);
  }
});

test('an hour that no clock shows is not', () => {
  const answer = hotTimeJson({ weekday: 1, sinceHour: 24, untilHour: 1, volumeMl: 500 });
  expect(schemaMismatch(HotTimeJson, answer)).toContain('since_hour');
});
