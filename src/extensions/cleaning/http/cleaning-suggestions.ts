import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { correctionFields } from '../../../http/current/shared/correction-id.ts';
import { PagingJson, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  TextId,
  TotalMl,
} from '../../../http/routes/schemas.ts';
import { cleaningBounds } from '../core/cleaning-terms.ts';
import { CleaningJson, CleaningKindJson, cleaningJson } from './cleaning-views.ts';
import type { FindsServices } from './route-parts.ts';

const DrinkIds = Type.Array(Id, {
  minItems: 1,
  maxItems: cleaningBounds.pours,
  description: 'Ids of drinks or held pours of one tap.',
});

const SuggestionJson = named(
  'CleaningSuggestion',
  Closed(
    {
      tap_id: { ...TextId, description: 'Id of the tap, as text.' },
      tap_name: Type.String({ description: 'Name of the tap.' }),
      drink_ids: DrinkIds,
      started_time: { ...IsoSeconds, description: 'Begin of the first pour.' },
      ended_time: { ...IsoSeconds, description: 'End of the last pour.' },
      volume_ml: { ...TotalMl, description: 'Their volume.' },
      ml_per_s: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'mL/s',
          description: 'Mean rate of the fastest; null when not known.',
        }),
      ),
    },
    { description: 'Pours that look like a cleaning.' },
  ),
);

const staffOrPin = { access: 'staff', byPin: true } as const;

/** Was this a cleaning? */
export const cleaningSuggestionRoutes = ({ servicesOf }: FindsServices): readonly Route[] => [
  defineRoute({
    ...staffOrPin,
    id: 'listCleaningSuggestions',
    method: 'get',
    path: '/cleaning-suggestions',
    summary: 'List pours of the last two weeks that look like a cleaning, newest first',
    description:
      'Steady pours of more than 5 L, or faster than 80 mL/s, outside of the opening hours; held pours too. They stay drinks until ' +
      'somebody answers.',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        cleaning_suggestions: Type.Array(SuggestionJson, { description: 'All suggestions.' }),
      }),
    },
    run({ engine, now }) {
      const found = servicesOf(engine)
        .cleaningSuggestions.suggestions(now)
        .map((one) => ({
          tap_id: String(one.tapId),
          tap_name: one.tapName,
          drink_ids: [...one.drinkIds],
          started_time: isoSeconds(one.startedMs),
          ended_time: isoSeconds(one.endedMs),
          volume_ml: one.volumeMl,
          ml_per_s: one.mlPerS,
        }));
      return { paging: wholeListPaging(found), cleaning_suggestions: found };
    },
  }),
  defineRoute({
    ...staffOrPin,
    id: 'markCleaning',
    method: 'post',
    path: '/cleaning-suggestions',
    summary: 'Make pours a cleaning. Can be undone',
    description:
      'They leave keg, session and totals; the first line volume counts as lost beer. Adds an entry to the log, which undoing withdraws. ' +
      'Written to the audit log.',
    accepts: {
      body: Closed({
        drink_ids: DrinkIds,
        kind: CleaningKindJson,
        has_beer: Maybe(Type.Boolean({ description: 'False: the line held water. Default true.' })),
        line_volume_ml: Maybe(
          Nullable(
            Type.Number({
              minimum: cleaningBounds.lineVolumeMl.min,
              maximum: cleaningBounds.lineVolumeMl.max,
              'x-unit': 'mL',
              description: 'Volume of the line. Default: that of the tap.',
            }),
          ),
        ),
      }),
    },
    errors: { conflict: ['drink_held'], not_found: ['not_found'] },
    replies: { status: 201, body: Closed({ cleaning: CleaningJson, ...correctionFields }) },
    run(context, { body }) {
      const { engine } = context;
      const { cleaningId, correctionId } = servicesOf(engine).cleaningSuggestions.mark(
        {
          drinkIds: body.drink_ids,
          kind: body.kind,
          ...omitUndefined({ hasBeer: body.has_beer, lineVolumeMl: body.line_volume_ml }),
        },
        actorContext(context),
      );
      return {
        cleaning: cleaningJson(servicesOf(engine).cleanings.get(cleaningId), context.now),
        correction_id: correctionId,
      };
    },
  }),
  defineRoute({
    ...staffOrPin,
    id: 'dismissCleaning',
    method: 'post',
    path: '/cleaning-suggestions/dismiss',
    summary: 'Say that pours were no cleaning, so that nobody is asked again',
    description: 'They stay as they are, and can still be made a cleaning. Written to the audit log.',
    accepts: { body: Closed({ drink_ids: DrinkIds }) },
    errors: { not_found: ['not_found'] },

    replies: { status: 200, body: Closed({}) },
    run(context, { body }) {
      servicesOf(context.engine).cleaningSuggestions.dismiss(body.drink_ids, actorContext(context));
      return {};
    },
  }),
];
