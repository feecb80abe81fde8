import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../../core/omit-undefined.ts';
import { AnyId, toId } from '../../../routes/input-values.ts';
import { defineRoute, type Route } from '../../../routes/route.ts';
import { requestActor } from '../../../routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, Open } from '../../../routes/schemas.ts';
import { calibrationPourRoutes } from './calibration-pours.ts';
import { AppliedJson, PreviewJson, previewJson, TicksPerMl } from './calibration-views.ts';
import { meterLearningRoutes } from './meter-learning.ts';
import { declareMeterReplaced } from './meter-replacement.ts';

const params = Open({ id: Id });
/** An estimate by few pours may be far off. */
const maxMeasuredOffset = 1_000_000;

export const ApplyToKeg = Nullable({
  ...AnyId,
  description: 'Id of a keg whose past drinks are recomputed; none unless given.',
});

const previewBody = {
  ticks_per_ml: TicksPerMl,
  apply_to_keg: Maybe(ApplyToKeg),
};

/** Where a calibration comes from and how good it is. */
export const originFields = {
  method: Maybe(
    Type.Enum(['entered', 'sheet', 'pours', 'evidence'], {
      default: 'entered',
      description:
        'Where it comes from: entered by hand, the data sheet of the model, measured pours, or what the meter has learned.',
    }),
  ),
  uncertainty: Maybe(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Half width of the 95 % interval of the factor, as a fraction: that of the estimate. Unknown unless given.',
    }),
  ),
  measured: Maybe(
    Closed(
      {
        pours: Type.Integer({ minimum: 1, maximum: 50, description: 'Number of measured pours.' }),
        ticks: Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          'x-unit': 'ticks',
          description: 'Sum of their ticks.',
        }),
        volume_ml: Type.Number({
          exclusiveMinimum: 0,
          maximum: 10_000_000,
          'x-unit': 'mL',
          description: 'Sum of their measured volumes in millilitres.',
        }),
        hz: Maybe(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 100_000,
            'x-unit': 'Hz',
            description:
              'Their mean rate in ticks per second: that of the estimate. Volumes of other rates are less certain. That of 60 mL/s unless given.',
          }),
        ),
        offset: Maybe(
          Closed(
            {
              ticks: Type.Number({
                minimum: -maxMeasuredOffset,
                maximum: maxMeasuredOffset,
                'x-unit': 'ticks',
                description: '`offset_ticks` of the estimate.',
              }),
              uncertainty: Type.Number({
                minimum: 0,
                maximum: maxMeasuredOffset,
                'x-unit': 'ticks',
                description: '`offset_uncertainty` of the estimate.',
              }),
            },
            {
              description:
                'Ticks that each has besides its volume, where their sizes differ enough: the ± of short pours follows from it.',
            },
          ),
        ),
      },
      { description: 'The measured pours that the factor comes from; the meter learns from them.' },
    ),
  ),
};

const body = Closed({ ...previewBody, ...originFields });

const previewCalibration = defineRoute({
  id: 'previewCalibration',
  method: 'post',
  path: '/flow-meters/{id}/calibration-preview',
  summary: 'Preview how a calibration would change a keg’s past drinks. Changes nothing',
  description:
    'With `apply_to_keg`, only drinks of that keg whose volume was computed from ticks of this meter change; ' +
    'volumes given by a board, a client or a person stay. Counts, sums and the newest 100 of them are returned.',
  access: 'staff',
  accepts: { params, body: Closed(previewBody) },
  replies: { status: 200, body: PreviewJson },
  run: ({ engine }, input) =>
    previewJson(engine.drinks.previewCalibration(input.params.id, toRecalibration(input.body))),
});

const calibrate = defineRoute({
  id: 'calibrateFlowMeter',
  method: 'post',
  path: '/flow-meters/{id}/calibrate',
  summary:
    'Calibrate a meter. With `apply_to_keg`, volumes of past drinks computed from ticks are recomputed; one correction undoes all of it',
  description:
    'Pours from then on are computed with the new factor, and the meter counts as calibrated. The totals of keg, ' +
    'sessions and users follow in the same transaction. Written to the audit log; `correction_id` undoes it as a ' +
    'whole with `POST /api/corrections/{id}/undo`. With the `uncertainty` of the estimate the volumes of the meter have a known ' +
    'uncertainty. A curve of the meter is scaled with the factor.',
  access: 'staff',
  accepts: { params, body },
  replies: { status: 200, body: AppliedJson },
  run(context, input) {
    const { engine, now } = context;
    const calibration = { ...toRecalibration(input.body), actor: requestActor(context) };
    const applied = engine.drinks.calibrate(input.params.id, calibration, now);
    return { ...previewJson(applied), correction_id: applied.correctionId };
  },
});

/** Calibration of flow meters. Past volumes can be recomputed because every drink stores its ticks. */
export const calibrationRoutes: readonly Route[] = [
  ...calibrationPourRoutes,
  previewCalibration,
  calibrate,
  ...meterLearningRoutes,
  declareMeterReplaced,
];

const toRecalibration = (input: Static<typeof body>) => ({
  ticksPerMl: input.ticks_per_ml,
  ...toOrigin(input),
});

/** What a calibration has besides its factor or curve. */
export const toOrigin = (input: Omit<Static<typeof body>, 'ticks_per_ml'>) => ({
  kegId: input.apply_to_keg == null ? null : toId(input.apply_to_keg),
  ...omitUndefined({
    uncertainty: input.uncertainty,
    method: input.method,
    measured: input.measured && {
      pours: input.measured.pours,
      ticks: input.measured.ticks,
      volumeMl: input.measured.volume_ml,
      ...omitUndefined({ hz: input.measured.hz, offset: input.measured.offset }),
    },
  }),
});
