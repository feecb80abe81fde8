import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Engine, UpstreamEvent } from '../../../engine/engine.ts';
import type { UpstreamAdmin } from '../../ports.ts';
import { ProblemJson, problemOrNull } from '../../routes/problem-json.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import {
  AnyObject,
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  Open,
} from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

const Count = Type.Integer({ minimum: 0, description: 'Number of reports queued again.' });

const UpstreamJson = named(
  'Upstream',
  Closed(
    {
      state: Type.Enum(['off', 'starting', 'pending', 'denied', 'connected', 'trouble'], {
        description:
          'State of the connection. `off`: no server is configured; `pending`: the server has not allowed this site yet.',
      }),
      problem: Nullable(ProblemJson),
      host: Nullable(Type.String({ description: 'Host and port of the server.' })),
      device: Nullable(Type.String({ description: 'Name of this site at the server.' })),
      pairing_code: Nullable(
        Type.String({
          description:
            'While `pending`: the code of this request, which staff of the server see beside its name.',
        }),
      ),
      last_answer_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time of its last answer; null before the first.',
      }),
      waiting: Type.Integer({ minimum: 0, description: 'Number of reports not sent yet.' }),
      set_aside: Type.Integer({ minimum: 0, description: 'Number of reports the server refused.' }),
      events_dropped: Type.Integer({
        minimum: 0,
        description: 'Total of temperatures dropped in outages; pours are never dropped.',
      }),
      flow_meters: Type.Array(
        Closed({
          name: Type.String({ description: 'Full name of the meter here.' }),
          number: Type.Integer({
            minimum: 0,
            description: 'Number of the meter at the server: `flow<number>`.',
          }),
        }),
        { description: 'Meters that are reported.' },
      ),
    },
    { description: 'The state of upstream reporting.' },
  ),
);

const ReportJson = named(
  'UpstreamReport',
  Closed(
    {
      id: Id,
      type: Type.Enum(['pour', 'temperature'], { description: 'What was reported.' }),
      data: AnyObject('Data of the event, as in the device event protocol.'),
      time: { ...IsoSeconds, description: 'UTC time at which it was reported.' },
      refusal: Type.String({ description: 'Answer of the server.' }),
    },
    { description: 'A report that the server refused.' },
  ),
);

const params = Open({ id: Id });
const staff = { access: 'staff' } as const;
const SentAgain = Closed({ sent_again: Count });

/** Upstream reporting: state, and reports that the server refused, for staff. */
export const upstreamRoutes = ({ upstream }: Pick<RouteServices, 'upstream'>): readonly Route[] => [
  defineRoute({
    ...staff,
    id: 'getUpstream',
    method: 'get',
    path: '/admin/upstream',
    summary: 'Get the state of upstream reporting',
    description:
      'Whether this site reports its pours to another server, with the state of the connection and the number of ' +
      'reports that wait. Pours are never dropped while the server is away.',
    accepts: {},
    replies: { status: 200, body: Closed({ upstream: UpstreamJson }) },
    run: ({ engine }) => ({ upstream: upstreamJson(engine, upstream) }),
  }),
  defineRoute({
    ...staff,
    id: 'retryUpstream',
    method: 'post',
    path: '/admin/upstream/retry',
    summary: 'Connect to the upstream server now, also after it has denied this site',
    description:
      'Without it the daemon tries again by itself, with growing pauses. 409 when no server is configured.',
    accepts: {},
    errors: { conflict: [] },
    replies: { status: 202, body: Closed({}) },
    run() {
      if (upstream === null) {
        throw new AppError('conflict', 'Upstream reporting is off: set upstream.url in the configuration.');
      }
      upstream.retryNow();
      return {};
    },
  }),
  defineRoute({
    ...staff,
    id: 'listUpstreamSetAside',
    method: 'get',
    path: '/admin/upstream/set-aside',
    summary: 'List refused reports, newest first',
    description:
      'A refused report is kept until it is sent again or deleted; later reports are not delayed by it.',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        reports: Type.Array(ReportJson, { description: 'The reports of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query }) {
      const page = engine.upstream.refused(toPageRequest(query));
      return { paging: pagingJson(page, addressWith), reports: page.items.map(reportJson) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'sendAllUpstreamAgain',
    method: 'post',
    path: '/admin/upstream/set-aside/send-again',
    summary: 'Send up to 1000 refused reports again',
    description:
      'The oldest come first; send it again when there are more. Returns how many were queued. Written to the audit ' +
      'log.',
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
    summary: 'Send a refused report again',
    description:
      'The report is queued as it was. 404 when there is none with this id. Written to the audit log.',
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
    summary: 'Delete a refused report. The local drink stays',
    description: 'The server never gets it. Cannot be undone. Written to the audit log.',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.upstream.discard(id, requestActor(context), context.now);
      return {};
    },
  }),
];

function upstreamJson(engine: Engine, service: UpstreamAdmin | null): Static<typeof UpstreamJson> {
  const { waiting, setAside, eventsDropped } = engine.upstream.counts();
  const now = service?.state();
  const lastMs = now?.lastAnswerMs ?? null;
  return {
    state: now?.state ?? 'off',
    problem: problemOrNull(now?.problem ?? null),
    host: service?.host ?? null,
    device: service?.device ?? null,
    pairing_code: now?.pairingCode ?? null,
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
