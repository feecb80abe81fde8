import Type, { type Static } from 'typebox';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  TempC,
  TextId,
} from '../../../http/routes/schemas.ts';
import type { ScaleFinding } from '../core/records.ts';
import type { ScaleView } from '../engine/scale-services.ts';

export const WeightG = Type.Number({
  minimum: 0,
  maximum: 300_000,
  'x-unit': 'g',
  description: 'Weight in grams, 0 to 300 000.',
});

const Ml = (description: string) => Type.Number({ 'x-unit': 'mL', description });

export const ScaleFindingJson = named(
  'ScaleFinding',
  Closed(
    {
      id: Id,
      scale_id: { ...Id, description: 'Id of the scale.' },
      kind: Type.String({
        description:
          '`ticks_missing`: the keg lost more than the meter counted, so ticks are lost or the scale is at another tap. ' +
          '`keg_moved`: the weight changed without ticks. `leak`: slow loss without pours, before the meter. `wrong_factor`: ' +
          'both differ by the same ratio in all pours. `wrong_keg_size`: the keg held another volume when it was tapped.',
      }),
      keg_id: Nullable({ ...Id, description: 'The keg that stood on the scale; null when it was deleted.' }),
      started_time: { ...IsoSeconds, description: 'When it was first seen, UTC.' },
      updated_time: { ...IsoSeconds, description: 'When its figures were computed, UTC.' },
      ended_time: Nullable({ ...IsoSeconds, description: 'When it was over, UTC; null while it is open.' }),
      scale_ml: Ml('By the scale: what ran, what the keg holds, or what a leak loses in a day; millilitres.'),
      meter_ml: Ml('By the meter, or by the record of the keg, millilitres.'),
      uncertainty_ml: {
        ...Ml('Half width of the 95 % interval of their difference, millilitres.'),
        minimum: 0,
      },
      ratio: Nullable(
        Type.Number({
          description:
            'Of `wrong_factor`: what the scale says as a multiple of what the meter says. It is shown only; the factor is not changed by it.',
        }),
      ),
    },
    { description: 'A disagreement of a scale with the meter. It changes no drink.' },
  ),
);

export const scaleFindingJson = (finding: ScaleFinding): Static<typeof ScaleFindingJson> => ({
  id: finding.id,
  scale_id: finding.scaleId,
  kind: finding.kind,
  keg_id: finding.kegId,
  started_time: isoSeconds(finding.startedMs),
  updated_time: isoSeconds(finding.updatedMs),
  ended_time: finding.endedMs === null ? null : isoSeconds(finding.endedMs),
  scale_ml: finding.scaleMl,
  meter_ml: finding.meterMl,
  uncertainty_ml: 2 * finding.uMl,
  ratio: finding.ratio,
});

const remainder = (source: string) => ({
  remain_ml: Ml(`What is left in the keg by the ${source}, millilitres; may be negative.`),
  uncertainty_ml: { ...Ml('Half width of its 95 % interval, millilitres.'), minimum: 0 },
});

export const ScaleJson = named(
  'Scale',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Name of the scale.' }),
      tap_id: Nullable({ ...TextId, description: 'The tap whose keg stands on it; null for none.' }),
      topic: Type.String({ description: 'MQTT topic with its weights; empty for none.' }),
      payload_field: Type.String({
        description: 'Name of the weight in a JSON message, `a.b` in a nested one; empty for a plain number.',
      }),
      unit: Type.Enum(['g', 'kg'], { description: 'Unit of the weights in its messages.' }),
      empty_weight_g: Nullable({
        ...WeightG,
        description: 'What it shows with an empty keg, grams; null when nobody weighed one.',
      }),
      last: Nullable(
        Closed(
          {
            weight_g: WeightG,
            temp_c: Nullable(TempC),
            time: { ...IsoSeconds, description: 'When it was taken, UTC.' },
          },
          { description: 'The last weight; null before the first one.' },
        ),
      ),
      by_scale: Nullable(
        Closed(remainder('scale'), {
          description:
            'Null without a keg, a weight or an empty weight. Shown beside `by_meter`, never mixed with it.',
        }),
      ),
      by_meter: Nullable(Closed(remainder('meter'), { description: 'Null without a keg.' })),
      drift_g_per_k: Type.Number({
        'x-unit': 'g/K',
        description: 'How its zero follows the temperature, learned in nights without pours.',
      }),
      findings: Type.Array(ScaleFindingJson, { description: 'Those that are open.' }),
      broken_messages: Nullable(
        Closed(
          {
            count: Type.Integer({ minimum: 1, description: 'Number since the start of the daemon.' }),
            fault: Type.Enum(['too_long', 'not_json', 'no_field', 'not_a_number', 'out_of_range'], {
              description: 'Why the last one had no weight.',
            }),
            time: { ...IsoSeconds, description: 'When the last one came, UTC.' },
          },
          { description: 'MQTT messages without a usable weight; null while there was none.' },
        ),
      ),
      topic_refused: Type.Boolean({
        description: 'True when the MQTT broker does not permit to receive its weights.',
      }),
    },
    { description: 'A scale under a keg.' },
  ),
);

export function scaleJson({
  scale,
  last,
  remaining,
  byMeter,
  findings,
  broken,
  isTopicRefused,
}: ScaleView): Static<typeof ScaleJson> {
  return {
    id: scale.id,
    name: scale.name,
    tap_id: scale.tapId === null ? null : String(scale.tapId),
    topic: scale.topic,
    payload_field: scale.payloadField,
    unit: scale.unit,
    empty_weight_g: scale.emptyWeightG,
    last: last && { weight_g: last.weightG, temp_c: last.tempC, time: isoSeconds(last.timeMs) },
    by_scale: remaining && remainderJson(remaining),
    by_meter: byMeter && remainderJson(byMeter),
    drift_g_per_k: scale.coefficient.gPerK,
    findings: findings.map(scaleFindingJson),
    broken_messages: broken && { count: broken.count, fault: broken.fault, time: isoSeconds(broken.timeMs) },
    topic_refused: isTopicRefused,
  };
}

const remainderJson = ({ volumeMl, uncertaintyMl }: { volumeMl: number; uncertaintyMl: number }) => ({
  remain_ml: volumeMl,
  uncertainty_ml: uncertaintyMl,
});
