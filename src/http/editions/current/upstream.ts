import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Engine, UpstreamEvent } from '../../../engine/engine.ts';
import { requestActor } from '../../auth/request-actor.ts';
import type { UpstreamDesk } from '../../ports.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Nullable, named, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingNextJson, pagingNextJson, toPageRequest } from './paging.ts';

const Count = Type.Integer({ minimum: 0 });

const UpstreamJson = named(
  'Upstream',
  Closed({
    state: Type.Enum(['off', 'starting', 'pending', 'denied', 'connected', 'trouble'], {
      description: '`off`: the configuration names no server; `pending`: nobody has let this house in there.',
    }),
    problem: Nullable(Type.String({ description: 'What stands in the way, in a sentence.' })),
    host: Nullable(Type.String({ description: 'The other server’s name and port.' })),
    device: Nullable(Type.String({ description: 'Our name there.' })),
    last_answer_time: Nullable(IsoSeconds),
    waiting: Type.Integer({ minimum: 0, description: 'Reports that are still to be sent.' }),
    set_aside: Type.Integer({ minimum: 0, description: 'Reports that the other server refused.' }),
    events_dropped: Type.Integer({
      minimum: 0,
      description: 'Temperatures let go of in outages, ever; pours never are.',
    }),
    flow_meters: Type.Array(
      Closed({
        name: Type.String(),
        number: Type.Integer({ minimum: 0, description: '`flow<number>` there.' }),
      }),
    ),
  }),
);

const ReportJson = named(
  'UpstreamReport',
  Closed({
    id: Id,
    type: Type.Enum(['pour', 'temperature']),
    data: Type.Unsafe<object>(Type.Object({}, { description: 'As the protocol of device events has it.' })),
    time: IsoSeconds,
    refusal: Type.String({ description: 'The other server’s words.' }),
  }),
);

const params = Open({ id: Id });
const staff = { access: 'staff' } as const;
const SentAgain = Closed({ sent_again: Count });

/** Reporting what is poured here to another server: how it goes, and what that one would not have. For staff. */
export const upstreamRoutes = (service: UpstreamDesk | undefined): readonly Route[] => [
  defineRoute({
    ...staff,
    id: 'getUpstream',
    method: 'get',
    path: '/admin/upstream',
    summary: 'How reporting to another server goes',
    accepts: {},
    replies: { status: 200, body: Closed({ upstream: UpstreamJson }) },
    run: ({ engine }) => ({ upstream: upstreamJson(engine, service) }),
  }),
  defineRoute({
    ...staff,
    id: 'retryUpstream',
    method: 'post',
    path: '/admin/upstream/ask-again',
    summary: 'Ask the other server now, also after it has refused this house',
    accepts: {},
    replies: { status: 202, body: Closed({}) },
    run() {
      if (service === undefined) {
        throw new AppError(
          'conflict',
          'This house reports to nobody: set upstream.url in its configuration.',
        );
      }
      service.askAgain();
      return {};
    },
  }),
  defineRoute({
    ...staff,
    id: 'listUpstreamSetAside',
    method: 'get',
    path: '/admin/upstream/set-aside',
    summary: 'Reports that the other server refused, the newest first',
    accepts: { query: PageQuery },
    replies: { status: 200, body: Closed({ paging: PagingNextJson, reports: Type.Array(ReportJson) }) },
    run({ engine }, { query }) {
      const page = engine.upstream.refused(toPageRequest(query));
      return { paging: pagingNextJson(page), reports: page.items.map(reportJson) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'sendAllUpstreamAgain',
    method: 'post',
    path: '/admin/upstream/set-aside/send-again',
    summary: 'Send up to 1000 of the refused reports anew',
    accepts: {},
    replies: { status: 202, body: SentAgain },
    run: (context) => ({
      sent_again: context.engine.upstream.sendAgain(null, requestActor(context), context.now),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'sendUpstreamAgain',
    method: 'post',
    path: '/admin/upstream/set-aside/{id}/send-again',
    summary: 'Send a refused report anew',
    accepts: { params },
    replies: { status: 202, body: SentAgain },
    run: (context, { params: { id } }) => ({
      sent_again: context.engine.upstream.sendAgain(id, requestActor(context), context.now),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'discardUpstreamReport',
    method: 'delete',
    path: '/admin/upstream/set-aside/{id}',
    summary: 'Throw a refused report away; the drink itself stays in this house',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.upstream.discard(id, requestActor(context), context.now);
      return {};
    },
  }),
];

function upstreamJson(engine: Engine, service: UpstreamDesk | undefined): Static<typeof UpstreamJson> {
  const { waiting, setAside, eventsDropped } = engine.upstream.counts();
  const now = service?.state();
  const lastMs = now?.lastAnswerMs ?? null;
  return {
    state: now?.state ?? 'off',
    problem: now?.problem ?? null,
    host: service?.host ?? null,
    device: service?.device ?? null,
    last_answer_time: lastMs === null ? null : isoSeconds(lastMs),
    waiting,
    set_aside: setAside,
    events_dropped: eventsDropped,
    flow_meters: engine.upstream
      .meters(service?.meterNames() ?? [])
      .map(({ meter: name, number }) => ({ name, number })),
  };
}

const reportJson = (report: UpstreamEvent): Static<typeof ReportJson> => ({
  id: report.id,
  type: report.type,
  data: JSON.parse(report.data) as object,
  time: isoSeconds(report.atMs),
  refusal: report.refusal ?? '',
});
