import Type from 'typebox';
import { maxTaps } from '../../../core/taps/tap-bounds.ts';
import type { Engine } from '../../../engine/engine.ts';
import { correctionFields } from '../../../http/current/shared/correction-id.ts';
import { PagingJson, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { requireTapView } from '../../../http/current/taps/taps.ts';
import { AnyId, toId } from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext, type RouteContext } from '../../../http/routes/route-context.ts';
import {
  CalendarDate,
  Closed,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  Open,
  TapRef,
  TextId,
} from '../../../http/routes/schemas.ts';
import { cleaningPresets } from '../core/cleaning-presets.ts';
import { cleaningBounds } from '../core/cleaning-terms.ts';
import { CleaningKindJson } from './cleaning-views.ts';
import type { FindsServices } from './route-parts.ts';

const dayMs = 86_400_000;

const IntervalDays = Type.Integer({
  minimum: cleaningBounds.intervalDays.min,
  maximum: cleaningBounds.intervalDays.max,
  'x-unit': 'd',
  description: 'Days from one cleaning to the next.',
});

const PlanJson = named(
  'CleaningPlan',
  Closed(
    {
      tap_id: { ...TextId, description: 'Id of the tap, as text.' },
      kind: CleaningKindJson,
      interval_days: IntervalDays,
      preset: Nullable(
        Type.String({ description: 'The preset that it was made from; null for an interval of the bar.' }),
      ),
      last_time: Nullable({
        ...IsoSeconds,
        description: 'End of the last cleaning of this kind; null before the first.',
      }),
      due_date: { ...CalendarDate, description: 'The day at the bar on which it is due.' },
      days_left: Type.Integer({
        'x-unit': 'd',
        description: 'Days until then; negative when it is overdue.',
      }),
      state: Type.Enum(['done', 'soon', 'due', 'overdue'], {
        description: '`soon`: due within the next days; `due`: today; `overdue`: the day is over.',
      }),
    },
    { description: 'How often a line is cleaned, and when it is due.' },
  ),
);

const plansReply = {
  status: 200,
  body: Closed({
    paging: PagingJson,
    cleaning_plans: Type.Array(PlanJson, { description: 'All plans in the order of the taps.' }),
  }),
} as const;

const changedReply = {
  status: 200,
  body: Closed({ ...plansReply.body.properties, ...correctionFields }),
} as const;

const planParams = Open({ ref: TapRef, kind: CleaningKindJson });
const staff = { access: 'staff' } as const;

/** Plans of cleaning. */
export const cleaningPlanRoutes = (parts: FindsServices): readonly Route[] => [
  defineRoute({
    ...staff,
    byPin: true,
    id: 'listCleaningPlans',
    method: 'get',
    path: '/cleaning-plans',
    summary: 'List how often each line is cleaned, and what is due',
    description:
      'A plan without a cleaning yet counts from the day on which it was made. A failed cleaning counts as none.',
    accepts: {},
    replies: plansReply,
    run: (context) => listPlans(parts, context),
  }),
  defineRoute({
    ...staff,
    id: 'listCleaningPresets',
    method: 'get',
    path: '/cleaning-presets',
    summary: 'List the intervals that rules and trade bodies ask for',
    description: 'Each with its source. Where a source gives a range, the shortest interval is taken.',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        cleaning_presets: Type.Array(
          Closed(
            {
              name: Type.String({ description: 'Name by which it is applied.' }),
              country: Nullable(
                Type.String({ description: 'ISO 3166 code of the country; null: no single one.' }),
              ),
              source: Type.String({ description: 'Where the intervals come from.' }),
              plans: Type.Array(
                Closed(
                  { kind: CleaningKindJson, interval_days: IntervalDays },
                  { description: 'One interval.' },
                ),
                { description: 'Its intervals.' },
              ),
            },
            { description: 'A preset.' },
          ),
          { description: 'All presets.' },
        ),
      }),
    },
    run() {
      const presets = cleaningPresets.map(({ name, country, source, plans }) => ({
        name,
        country,
        source,
        plans: plans.map(({ kind, intervalDays }) => ({ kind, interval_days: intervalDays })),
      }));
      return { paging: wholeListPaging(presets), cleaning_presets: presets };
    },
  }),
  defineRoute({
    ...staff,
    id: 'applyCleaningPreset',
    method: 'post',
    path: '/cleaning-plans',
    summary: 'Give taps the intervals of a preset, in place of their plans',
    description: 'Written to the audit log.',
    accepts: {
      body: Closed({
        preset: Type.String({ maxLength: 64, description: 'Name of the preset.' }),
        tap_ids: Type.Array(AnyId, {
          minItems: 1,
          maxItems: maxTaps,
          description: 'Ids of the taps.',
        }),
      }),
    },
    errors: { not_found: ['not_found'] },
    replies: changedReply,
    run(context, { body }) {
      const id = parts
        .servicesOf(context.engine)
        .cleanings.applyPreset(
          { preset: body.preset, tapIds: body.tap_ids.map(toId) },
          actorContext(context),
        );
      return { ...listPlans(parts, context), correction_id: id };
    },
  }),
  defineRoute({
    ...staff,
    id: 'setCleaningPlan',
    method: 'put',
    path: '/taps/{ref}/cleaning-plans/{kind}',
    summary: 'Set how often the line of a tap is cleaned',
    description: 'Written to the audit log.',
    accepts: { params: planParams, body: Closed({ interval_days: IntervalDays }) },
    replies: changedReply,
    run(context, { params: { ref, kind }, body }) {
      const { engine } = context;
      const id = parts
        .servicesOf(engine)
        .cleanings.setPlan(
          { tapId: findTapId(engine, ref), kind, intervalDays: body.interval_days },
          actorContext(context),
        );
      return { ...listPlans(parts, context), correction_id: id };
    },
  }),
  defineRoute({
    ...staff,
    id: 'deleteCleaningPlan',
    method: 'delete',
    path: '/taps/{ref}/cleaning-plans/{kind}',
    summary: 'Delete a plan of a tap',
    description: 'The log stays. Written to the audit log.',
    accepts: { params: planParams },
    replies: { status: 200, body: Closed({ ...correctionFields }) },
    run(context, { params: { ref, kind } }) {
      const { engine } = context;
      const id = parts
        .servicesOf(engine)
        .cleanings.removePlan(findTapId(engine, ref), kind, actorContext(context));
      return { correction_id: id };
    },
  }),
];

const findTapId = (engine: Engine, ref: string): number => requireTapView(engine, ref).tap.id;

function listPlans({ servicesOf }: FindsServices, { engine, now }: Pick<RouteContext, 'engine' | 'now'>) {
  const plans = servicesOf(engine)
    .cleanings.plans(now)
    .map((plan) => ({
      tap_id: String(plan.tapId),
      kind: plan.kind,
      interval_days: plan.intervalDays,
      preset: plan.preset,
      last_time: plan.lastMs === null ? null : isoSeconds(plan.lastMs),
      due_date: new Date(plan.dueDay * dayMs).toISOString().slice(0, 10),
      days_left: plan.daysLeft,
      state: plan.state,
    }));
  return { paging: wholeListPaging(plans), cleaning_plans: plans };
}
