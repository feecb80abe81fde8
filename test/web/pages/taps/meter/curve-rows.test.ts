import { expect, test } from 'vitest';
import { toCurveRows, toPoints } from '../../../../../src/web/pages/taps/meter/curve-rows.ts';

test('rows of flow and ticks per litre become points of rate and factor, slowest first', () => {
  const rows = [
    { flow: '100', ticks: '500' },
    { flow: '20,5', ticks: '400' },
  ];
  expect(toPoints(rows)).toEqual([
    { hz: expect.closeTo(8.2, 9), ticks_per_ml: 0.4 },
    { hz: 50, ticks_per_ml: 0.5 },
  ]);
  expect(toPoints([])).toEqual([]);
});

test('a stored point keeps all its digits until its row is edited', () => {
  const points = [{ hz: 123.456789, ticks_per_ml: 5.43210987 }];
  const rows = toCurveRows({ points, offset_ticks: 0 });
  expect(rows).toMatchObject([{ flow: '22.7', ticks: '5432.1' }]);
  expect(toPoints(rows)).toEqual(points);
  const [{ flow, ticks }] = rows as [{ flow: string; ticks: string }];
  expect(toPoints([{ flow, ticks }])).not.toEqual(points);
});

test.each([
  ['nothing', [{ flow: '', ticks: '' }]],
  ['no number', [{ flow: 'x', ticks: '500' }]],
  ['no flow', [{ flow: '0', ticks: '500' }]],
  ['negative ticks', [{ flow: '10', ticks: '-5' }]],
  [
    'one rate twice',
    [
      { flow: '10', ticks: '500' },
      { flow: '10', ticks: '500' },
    ],
  ],
])('a table with %s cannot be used', (_what, rows) => {
  expect(toPoints(rows)).toBeNull();
});
