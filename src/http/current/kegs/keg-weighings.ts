import Type, { type Static } from 'typebox';
import { defaultBalanceG, weighingBounds } from '../../../core/kegs/keg-weight.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine, WeighingView } from '../../../engine/engine.ts';
import { Instant, parseInstant } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
  VolumeMl,
} from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';

const grams = (bounds: { readonly min: number; readonly max: number }, description: string) =>
  Type.Number({ minimum: bounds.min, maximum: bounds.max, 'x-unit': 'g', description });

const weight = grams(weighingBounds.weightG, 'Weight of the keg with its beer, in grams.');
const empty = grams(
  weighingBounds.emptyWeightG,
  'Weight that is stamped on the keg, in grams; null: that of its size.',
);
const balance = grams(
  weighingBounds.balanceG,
  `± of the balance in grams, half width of the 95 % interval; ${defaultBalanceG} unless given, that of steps of 50 g.`,
);
const time = Instant('When it was weighed, not in the future; now unless given.');

const WeighingJson = named(
  'KegWeighing',
  Closed(
    {
      id: Id,
      time: { ...IsoSeconds, description: 'UTC time at which it was weighed.' },
      weight_g: weight,
      empty_weight_g: Nullable(empty),
      used_empty_weight_g: Nullable(
        Type.Number({
          'x-unit': 'g',
          description: 'Weight of the empty keg that was subtracted, in grams; null where it is not known.',
        }),
      ),
      balance_g: balance,
      left_ml: Nullable({
        ...VolumeMl,
        description:
          'Beer that was left by weight in millilitres; null where the weight of the empty keg is not known.',
      }),
      left_uncertainty_ml: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'mL',
          description: 'Half width of the 95 % interval of `left_ml`.',
        }),
      ),
      counted_ml: Type.Number({
        'x-unit': 'mL',
        description:
          'Beer that was left then by drinks and spills, in millilitres. A weighing never changes it.',
      }),
      username: Nullable(Type.String({ description: 'Who entered it; null for a key.' })),
    },
    { description: 'A keg that staff weighed.' },
  ),
);

const params = Open({ id: Id });
const oneParams = Open({ id: Id, weighing_id: { ...Id, description: 'Id of the weighing.' } });
const reply = Closed({ weighing: WeighingJson, ...correctionFields });

const listKegWeighings = defineRoute({
  id: 'listKegWeighings',
  method: 'get',
  path: '/kegs/{id}/weighings',
  summary: 'List the weighings of a keg',
  description: 'In the order of their times; 50 at most.',
  access: 'staff',
  accepts: { params },
  replies: {
    status: 200,
    body: Closed({
      usual_empty_weight_g: Nullable(
        Type.Number({
          'x-unit': 'g',
          description: 'Usual weight of an empty keg of its size, in grams; null where kegs differ too much.',
        }),
      ),
      weighings: Type.Array(WeighingJson, { description: 'The weighings.' }),
    }),
  },
  run: ({ engine }, { params: { id } }) => ({
    weighings: engine.kegs.weighings.list(id).map(weighingJson),
    usual_empty_weight_g: engine.kegs.weighings.usualEmptyG(id),
  }),
});

const addKegWeighing = defineRoute({
  id: 'addKegWeighing',
  method: 'post',
  path: '/kegs/{id}/weighings',
  summary: 'Record that a keg was weighed',
  description:
    'Says what is left in it, and never changes a drink. Two weighings of a keg, or one and its stated volume or its end, are evidence of ' +
    'its tap’s meter (`GET /api/flow-meters/{id}/learning`). Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({
      weight_g: weight,
      empty_weight_g: Maybe(Nullable(empty)),
      balance_g: Maybe(balance),
      time: Maybe(time),
    }),
  },
  errors: { conflict: ['too_many_weighings'] },
  replies: { status: 201, body: reply },
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    const request = { ...toRequest(engine, body), weightG: body.weight_g };
    return weighingReply(engine.kegs.weighings.add(id, request, now, requestActor(context)));
  },
});

const changeKegWeighing = defineRoute({
  id: 'changeKegWeighing',
  method: 'patch',
  path: '/kegs/{id}/weighings/{weighing_id}',
  summary: 'Correct a weighing. Fields left out keep their values',
  description:
    'What the keg says about its meter is measured again. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: {
    params: oneParams,
    body: Closed({
      weight_g: Maybe(weight),
      empty_weight_g: Maybe(Nullable(empty)),
      balance_g: Maybe(balance),
      time: Maybe(time),
    }),
  },
  replies: { status: 200, body: reply },
  run(context, { params: { id, weighing_id: weighingId }, body }) {
    const { engine, now } = context;
    const change = { request: toRequest(engine, body), actor: requestActor(context) };
    return weighingReply(engine.kegs.weighings.change(id, weighingId, change, now));
  },
});

const removeKegWeighing = defineRoute({
  id: 'removeKegWeighing',
  method: 'delete',
  path: '/kegs/{id}/weighings/{weighing_id}',
  summary: 'Delete a weighing',
  description:
    'What the keg says about its meter is measured again. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: { params: oneParams },
  replies: { status: 200, body: Closed(correctionFields) },
  run(context, { params: { id, weighing_id: weighingId } }) {
    const { engine, now } = context;
    return correctionIdOf(engine.kegs.weighings.remove(id, weighingId, now, requestActor(context)));
  },
});

/** Weighings of kegs, for staff. */
export const kegWeighingRoutes = [listKegWeighings, addKegWeighing, changeKegWeighing, removeKegWeighing];

interface WeighingBody {
  readonly weight_g?: number | undefined;
  readonly empty_weight_g?: number | null | undefined;
  readonly balance_g?: number | undefined;
  readonly time?: Static<typeof time> | undefined;
}

const toRequest = (engine: Engine, { time: at, ...body }: WeighingBody) =>
  omitUndefined({
    weightG: body.weight_g,
    emptyWeightG: body.empty_weight_g,
    balanceG: body.balance_g,
    timeMs: at === undefined ? undefined : parseInstant(engine, 'time', at),
  });

const weighingReply = (changed: { readonly result: WeighingView; readonly correctionId: number | null }) => ({
  weighing: weighingJson(changed.result),
  ...correctionIdOf(changed),
});

const weighingJson = (view: WeighingView): Static<typeof WeighingJson> => ({
  id: view.id,
  time: isoSeconds(view.timeMs),
  weight_g: view.weightG,
  empty_weight_g: view.emptyWeightG,
  used_empty_weight_g: view.usedEmptyG,
  balance_g: view.balanceG,
  left_ml: view.left?.volumeMl ?? null,
  left_uncertainty_ml: view.left?.uncertaintyMl ?? null,
  counted_ml: view.countedMl,
  username: view.username,
});
