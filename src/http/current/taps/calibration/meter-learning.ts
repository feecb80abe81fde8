import Type, { type Static } from 'typebox';
import { incompleteReasons } from '../../../../core/measurement/counted-keg.ts';
import { coverage } from '../../../../core/measurement/uncertainty.ts';
import type { EvidenceItem, MeterKnowledge } from '../../../../engine/engine.ts';
import { AnyId, toId } from '../../../routes/input-values.ts';
import { defineRoute, type Route } from '../../../routes/route.ts';
import { requestActor } from '../../../routes/route-context.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
  Ticks,
  VolumeMl,
} from '../../../routes/schemas.ts';
import { AppliedJson, previewJson } from './calibration-views.ts';

const ticksPerMl = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, 'x-unit': 'ticks/mL', description });
const interval = 'Half width of the 95 % interval of the factor, as a fraction: 0.005 is ±0.5 %.';
const uncertainty = Type.Number({ minimum: 0, description: interval });
const chartValue = (description: string) => Type.Number({ description });

const EvidenceJson = named(
  'MeterEvidence',
  Closed(
    {
      id: Id,
      kind: Type.Enum(['pours', 'weighed_keg', 'emptied_keg', 'scale'], {
        description:
          'Measured pours of a calibration, a keg that was weighed at the start, at the end or both, a keg that ran empty, or the pours of a keg on a scale.',
      }),
      time: {
        ...IsoSeconds,
        description:
          'UTC time of the calibration, of the last weighing or weighed pour, or of the end of the keg.',
      },
      ticks: { ...Ticks, description: 'Ticks of beer that the meter counted.' },
      volume_ml: {
        ...VolumeMl,
        description: 'Volume of that beer in millilitres; of a keg, without what stays in it.',
      },
      ticks_per_ml: ticksPerMl('Factor by this evidence alone, in ticks per millilitre.'),
      uncertainty: { ...uncertainty, description: 'Half width of its 95 % interval, as a fraction.' },
      keg_id: Nullable({ ...Id, description: 'Id of the keg; null for measured pours.' }),
      correction_id: Nullable({
        ...Id,
        description: 'Id of the calibration in the audit log; null for a keg.',
      }),
      state: Type.Enum(['used', 'rejected', 'incomplete', 'discarded', 'outdated'], {
        description:
          'Whether the meter learns from it: `rejected` is too far from all the others, of an `incomplete` keg some beer or ticks are not ' +
          'known, `discarded` was by staff, `outdated` is older than the meter or its factor as it is now.',
      }),
      incomplete_reason: Nullable(
        Type.Enum([...incompleteReasons], {
          description:
            'Why an `incomplete` keg is no evidence, null for others: nobody said that it ran dry; it began with another volume than a full one; ' +
            'too little was used; too much was spilled; drinks were deleted; volumes were given without ticks; drinks of another tap or ' +
            'meter, recovered ones or such with missed ticks; pours wait for review; a series of kegs; the meter or its factor was changed.',
        }),
      ),
      deviation: Nullable(
        Type.Number({
          description:
            'Difference from what was expected before it, in standard deviations; null where it was not compared.',
        }),
      ),
      chart: Nullable(
        Closed(
          {
            mean: chartValue('Exponentially weighted mean of the deviations.'),
            high: chartValue('CUSUM upwards: more than 5 is a drift.'),
            low: chartValue('CUSUM downwards: more than 5 is a drift.'),
          },
          { description: 'Values of the drift chart after it; null before the latest calibration.' },
        ),
      ),
    },
    { description: 'A measurement of a meter’s factor.' },
  ),
);

const LearningJson = named(
  'MeterLearning',
  Closed(
    {
      flow_meter_id: { ...Id, description: 'Id of the flow meter.' },
      ticks_per_ml: ticksPerMl('Calibration factor in use, in ticks per millilitre.'),
      uncertainty: Nullable({ ...uncertainty, description: `${interval} Null while nobody measured it.` }),
      prior: Closed(
        { ticks_per_ml: ticksPerMl('Factor before all evidence, in ticks per millilitre.'), uncertainty },
        { description: 'What was known before the evidence, from the meter’s model.' },
      ),
      learned: Nullable(
        Closed(
          {
            ticks_per_ml: ticksPerMl('Learned factor in ticks per millilitre.'),
            uncertainty,
            is_offered: Type.Boolean({
              description:
                'Whether it rests on enough evidence, and differs from the factor in use by more than its interval and 0.5 %.',
            }),
          },
          { description: 'The factor from all evidence; null without any.' },
        ),
      ),
      drift: Nullable(
        Closed(
          {
            direction: Type.Enum(['high', 'low'], {
              description: '`high`: it counts more ticks per litre than it did.',
            }),
            cause: Type.Enum(
              ['keg_size', 'other_meter', 'loss_before_meter', 'worn_or_dirty', 'gas_or_noise'],
              {
                description:
                  'The likely cause: one kind of keg holds more or less than stated; another meter, another keg size or two meters ' +
                  'swapped (more than 10 %, from the first evidence on); beer is lost before the meter, the meter is worn or dirty or ' +
                  'leaks, or it counts gas or electrical noise.',
              },
            ),
            since: { ...IsoSeconds, description: 'UTC time of the evidence that showed it.' },
          },
          { description: 'Null while it does not drift.' },
        ),
      ),
      evidence: Type.Array(EvidenceJson, { description: 'The newest 100 pieces of evidence, oldest first.' }),
    },
    { description: 'What a flow meter has learned about its factor.' },
  ),
);

const params = Open({ id: Id });
const replies = { status: 200, body: LearningJson };

const getMeterLearning = defineRoute({
  id: 'getMeterLearning',
  method: 'get',
  path: '/flow-meters/{id}/learning',
  summary: 'Get a meter’s evidence, what it has learned from it, and whether it drifts',
  description:
    'Evidence comes from the measured pours of calibrations, from kegs that were weighed and from kegs that ran empty on one tap, full at ' +
    'the start, with all known. It is combined by its uncertainty; what contradicts the rest is left out. The factors before are in `GET /api/audit` with ' +
    'the action `meter.calibrated`.',
  access: 'staff',
  accepts: { params },
  replies,
  run: ({ engine, now }, { params: { id } }) => learningJson(engine.drinks.meterLearning.get(id, now)),
});

const changeMeterEvidence = defineRoute({
  id: 'changeMeterEvidence',
  method: 'patch',
  path: '/flow-meters/{id}/evidence/{evidence_id}',
  summary: 'Leave a piece of evidence out, or use it again',
  description: 'The meter’s factor in use stays. Written to the audit log.',
  access: 'staff',
  accepts: {
    params: Open({ id: Id, evidence_id: { ...Id, description: 'Id of the evidence.' } }),
    body: Closed({
      is_discarded: Type.Boolean({ description: 'True when the meter must not learn from it.' }),
    }),
  },
  replies,
  run(context, { params: { id, evidence_id: evidenceId }, body }) {
    const { engine, now } = context;
    const change = { isDiscarded: body.is_discarded, actor: requestActor(context) };
    return learningJson(engine.drinks.meterLearning.setDiscarded(id, evidenceId, change, now));
  },
});

const applyLearnedFactor = defineRoute({
  id: 'applyLearnedFactor',
  method: 'post',
  path: '/flow-meters/{id}/apply-learned',
  summary: 'Calibrate a meter with the factor that it has learned',
  description:
    'As `POST /api/flow-meters/{id}/calibrate` with the method `evidence`; `calibration-preview` shows the effect before. Refused with ' +
    '409 when nothing was learned, or another factor than `ticks_per_ml`.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({
      ticks_per_ml: Maybe({
        ...ticksPerMl('The learned factor that was shown; any unless given.'),
        maximum: 1000,
      }),
      apply_to_keg: Maybe(
        Nullable({
          ...AnyId,
          description: 'Id of a keg whose past drinks are recomputed; none unless given.',
        }),
      ),
    }),
  },
  errors: { conflict: ['nothing_learned', 'learned_since'] },
  replies: { status: 200, body: AppliedJson },
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    const options = {
      kegId: body.apply_to_keg == null ? null : toId(body.apply_to_keg),
      expectedTicksPerMl: body.ticks_per_ml,
      actor: requestActor(context),
    };
    const applied = engine.drinks.meterLearning.apply(id, options, now);
    return { ...previewJson(applied), correction_id: applied.correctionId };
  },
});

/** What meters learn from their evidence. */
export const meterLearningRoutes: readonly Route[] = [
  getMeterLearning,
  changeMeterEvidence,
  applyLearnedFactor,
];

const learningJson = ({
  meter,
  prior,
  learned,
  drift,
  evidence,
}: MeterKnowledge): Static<typeof LearningJson> => ({
  flow_meter_id: meter.id,
  ticks_per_ml: meter.ticksPerMl,
  uncertainty: meter.uFactor === null ? null : coverage * meter.uFactor,
  prior: { ticks_per_ml: prior.ticksPerMl, uncertainty: coverage * prior.uFactor },
  learned: learned && {
    ticks_per_ml: learned.ticksPerMl,
    uncertainty: coverage * learned.uFactor,
    is_offered: learned.isOffered,
  },
  drift: drift && { direction: drift.direction, cause: drift.cause, since: isoSeconds(drift.sinceMs) },
  evidence: evidence.map(evidenceJson),
});

const evidenceJson = (item: EvidenceItem): Static<typeof EvidenceJson> => ({
  id: item.id,
  kind: item.kind,
  time: isoSeconds(item.timeMs),
  ticks: item.ticks,
  volume_ml: item.volumeMl,
  ticks_per_ml: item.ticks / item.volumeMl,
  uncertainty: coverage * item.u,
  keg_id: item.kegId ?? item.pouredKegId,
  correction_id: item.calibrationId,
  state: item.state,
  incomplete_reason: item.state === 'incomplete' ? item.incompleteReason : null,
  deviation: item.deviation,
  chart: item.chart && { mean: item.chart.mean, high: item.chart.high, low: item.chart.low },
});
