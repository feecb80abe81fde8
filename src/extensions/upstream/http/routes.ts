import Type, { type Static } from 'typebox';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../../../http/current/shared/paging.ts';
import { ProblemJson, problemOrNull } from '../../../http/routes/problem-json.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { requestActor } from '../../../http/routes/route-context.ts';
import {
  AnyObject,
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  Open,
} from '../../../http/routes/schemas.ts';
import type { RouteParts } from '../../extension.ts';
import type { Upstream, UpstreamEvent } from '../engine/upstream.ts';
import type { Reporting } from '../outbox/reporting.ts';

const Count = Type.Integer({ minimum: 0, description: 'Number of reports queued again.' });

const UpstreamJson = named(
  'Upstream',
  Closed(
    {
      state: Type.Enum(['starting', 'pending', 'denied', 'connected', 'trouble'], {
        description: 'State of the connection. `pending`: the server has not allowed this site yet.',
      }),
      problem: Nullable(ProblemJson),
      host: Type.String({ description: 'Host and port of the server.' }),
      device: Type.String({ description: 'Name of this site at the server.' }),
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
export const upstreamRoutes = ({
  servicesOf,
  background,
}: RouteParts<Upstream, Reporting>): readonly Route[] => [
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
    run: ({ engine }) => ({ upstream: upstreamJson(servicesOf(engine), background()) }),
  }),
  defineRoute({
    ...staff,
    id: 'retryUpstream',
    method: 'post',
    path: '/admin/upstream/retry',
    summary: 'Connect to the upstream server now, also after it has denied this site',
    description: 'Without it the daemon tries again by itself, with growing pauses.',
    accepts: {},
    errors: { unavailable: [] },
    replies: { status: 202, body: Closed({}) },
    run() {
      background().retryNow();
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
      const page = servicesOf(engine).refused(toPageRequest(query));
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
      sent_again: servicesOf(context.engine).sendAgain(null, requestActor(context), context.now),
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
      sent_again: servicesOf(context.engine).sendAgain(id, requestActor(context), context.now),
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
      servicesOf(context.engine).discard(id, requestActor(context), context.now);
      return {};
    },
  }),
];

function upstreamJson(upstream: Upstream, reporting: Reporting): Static<typeof UpstreamJson> {
  const { waiting, setAside, eventsDropped } = upstream.counts();
  const { state, problem, lastAnswerMs, pairingCode } = reporting.state();
  return {
    state,
    problem: problemOrNull(problem),
    host: reporting.host,
    device: reporting.device,
    pairing_code: pairingCode,
    last_answer_time: lastAnswerMs === null ? null : isoSeconds(lastAnswerMs),
    waiting,
    set_aside: setAside,
    events_dropped: eventsDropped,
    flow_meters: upstream.meters(reporting.meterNames()).map(({ meter: name, number }) => ({ name, number })),
  };
}

const reportJson = (report: UpstreamEvent): Static<typeof ReportJson> => ({
  id: report.id,
  type: report.type,
  data: JSON.parse(report.data) as object,
  time: isoSeconds(report.atMs),
  refusal: report.refusal ?? '',
});
