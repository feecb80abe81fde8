import Type, { type Static } from 'typebox';
import { type CorrectedValues, type Engine, paginate } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { beverageNames } from '../shared/drink-views.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';
import { isStaff, requireDrink } from './drink-detail.ts';

const CorrectedValuesJson = named(
  'CorrectedValues',
  Closed(
    {
      volume_ml: Nullable(
        Type.Number({ minimum: 0, 'x-unit': 'mL', description: 'Volume in millilitres; null when unknown.' }),
      ),
      keg_id: Nullable({
        ...Id,
        description: 'Id of the keg; null without one, and for a calibration, which changes the volume only.',
      }),
      beverage_name: Nullable(
        Type.String({
          maxLength: 255,
          description: 'Name of the beverage of that keg; null without a keg.',
        }),
      ),
      user_id: Maybe(
        Nullable(
          Type.String({
            maxLength: 128,
            description: 'Username of the drinker, for staff only; null without one and for a calibration.',
          }),
        ),
      ),
    },
    { description: 'A drink before or after a correction.' },
  ),
);

const DrinkCorrectionJson = named(
  'DrinkCorrection',
  Closed(
    {
      id: { ...Id, description: 'Id of the correction, for `POST /api/corrections/{id}/undo`.' },
      time: { ...IsoSeconds, description: 'UTC time of the correction.' },
      action: Type.String({ maxLength: 64, description: 'What was done, such as `drink.split`.' }),
      changed_by: Maybe(
        Nullable(
          Type.String({
            maxLength: 128,
            description: 'Username of who did it, for staff only; null for the daemon and an erased user.',
          }),
        ),
      ),
      is_undone: Type.Boolean({ description: 'True when the correction was undone.' }),
      before: Nullable(CorrectedValuesJson),
      after: Nullable(CorrectedValuesJson),
      left_out: Maybe(
        Type.Record(Type.String({ maxLength: 32 }), Type.String({ maxLength: 255 }), {
          description:
            'What of the report did not fit, by field, and why. Only of an entry `drink.report_shortened`, which cannot be undone.',
        }),
      ),
    },
    { description: 'A correction of a drink.' },
  ),
);

export const listDrinkCorrections = defineRoute({
  id: 'listDrinkCorrections',
  method: 'get',
  path: '/drinks/{id}/corrections',
  summary: 'List the corrections of a drink, newest first',
  description:
    'The newest 100 corrections, also undone ones: what was done, when, and the volume and keg before and after; and what did not fit ' +
    'of a report (`drink.report_shortened`). ' +
    '`before` is null for the part that a split created, and both are null when the values are not known. Staff ' +
    'also see who corrected it and the drinkers. An empty list for a drink that was never corrected.',
  access: 'viewer',
  accepts: { params: Open({ id: Id }), query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      corrections: Type.Array(DrinkCorrectionJson, { description: 'The corrections of this page.' }),
    }),
  },
  run(context, { params: { id }, query }) {
    const { drink } = requireDrink(context, id);
    const toJson = correctedValuesJson(context.engine, isStaff(context.user));
    const showsUsers = isStaff(context.user);
    const page = paginate(context.engine.drinks.corrections(drink.id), toPageRequest(query));
    return {
      paging: pagingJson(page, context.addressWith),
      corrections: page.items.map((correction) => ({
        id: correction.id,
        time: isoSeconds(correction.timeMs),
        action: correction.action,
        ...(showsUsers && { changed_by: correction.by }),
        is_undone: correction.isUndone,
        before: toJson(correction.before),
        after: toJson(correction.after),
        ...(correction.leftOut && { left_out: { ...correction.leftOut } }),
      })),
    };
  },
});

function correctedValuesJson({ kegs }: Engine, showsUsers: boolean) {
  const beverageName = beverageNames(kegs);
  return (values: CorrectedValues | null): Static<typeof CorrectedValuesJson> | null =>
    values && {
      volume_ml: values.volumeMl,
      keg_id: values.kegId,
      beverage_name: beverageName(values.kegId),
      ...(showsUsers && { user_id: values.username }),
    };
}
