import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine } from '../../../engine/engine.ts';
import { PagingJson, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { requireTapView } from '../../../http/current/taps/taps.ts';
import { IdParam } from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import { Closed, Maybe, Nullable, Open, TapRef } from '../../../http/routes/schemas.ts';
import { cleaningBounds } from '../core/cleaning-terms.ts';
import type { CleaningView } from '../engine/cleaning-log.ts';
import {
  CleaningJson,
  CleaningKindJson,
  CleaningStepJson,
  cleaningInputFields,
  cleaningJson,
  toCleaningFields,
} from './cleaning-views.ts';
import type { CleaningRouteParts } from './route-parts.ts';

const params = Open({ id: IdParam });
const staffOrPin = { access: 'staff', byPin: true } as const;
const replies = { status: 200, body: Closed({ cleaning: CleaningJson }) } as const;
const lineMl = (description: string) =>
  Type.Number({
    minimum: cleaningBounds.lineVolumeMl.min,
    maximum: cleaningBounds.lineVolumeMl.max,
    'x-unit': 'mL',
    description,
  });

/** Cleaning mode at the taps. */
export function cleaningModeRoutes({
  servicesOf,
  background,
  counting,
}: CleaningRouteParts): readonly Route[] {
  /** What flowed until now belongs to the step before. */
  const endPour = (engine: Engine, tapId: number) => {
    const meter = engine.taps.find(tapId)?.tap.meter;
    if (meter) counting.endPour(meter.name);
  };
  const openValve = (engine: Engine, cleaning: { readonly id: number; readonly tapId: number }) => {
    const toggle = engine.taps.find(cleaning.tapId)?.tap.toggle;
    if (!toggle) return false;
    background().open(cleaning, toggle.name);
    return true;
  };

  return [
    defineRoute({
      ...staffOrPin,
      id: 'listRunningCleanings',
      method: 'get',
      path: '/cleanings/running',
      summary: 'List the cleanings that run now, and those that were not ended',
      description:
        '`unfinished` ended by themselves after two hours without a step: `finish` enters them in the log, `cancel` dismisses them.',
      accepts: {},
      replies: {
        status: 200,
        body: Closed({
          paging: PagingJson,
          cleanings: Type.Array(CleaningJson, { description: 'The cleanings that run.' }),
          unfinished: Type.Array(CleaningJson, { description: 'Those that wait for their entry.' }),
        }),
      },
      run({ engine, now }) {
        const toJson = (view: CleaningView) => cleaningJson(view, now);
        const cleanings = servicesOf(engine).cleanings.running().map(toJson);
        const unfinished = servicesOf(engine).cleanings.unfinished().map(toJson);
        return { paging: wholeListPaging(cleanings), cleanings, unfinished };
      },
    }),
    defineRoute({
      ...staffOrPin,
      id: 'startCleaning',
      method: 'post',
      path: '/taps/{ref}/cleaning',
      summary: 'Start cleaning mode at a tap: what flows from now on is no drink',
      description:
        'While it runs, what flows at the tap is booked as lost beer, cleaner and rinse, whatever its rate and length. The ' +
        'valve of the tap, if it has one, is kept open; a valve that cannot be opened does not stop the cleaning. It ends with ' +
        '`finish` or `cancel`, or by itself two hours after the last step. Written to the audit log.',
      accepts: {
        params: Open({ ref: TapRef }),
        body: Closed({
          kind: CleaningKindJson,
          has_beer: Maybe(
            Type.Boolean({
              description: 'False: the line holds water. Default: whether a keg is on the tap.',
            }),
          ),
          line_volume_ml: Maybe(
            Nullable(lineMl('Volume of the line. Default: that of the tap; null: not known.')),
          ),
          contact_minutes: Maybe(
            Type.Number({
              minimum: cleaningBounds.contactMinutes.min,
              maximum: cleaningBounds.contactMinutes.max,
              'x-unit': 'min',
              default: 20,
              description: 'Planned contact time.',
            }),
          ),
          step: Maybe(CleaningStepJson),
        }),
      },
      errors: { conflict: ['cleaning_running'] },
      replies: { status: 201, body: Closed({ cleaning: CleaningJson }) },
      run(context, { params: { ref }, body }) {
        const { engine } = context;
        const { id: tapId } = requireTapView(engine, ref).tap;
        endPour(engine, tapId);
        const started = servicesOf(engine).cleanings.start(
          {
            tapId,
            kind: body.kind,
            ...omitUndefined({
              hasBeer: body.has_beer,
              lineVolumeMl: body.line_volume_ml,
              contactMinutes: body.contact_minutes,
              step: body.step,
            }),
          },
          actorContext(context),
        );
        try {
          openValve(engine, started);
        } catch {
          // The relay's problem is reported; beer and cleaner can be pushed through by hand.
        }
        return { cleaning: cleaningJson(servicesOf(engine).cleanings.get(started.id), context.now) };
      },
    }),
    defineRoute({
      ...staffOrPin,
      id: 'startCleaningStep',
      method: 'post',
      path: '/cleanings/{id}/step',
      summary: 'Begin a step of a cleaning that runs',
      description: 'Steps can be left out and repeated. Written to the audit log.',
      accepts: { params, body: Closed({ step: CleaningStepJson }) },
      errors: { conflict: ['cleaning_over'] },
      replies,
      run(context, { params: { id }, body: { step } }) {
        const { engine } = context;
        endPour(engine, servicesOf(engine).cleanings.get(id).tapId);
        servicesOf(engine).cleanings.step(id, step, actorContext(context));
        return { cleaning: cleaningJson(servicesOf(engine).cleanings.get(id), context.now) };
      },
    }),
    defineRoute({
      ...staffOrPin,
      id: 'openCleaningValve',
      method: 'post',
      path: '/cleanings/{id}/open-valve',
      summary: 'Open the valve of the tap again while the cleaning runs',
      description:
        'After a restart of the machine valves stay shut. `opened` is false for a tap without a valve.',
      accepts: { params },
      errors: { conflict: ['cleaning_over'], unavailable: ['board_disconnected', 'relay_stuck'] },
      replies: {
        status: 200,
        body: Closed({ opened: Type.Boolean({ description: 'True when the valve is open now.' }) }),
      },
      run: ({ engine }, { params: { id } }) => ({
        opened: openValve(engine, servicesOf(engine).cleanings.requireRunning(id)),
      }),
    }),
    defineRoute({
      ...staffOrPin,
      id: 'finishCleaning',
      method: 'post',
      path: '/cleanings/{id}/finish',
      summary: 'End a cleaning with its entry in the log',
      description:
        'Also completes one that ended by itself. The entry names who sends it; it is corrected by further entries. Written to the ' +
        'audit log.',
      accepts: {
        params,
        body: Closed({
          ...cleaningInputFields,
          beer_lost_ml: Maybe(
            Nullable(lineMl('Beer that was lost, if the meter did not see it; else what flowed counts.')),
          ),
        }),
      },
      errors: { conflict: ['cleaning_logged'] },
      replies,
      run(context, { params: { id }, body }) {
        const { engine } = context;
        const { tapId, endedMs } = servicesOf(engine).cleanings.get(id);
        if (endedMs === null) endPour(engine, tapId);
        const fields = omitUndefined({ ...toCleaningFields(body), beerLostMl: body.beer_lost_ml });
        servicesOf(engine).cleanings.finish(id, fields, actorContext(context));
        background().release(id);
        return { cleaning: cleaningJson(servicesOf(engine).cleanings.get(id), context.now) };
      },
    }),
    defineRoute({
      ...staffOrPin,
      id: 'cancelCleaning',
      method: 'post',
      path: '/cleanings/{id}/cancel',
      summary: 'End a cleaning without an entry in the log',
      description:
        'What flowed stays booked as cleaning; with `pours_were_drinks` all of it becomes drinks. Also dismisses a cleaning that ' +
        'ended by itself. Written to the audit log.',
      accepts: {
        params,
        body: Closed({
          pours_were_drinks: Maybe(
            Type.Boolean({ description: 'True: guests poured, and nobody cleaned. Default false.' }),
          ),
        }),
      },
      errors: { conflict: ['cleaning_over'] },
      replies,
      run(context, { params: { id }, body }) {
        const { engine } = context;
        const { tapId, endedMs } = servicesOf(engine).cleanings.get(id);
        if (endedMs === null) endPour(engine, tapId);
        const by = actorContext(context);
        if (body.pours_were_drinks === true) servicesOf(engine).cleaningSuggestions.cancelAsDrinks(id, by);
        else servicesOf(engine).cleanings.cancel(id, by);
        background().release(id);
        return { cleaning: cleaningJson(servicesOf(engine).cleanings.get(id), context.now) };
      },
    }),
  ];
}
