import Type, { type Static } from 'typebox';
import { type MeterCurve, maxCurvePoints } from '../../../../core/measurement/meter-curve.ts';
import { maxCurveHz, maxOffsetTicks } from '../../../../engine/engine.ts';
import { Closed, named } from '../../../routes/schemas.ts';

/** A rate of ticks. */
export const Hz = Type.Number({ minimum: 0.01, maximum: maxCurveHz, 'x-unit': 'Hz' });

/** A calibration factor at each of several rates. */
export const CurveJson = named(
  'MeterCurve',
  Closed(
    {
      points: Type.Array(
        Closed({
          hz: { ...Hz, description: 'Ticks per second.' },
          ticks_per_ml: Type.Number({
            minimum: 0.001,
            maximum: 1000,
            'x-unit': 'ticks/mL',
            description: 'Calibration factor at this rate, in ticks per millilitre.',
          }),
        }),
        {
          minItems: 1,
          maxItems: maxCurvePoints,
          description: 'The points, in ascending order of their rate.',
        },
      ),
      offset_ticks: Type.Number({
        minimum: -maxOffsetTicks,
        maximum: maxOffsetTicks,
        default: 0,
        'x-unit': 'ticks',
        description: 'Ticks that each pour has besides its volume.',
      }),
    },
    { description: 'Calibration factors of a meter over its rate.' },
  ),
);

export const curveJson = ({ points, offsetTicks }: MeterCurve): Static<typeof CurveJson> => ({
  points: points.map(({ hz, ticksPerMl }) => ({ hz, ticks_per_ml: ticksPerMl })),
  offset_ticks: offsetTicks,
});
