import Type from 'typebox';
import type { Moment } from '../../../../core/clock/moment.ts';
import type { EveningFlow } from '../../../../core/measurement/evening-flow.ts';
import { lineFindings } from '../../../../core/measurement/line-health.ts';
import { rateDefaults } from '../../../../core/measurement/tap-rate.ts';
import { omitUndefined } from '../../../../core/omit-undefined.ts';
import type { FlowMeter } from '../../../../core/records.ts';
import type { Engine } from '../../../../engine/engine.ts';
import { defineRoute } from '../../../routes/route.ts';
import { CalendarDate, Closed, Maybe, Nullable, Open, TapRef, TempC } from '../../../routes/schemas.ts';
import { requireTapView } from '../taps.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** Figures that evenings and the usual flow have in common. */
const figures = {
  rate_ml_per_s: Type.Number({ minimum: 0, 'x-unit': 'mL/s', description: 'Flow of the open tap.' }),
  rise_ms: Nullable(
    Type.Number({
      minimum: 0,
      'x-unit': 'ms',
      description:
        'Time lost while the flow begins: half of the time in which the valve opens; null when unknown.',
    }),
  ),
  dips_per_minute: Nullable(
    Type.Number({
      minimum: 0,
      description: 'Stops of at most 0.3 s per minute of flow; null for a meter with too few ticks.',
    }),
  ),
  foamy_share: share('Share of foamy pours.'),
  temp_c: Nullable(TempC),
};

const UsualFlow = Closed(
  {
    evenings: Type.Integer({ minimum: 0, description: 'Evenings from which it was computed.' }),
    ...figures,
    nearly_empty_ratio: Nullable(
      Type.Number({
        minimum: 0,
        description:
          'Flow of a keg with less than 30 % left as a share of that of a fuller one; null while too few evenings tell.',
      }),
    ),
    rate_per_degree: Nullable(
      Type.Number({
        description: 'Change of the flow per degree Celsius, as a share; null while too few evenings tell.',
      }),
    ),
  },
  { description: 'The tap’s usual figures; null before five evenings.' },
);

const GasRate = Closed(
  {
    hz: Type.Number({
      minimum: 0,
      'x-unit': 'Hz',
      description: 'Ticks per second of the open tap, to which a pour is compared.',
    }),
    pours: Type.Integer({
      minimum: 0,
      description:
        'The last clean pours of this tap, 30 at most; the rate is learned from them once there are 10.',
    }),
    default: Maybe(
      Type.Enum([...rateDefaults], {
        description:
          'What stands in for the rate until it is learned: a default for the meter’s `model`, by its `calibration`, or for ' +
          '`any_meter`. Absent once it is.',
      }),
    ),
  },
  {
    description:
      'The rate by which gas is looked for in this tap’s pours; null without a meter, and for a network kegboard’s.',
  },
);

const Finding = Closed({
  kind: Type.Enum([...lineFindings], {
    description:
      '`low_pressure`: all taps flow less than usual. `blocked_line`: this tap alone does: line, valve, or pressure of its keg. ' +
      '`warm_beer`: warmer, with less flow or more foam. `slow_valve`: the flow begins late. `sticking_meter`: the meter stops for moments.',
  }),
  since: { ...CalendarDate, description: 'The first of the two evenings.' },
});

const Evening = Closed({
  date: { ...CalendarDate, description: 'The business day.' },
  pours: Type.Integer({ minimum: 0, description: 'Clean pours, of the last 30 of the day.' }),
  ...figures,
  keg_left: Nullable(share('What was left in the keg in the middle of the evening, as a share.')),
});

export const getTapLineHealth = defineRoute({
  id: 'getTapLineHealth',
  method: 'get',
  path: '/taps/{ref}/line-health',
  summary: 'Read a tap’s flow by evening, and what it shows of its line',
  description:
    'Evenings (finished business days of the last six weeks) with at least five clean pours that a meter of this machine or of a ' +
    'serial board counted. Found is what differs from the tap’s usual flow on the last two of them. Empty for a tap without a meter. ' +
    'After a start the evenings are read bit by bit: until all are, nothing is found, and older ones may be missing.',
  access: 'staff',
  accepts: { params: Open({ ref: TapRef }) },
  replies: {
    status: 200,
    body: Closed({
      usual: Nullable(UsualFlow),
      gas_rate: Nullable(GasRate),
      findings: Type.Array(Finding, {
        maxItems: lineFindings.length,
        description: 'What differs; empty for an ordinary line.',
      }),
      evenings: Type.Array(Evening, { description: 'The evenings, oldest first.' }),
    }),
  },
  run({ engine, now }, { params }) {
    const { tap } = requireTapView(engine, params.ref);
    const health = engine.taps.lineHealth.ofTap(tap.id, now);
    const usual = health?.usual ?? null;
    const rate = findGasRate(engine, tap.meter, now);
    return {
      gas_rate: rate && {
        hz: rate.ticksPerS,
        pours: rate.pours,
        ...omitUndefined({ default: rate.defaultBy ?? undefined }),
      },
      usual: usual && {
        evenings: usual.evenings,
        ...toFigures(usual),
        nearly_empty_ratio: usual.nearlyEmptyRatio,
        rate_per_degree: usual.ratePerDegree,
      },
      findings: (health?.findings ?? []).map(({ kind, sinceDate }) => ({ kind, since: sinceDate })),
      evenings: (health?.evenings ?? []).map((evening) => ({
        date: evening.date,
        pours: evening.pours,
        ...toFigures(evening),
        keg_left: evening.kegLeft,
      })),
    };
  },
});

/** Pours that a controller reports come as sums: no gas is looked for. */
function findGasRate(engine: Engine, meter: FlowMeter | null, now: Moment) {
  if (meter === null) return null;
  const isReported = engine.hooks
    .reportingControllers(now)
    .some(({ controllerId }) => controllerId === meter.controllerId);
  return isReported ? null : (engine.drinks.pours.meterFacts(meter.name)?.openRate ?? null);
}

const toFigures = ({
  rateMlPerS,
  riseMs,
  dipsPerMin,
  foamyShare,
  tempC,
}: Pick<EveningFlow, 'rateMlPerS' | 'riseMs' | 'dipsPerMin' | 'foamyShare' | 'tempC'>) => ({
  rate_ml_per_s: rateMlPerS,
  rise_ms: riseMs,
  dips_per_minute: dipsPerMin,
  foamy_share: foamyShare,
  temp_c: tempC,
});
