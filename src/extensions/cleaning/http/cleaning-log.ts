import Type from 'typebox';
import type { Moment } from '../../../core/clock/moment.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { PagingJson, pageFields, pagingJson, toPageRequest } from '../../../http/current/shared/paging.ts';
import { requireTapView } from '../../../http/current/taps/taps.ts';
import { withPicture } from '../../../http/pictures.ts';
import {
  IdParam,
  Instant,
  parseInstant,
  parseTimeSpan,
  timeSpanFields,
  validationError,
} from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext, type RouteContext } from '../../../http/routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, Open, TapRef, TotalMl } from '../../../http/routes/schemas.ts';
import {
  CleaningJson,
  CleaningKindJson,
  cleaningInputFields,
  cleaningJson,
  toCleaningFields,
} from './cleaning-views.ts';
import type { FindsServices } from './route-parts.ts';

const params = Open({ id: IdParam });
const staff = { access: 'staff' } as const;
const replies = { status: 200, body: Closed({ cleaning: CleaningJson }) } as const;
const entryId = {
  entry_id: {
    ...Id,
    description: 'Id of the newest entry, which it corrects; 409 when there is a newer one.',
  },
};

export const logFilterFields = {
  tap: Maybe({ ...TapRef, description: 'Only of this tap, by id or name of its meter.' }),
  ...timeSpanFields,
};

/** The log of cleanings. */
export const cleaningLogRoutes = ({ servicesOf }: FindsServices): readonly Route[] => [
  defineRoute({
    ...staff,
    byPin: true,
    id: 'listCleanings',
    method: 'get',
    path: '/cleanings',
    summary: 'List the logged cleanings, newest first',
    description:
      'With all entries: corrections are entries of their own, and earlier ones stay. The time span is that of the start.',
    accepts: { query: Open({ ...pageFields, ...logFilterFields }) },
    errors: { not_found: ['not_found'] },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        cleanings: Type.Array(CleaningJson, { description: 'The cleanings of this page.' }),
      }),
    },
    run(context, { query }) {
      const page = servicesOf(context.engine).cleanings.log({
        ...toPageRequest(query),
        ...toLogFilter(context, query),
      });
      return {
        paging: pagingJson(page, context.addressWith),
        cleanings: page.items.map((view) => cleaningJson(view, context.now)),
      };
    },
  }),
  defineRoute({
    ...staff,
    byPin: true,
    id: 'getCleaning',
    method: 'get',
    path: '/cleanings/{id}',
    summary: 'Get a cleaning, also one that runs',
    description: 'With what flowed and its entries.',
    accepts: { params },
    replies,
    run: ({ engine, now }, { params: { id } }) => ({
      cleaning: cleaningJson(servicesOf(engine).cleanings.get(id), now),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'addCleaning',
    method: 'post',
    path: '/cleanings',
    summary: 'Enter a cleaning afterwards that was not run at the tap here',
    description:
      '`beer_lost_ml` is beer that no drink and no spill contains. To make pours a cleaning, use `POST /api/cleaning-suggestions`. ' +
      'Written to the audit log.',
    accepts: {
      body: Closed({
        tap: TapRef,
        kind: CleaningKindJson,
        started_time: Instant('Begin of the cleaning.'),
        ended_time: Instant('End of the cleaning, within a day.'),
        beer_lost_ml: Maybe({ ...TotalMl, maximum: 100_000, description: 'Beer that was lost; default 0.' }),
        ...cleaningInputFields,
      }),
    },
    errors: { not_found: ['not_found'] },
    replies: { status: 201, body: Closed({ cleaning: CleaningJson }) },
    run(context, { body }) {
      const { engine, now } = context;
      const endedMs = parseInstant(engine, 'ended_time', body.ended_time);
      requirePast(endedMs, now);
      const added = servicesOf(engine).cleanings.addManual(
        {
          tapId: requireTapView(engine, body.tap).tap.id,
          kind: body.kind,
          startedMs: parseInstant(engine, 'started_time', body.started_time),
          endedMs,
          ...omitUndefined({ ...toCleaningFields(body), beerLostMl: body.beer_lost_ml }),
        },
        actorContext(context),
      );
      return { cleaning: cleaningJson(added, context.now) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'correctCleaning',
    method: 'post',
    path: '/cleanings/{id}/entries',
    summary: 'Correct the log: adds an entry; the one before stays',
    description: 'Fields left out keep their values. Written to the audit log.',
    accepts: {
      params,
      body: Closed({
        ...entryId,
        kind: Maybe(CleaningKindJson),
        started_time: Maybe(Instant('Begin of the cleaning.')),
        ended_time: Maybe(Instant('End of the cleaning.')),
        ...cleaningInputFields,
        withdrawn: Maybe(
          Type.Boolean({
            description:
              'False: there was this cleaning, although its entry was withdrawn. Default: as before.',
          }),
        ),
      }),
    },
    errors: { conflict: ['entry_corrected_since'] },
    replies,
    run(context, { params: { id }, body }) {
      const { engine, now } = context;
      const time = (field: 'started_time' | 'ended_time') => {
        const value = body[field];
        return value === undefined ? undefined : parseInstant(engine, field, value);
      };
      const fields = omitUndefined({
        ...toCleaningFields(body),
        kind: body.kind,
        isWithdrawn: body.withdrawn,
        startedMs: time('started_time'),
        endedMs: time('ended_time'),
      });
      if (fields.endedMs !== undefined) requirePast(fields.endedMs, now);
      const corrected = servicesOf(engine).cleanings.correctEntry(
        id,
        { entryId: body.entry_id, ...fields },
        actorContext(context),
      );
      return { cleaning: cleaningJson(corrected, context.now) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'withdrawCleaning',
    method: 'post',
    path: '/cleanings/{id}/withdraw',
    summary: 'Say in the log that there was no such cleaning: adds an entry; the one before stays',
    description: 'What flowed stays booked. Written to the audit log.',
    accepts: {
      params,
      body: Closed({
        ...entryId,
        note: Maybe(Nullable(Type.String({ maxLength: 2_000, description: 'Why.' }))),
      }),
    },
    errors: { conflict: ['entry_corrected_since'] },
    replies,
    run(context, { params: { id }, body }) {
      const withdrawn = servicesOf(context.engine).cleanings.withdrawEntry(
        id,
        { entryId: body.entry_id, note: body.note ?? null },
        actorContext(context),
      );
      return { cleaning: cleaningJson(withdrawn, context.now) };
    },
  }),
  defineRoute({
    ...staff,
    byPin: true,
    id: 'setCleaningPicture',
    method: 'post',
    path: '/cleanings/{id}/picture',
    summary: 'Set the photo of a cleaning. Replaces the previous one until the cleaning is in the log',
    description:
      'Send a multipart form with a picture of up to 10 MiB and 50 megapixels as `image`. It is reduced and stored without ' +
      'metadata. Written to the audit log.',
    accepts: { params, body: Closed({}), files: ['image'] },
    errors: { conflict: ['cleaning_has_picture'] },
    replies,
    run(context, { params: { id }, files }) {
      const { engine } = context;
      servicesOf(engine).cleanings.get(id);
      return withPicture(context, { upload: files.get('image'), field: 'image' }, (picture) => {
        if (picture === undefined)
          throw validationError('image', 'is required: a picture in a multipart form', { name: 'picture' });
        return {
          cleaning: cleaningJson(
            servicesOf(engine).cleanings.setPicture(id, picture, actorContext(context)),
            context.now,
          ),
        };
      });
    },
  }),
];

/** Clocks of tablets may be a little ahead. */
const maxAheadMs = 60_000;

function requirePast(endedMs: number, now: Moment): void {
  if (endedMs <= now.wallMs + maxAheadMs) return;
  throw validationError('ended_time', 'must not be in the future', { name: 'cleaning_time', what: 'future' });
}

/** The tap and time span of a query. */
export function toLogFilter(
  { engine }: Pick<RouteContext, 'engine'>,
  query: { readonly tap?: string } & Parameters<typeof parseTimeSpan>[1],
) {
  const tapId = query.tap === undefined ? undefined : requireTapView(engine, query.tap).tap.id;
  return { ...parseTimeSpan(engine, query), ...omitUndefined({ tapId }) };
}
