import Type, { type Static } from 'typebox';
import { type MeterCurve, scaleToFactor } from '../../../../core/measurement/meter-curve.ts';
import { omitUndefined } from '../../../../core/omit-undefined.ts';
import type { FlowMeter } from '../../../../core/records.ts';
import type { Engine } from '../../../../engine/engine.ts';
import type { HardwareService } from '../../../hardware-ports.ts';
import { AnyId, toId } from '../../../routes/input-values.ts';
import { defineRoute, type Route } from '../../../routes/route.ts';
import { type RouteContext, requestActor } from '../../../routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, named, Open } from '../../../routes/schemas.ts';
import type { RouteServices } from '../../../services.ts';
import { ApplyToKeg, originFields, toOrigin } from './calibration.ts';
import { findUsualHz, requireMeter } from './calibration-pours.ts';
import { AppliedJson, PreviewJson, previewJson } from './calibration-views.ts';
import { CurveJson, curveJson } from './curve-views.ts';

/** Flow of an open tap while its own is not known, mL/s. */
const usualMlPerS = 60;

const params = Open({ id: Id });
const { points, offset_ticks } = CurveJson.properties;
const factor = (description: string) =>
  Type.Number({ minimum: 0.001, maximum: 1000, 'x-unit': 'ticks/mL', description });

const curveFields = { points, offset_ticks: Maybe(offset_ticks) };
const newFactor = Maybe(
  factor('New calibration factor in ticks per millilitre, that of the usual rate; unchanged unless given.'),
);

const CurveOfMeterJson = named(
  'FlowMeterCurve',
  Closed(
    {
      flow_meter_id: { ...Id, description: 'Id of the flow meter.' },
      ticks_per_ml: factor('Calibration factor of the meter, in ticks per millilitre.'),
      usual_hz: Nullable(
        Type.Number({
          exclusiveMinimum: 0,
          'x-unit': 'Hz',
          description: 'Usual rate of the open tap, learned from ten clean pours; null before.',
        }),
      ),
      is_used: Type.Boolean({
        description:
          'True for meters on pins; pours of others have the one factor, because their ticks have no exact times.',
      }),
      curve: Nullable(CurveJson),
      data_sheet: Nullable(
        Closed(
          {
            model: Type.String({ description: 'Name of the meter’s model.' }),
            curve: CurveJson,
          },
          {
            description:
              'The curve of the model’s data sheet, scaled so that the factor at the usual rate stays; null where the model is not known or has none.',
          },
        ),
      ),
    },
    { description: 'The curve of a flow meter, and what its data sheet says.' },
  ),
);

/** The calibration factor of a meter over its rate. */
export const meterCurveRoutes = ({
  machineHardware,
}: Pick<RouteServices, 'machineHardware'>): readonly Route[] => [
  defineRoute({
    id: 'getMeterCurve',
    method: 'get',
    path: '/flow-meters/{id}/curve',
    summary: 'Get the curve of a meter: its calibration factors over the rate',
    description:
      'Without a curve one factor serves all rates. `data_sheet` can be passed to `PUT` as it is, with the method `sheet`.',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: CurveOfMeterJson },
    run({ engine }, { params: { id } }) {
      const meter = requireMeter(engine, id);
      const sheet = findSheet(machineHardware, meter, findUsualHz(engine, meter));
      return {
        flow_meter_id: meter.id,
        ticks_per_ml: meter.ticksPerMl,
        usual_hz: findUsualHz(engine, meter),
        is_used: isOnPins(machineHardware, meter),
        curve: meter.curve && curveJson(meter.curve),
        data_sheet: sheet && { model: sheet.model, curve: curveJson(sheet.curve) },
      };
    },
  }),
  defineRoute({
    id: 'previewMeterCurve',
    method: 'post',
    path: '/flow-meters/{id}/curve-preview',
    summary: 'Preview how a curve, or its removal, would change a keg’s past drinks. Changes nothing',
    description: 'As the preview of a calibration. Without `points` it is the removal that is previewed.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        points: Maybe(Nullable(points)),
        offset_ticks: Maybe(offset_ticks),
        ticks_per_ml: newFactor,
        apply_to_keg: Maybe(ApplyToKeg),
      }),
    },
    replies: { status: 200, body: PreviewJson },
    run({ engine }, { params: { id }, body }) {
      const curve = body.points == null ? null : toCurve({ ...body, points: body.points });
      const change = { curve, ...toOrigin(body), ...omitUndefined({ ticksPerMl: body.ticks_per_ml }) };
      return previewJson(engine.drinks.previewCalibration(id, change));
    },
  }),
  defineRoute({
    id: 'putMeterCurve',
    method: 'put',
    path: '/flow-meters/{id}/curve',
    summary:
      'Set the curve of a meter. With `apply_to_keg`, volumes of past drinks are recomputed; one correction undoes all of it',
    description:
      'Pours from pins are computed from then on with the factor of their rate, interpolated between the points every ' +
      '100 ms; below and above the points that of the nearest one holds. `ticks_per_ml` stays unless it is given, and is the factor of all other ' +
      'pours. Written to the audit log; `correction_id` undoes it as a whole with `POST /api/corrections/{id}/undo`.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        ...curveFields,
        ticks_per_ml: newFactor,
        apply_to_keg: Maybe(ApplyToKeg),
        ...originFields,
      }),
    },
    replies: { status: 200, body: AppliedJson },
    run: (context, { params: { id }, body }) =>
      apply(context, id, {
        curve: toCurve(body),
        ...toOrigin(body),
        ...omitUndefined({ ticksPerMl: body.ticks_per_ml }),
      }),
  }),
  defineRoute({
    id: 'deleteMeterCurve',
    method: 'delete',
    path: '/flow-meters/{id}/curve',
    summary: 'Remove the curve of a meter: one factor serves all rates again',
    description: 'Recomputes, logs and can be undone as setting one.',
    access: 'staff',
    accepts: {
      params,
      query: Open({
        apply_to_keg: Maybe({
          ...AnyId,
          description: 'Id of a keg whose past drinks are recomputed; none unless given.',
        }),
      }),
    },
    replies: { status: 200, body: AppliedJson },
    run: (context, { params: { id }, query }) =>
      apply(context, id, {
        curve: null,
        kegId: query.apply_to_keg === undefined ? null : toId(query.apply_to_keg),
      }),
  }),
];

function apply(
  context: RouteContext,
  meterId: number,
  change: Parameters<Engine['drinks']['calibrate']>[1],
): Static<typeof AppliedJson> {
  const { engine, now } = context;
  const applied = engine.drinks.calibrate(meterId, { ...change, actor: requestActor(context) }, now);
  return { ...previewJson(applied), correction_id: applied.correctionId };
}

const toCurve = (
  body: Pick<Static<typeof CurveJson>, 'points'> & Partial<Pick<Static<typeof CurveJson>, 'offset_ticks'>>,
): MeterCurve => ({
  points: body.points.map(({ hz, ticks_per_ml }) => ({ hz, ticksPerMl: ticks_per_ml })),
  offsetTicks: body.offset_ticks ?? 0,
});

const isOnPins = (hardware: HardwareService, meter: FlowMeter): boolean =>
  hardware.snapshot().meters.some(({ name }) => name === meter.name);

function findSheet(hardware: HardwareService, meter: FlowMeter, usualHz: number | null) {
  const { meters, models } = hardware.snapshot();
  const id = meters.find(({ name }) => name === meter.name)?.model ?? null;
  const model = id === null ? undefined : models.find((one) => one.id === id);
  if (model === undefined || model.points.length === 0) return null;
  const { ticksPerMl } = meter;
  const usual = { hz: usualHz ?? usualMlPerS * ticksPerMl, ticksPerMl };
  return { model: model.name, curve: { points: scaleToFactor(model.points, usual), offsetTicks: 0 } };
}
