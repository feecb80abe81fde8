import Type, { type Static } from 'typebox';
import type { AppliedCalibration, CalibrationPreview } from '../../../../engine/engine.ts';
import { Closed, Id, Nullable, named, TotalMl, VolumeMl } from '../../../routes/schemas.ts';
import { KegJson, kegJson } from '../../shared/views.ts';
import { CurveJson, curveJson } from './curve-views.ts';

export const TicksPerMl = Type.Number({
  minimum: 0.001,
  maximum: 1000,
  'x-unit': 'ticks/mL',
  description: 'New calibration factor in ticks per millilitre.',
});

const previewFields = {
  flow_meter_id: { ...Id, description: 'Id of the flow meter.' },
  ticks_per_ml_before: Type.Number({
    exclusiveMinimum: 0,
    'x-unit': 'ticks/mL',
    description: 'Calibration factor before, in ticks per millilitre.',
  }),
  ticks_per_ml: TicksPerMl,
  curve_before: Nullable(CurveJson),
  curve: Nullable(CurveJson),
  keg: Nullable(KegJson),
  drink_count: Type.Integer({ minimum: 0, description: 'Number of drinks whose volume changes.' }),
  volume_ml_before: { ...TotalMl, description: 'Sum of these drinks before, in millilitres.' },
  volume_ml: { ...TotalMl, description: 'Sum of these drinks after, in millilitres.' },
  drinks: Type.Array(
    Closed({
      id: { ...Id, description: 'Id of the drink.' },
      volume_ml_before: { ...VolumeMl, description: 'Volume before, in millilitres.' },
      volume_ml: { ...VolumeMl, description: 'Volume after, in millilitres.' },
    }),
    {
      description: 'The newest 100 of these drinks.',
    },
  ),
};
export const PreviewJson = named(
  'CalibrationPreview',
  Closed(previewFields, { description: 'What a calibration would change.' }),
);
export const AppliedJson = named(
  'Calibration',
  Closed(
    {
      ...previewFields,
      correction_id: Nullable({
        ...Id,
        description: 'Id of the correction, to undo it; null when no drink changed.',
      }),
    },
    { description: 'What a calibration has changed.' },
  ),
);

export const previewJson = (
  calibration: CalibrationPreview | AppliedCalibration,
): Static<typeof PreviewJson> => ({
  flow_meter_id: calibration.meter.id,
  ticks_per_ml_before: calibration.beforeTicksPerMl,
  ticks_per_ml: calibration.ticksPerMl,
  curve_before: calibration.beforeCurve && curveJson(calibration.beforeCurve),
  curve: calibration.curve && curveJson(calibration.curve),
  keg: calibration.keg && kegJson(calibration.keg),
  drink_count: calibration.drinkCount,
  volume_ml_before: calibration.beforeMl,
  volume_ml: calibration.afterMl,
  drinks: calibration.drinks.map(({ drinkId, beforeMl, afterMl }) => ({
    id: drinkId,
    volume_ml_before: beforeMl,
    volume_ml: afterMl,
  })),
});
