import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { PagingJson, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { requireTapView } from '../../../http/current/taps/taps.ts';
import {
  IdParam,
  Instant,
  parseInstant,
  parseTimeSpan,
  timeSpanFields,
} from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import {
  Closed,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  Open,
  TapRef,
  TempC,
} from '../../../http/routes/schemas.ts';
import type { ScaleRouteParts } from './route-parts.ts';
import { ScaleFindingJson, ScaleJson, scaleFindingJson, scaleJson, WeightG } from './scale-views.ts';

/** Default span of a chart: one day. */
const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Points of a chart: more than a screen has. */
const maxPoints = 1_440;

const params = Open({ id: IdParam });

/** Weights that scales report, what they showed, and what was found. */
export const kegWeightRoutes = ({ servicesOf }: ScaleRouteParts): readonly Route[] => [
  defineRoute({
    id: 'reportKegWeight',
    method: 'post',
    path: '/taps/{ref}/keg-weight',
    summary: 'Report the weight of the keg on a tap',
    description:
      'From a scale below the keg, with keg and platform. The first weight creates the scale of the tap. It is a second ' +
      'measurement beside the meter: it never becomes a drink. At most one weight per second is taken, `taken` tells; one ' +
      'per minute is stored for 30 days, the last one, so that sending it twice changes nothing. One older than a minute is ' +
      'stored, and not compared with the meter.',
    access: 'staff',
    accepts: {
      params: Open({ ref: TapRef }),
      body: Closed({
        weight_g: WeightG,
        temp_c: Maybe(Nullable(TempC)),
        time: Maybe(Instant('When it was taken, at most 30 days ago; now unless given.')),
      }),
    },
    replies: {
      status: 200,
      body: Closed({
        scale: ScaleJson,
        taken: Type.Boolean({ description: 'False when another weight came less than a second before.' }),
      }),
    },
    run(context, { params: { ref }, body }) {
      const { engine, now } = context;
      const timeMs = body.time === undefined ? undefined : parseInstant(engine, 'time', body.time);
      const weight = { weightG: body.weight_g, ...omitUndefined({ tempC: body.temp_c, timeMs }) };
      const { view, isTaken } = servicesOf(engine).scales.receiveAt(
        requireTapView(engine, ref),
        weight,
        now,
        actorContext(context),
      );
      return { scale: scaleJson(view), taken: isTaken };
    },
  }),
  defineRoute({
    id: 'listScaleReadings',
    method: 'get',
    path: '/scales/{id}/readings',
    summary: 'List the weights of a scale in a time span, oldest first',
    description:
      'Without a time span the last day. One weight per minute is stored for 30 days. Of a long span every n-th minute is ' +
      'listed, so that there are at most 1440.',
    access: 'staff',
    accepts: { params, query: Open(timeSpanFields) },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        minutes: Type.Integer({
          minimum: 1,
          'x-unit': 'min',
          description: 'Time between two points, minutes.',
        }),
        readings: Type.Array(
          Closed({
            time: { ...IsoSeconds, description: 'Start of the minute, UTC.' },
            weight_g: WeightG,
            temp_c: Nullable(TempC),
          }),
          { description: 'Oldest first, at most 1440.' },
        ),
      }),
    },
    run({ engine, now }, { params: { id }, query }) {
      requireScale(servicesOf(engine).scales.find(id), id);
      const { untilMs = now.wallMs + minuteMs, sinceMs = untilMs - dayMs } = parseTimeSpan(engine, query);
      const minutes = Math.max(1, Math.ceil((untilMs - sinceMs) / minuteMs / maxPoints));
      const stepMs = minutes * minuteMs;
      const steps = new Map(
        servicesOf(engine)
          .scales.readings(id, { sinceMs, untilMs })
          .map((reading) => [Math.floor(reading.minuteMs / stepMs), reading]),
      );
      const readings = [...steps.values()].slice(-maxPoints).map(({ minuteMs: timeMs, weightG, tempC }) => ({
        time: isoSeconds(timeMs),
        weight_g: weightG,
        temp_c: tempC,
      }));
      return { paging: wholeListPaging(readings), minutes, readings };
    },
  }),
  defineRoute({
    id: 'listScaleFindings',
    method: 'get',
    path: '/scales/{id}/findings',
    summary: 'List where a scale disagreed with the meter, newest first',
    description: 'The newest 100, all on one page. Those that are over are kept for a year.',
    access: 'staff',
    accepts: { params },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        findings: Type.Array(ScaleFindingJson, { description: 'Newest first.' }),
      }),
    },
    run({ engine }, { params: { id } }) {
      requireScale(servicesOf(engine).scales.find(id), id);
      const findings = servicesOf(engine).scales.findings(id).map(scaleFindingJson);
      return { paging: wholeListPaging(findings), findings };
    },
  }),
  defineRoute({
    id: 'closeScaleFinding',
    method: 'post',
    path: '/scale-findings/{id}/close',
    summary: 'Close a finding of a scale, or open it again',
    description: 'For the same keg it does not come back within a day. Written to the audit log.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        closed: Maybe(Type.Boolean({ description: 'False opens it again; true by default.' })),
      }),
    },
    errors: { conflict: [] },
    replies: { status: 200, body: Closed({ finding: ScaleFindingJson }) },
    run(context, { params: { id }, body: { closed = true } }) {
      return {
        finding: scaleFindingJson(
          servicesOf(context.engine).scales.closeFinding(id, closed, actorContext(context)!),
        ),
      };
    },
  }),
];

function requireScale(found: unknown, id: number): void {
  if (found !== null) return;
  throw new AppError('not_found', `There is no scale ${id}.`, { reason: { name: 'not_found' } });
}
