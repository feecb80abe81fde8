import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Engine, GrantView } from '../../../engine/engine.ts';
import type { OpenValve } from '../../ports.ts';
import { IdParam } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { type RouteContext, requestActor } from '../../routes/route-context.ts';
import {
  Closed,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  Open,
  TextId,
  TotalMl,
} from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest, wholeListPaging } from '../shared/paging.ts';
import { ToggleJson, toggleJson } from './hardware-views.ts';

/** Longest manual opening in seconds: enough to rinse a line, and limits the loss if nobody closes it. */
const maxManualOpenS = 600;

const GrantJson = named(
  'Grant',
  Closed(
    {
      id: Type.String({ maxLength: 64, description: 'Id of the grant, as reported to controllers.' }),
      serial: Type.Integer({ minimum: 1, description: 'Ascending number; `start` of a page refers to it.' }),
      controller: Type.String({ description: 'Controller to which the token was presented.' }),
      user: Nullable(Type.String({ description: 'Owner of the token at that time.' })),
      auth_device: Type.String({ maxLength: 64, description: 'Kind of reader, such as `core.rfid`.' }),
      token_value: Type.String({ maxLength: 128, description: 'Value of the presented token.' }),
      open: Type.Boolean({
        description: 'True while it opens a valve of this machine; kegboards report only ends.',
      }),
      granted_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time of the grant; null when only its end is known.',
      }),
      ended_time: Nullable({ ...IsoSeconds, description: 'UTC time of its end; null while it lasts.' }),
      ended_reason: Nullable(
        Type.String({
          description:
            'Why it ended, null while it lasts: `max_volume`, `max_duration`, `max_idle`, `detach`, `command`, `replaced`, `user`, `fault`, `stopped`, `restart`.',
        }),
      ),
      volume_ml: Nullable({
        ...TotalMl,
        description: 'Volume poured under it in millilitres; null when not known yet.',
      }),
      taps: Type.Array(TextId, { description: 'Ids of the taps it opens, as text.' }),
    },
    { description: 'The permission to pour that a presented token gives.' },
  ),
);

const ValveJson = named(
  'OpenValve',
  Closed(
    {
      flow_toggle: ToggleJson,
      seconds_left: Type.Integer({
        minimum: 0,
        'x-unit': 's',
        description: 'It closes after this time at the latest.',
      }),
      grant_id: Nullable(Type.String({ description: 'The grant for which it is open.' })),
      manual: Type.Boolean({ description: 'True when staff opened it by hand.' }),
    },
    { description: 'A valve that is open now.' },
  ),
);

const Board = Nullable(
  Type.String({
    description: 'Kegboard that receives the command with its next report; null for local toggles.',
  }),
);

const params = Open({ id: IdParam });
const staff = { access: 'staff' } as const;
/** Routes for a single tap are allowed by PIN; reading tokens and closing all taps are not. */
const staffOrPin = { ...staff, byPin: true } as const;

/** Grants and valves: listing and ending grants, opening and closing valves by hand, for staff. */
export const valveRoutes = ({ valves }: Pick<RouteServices, 'valves'>): readonly Route[] => [
  defineRoute({
    ...staff,
    id: 'listGrants',
    method: 'get',
    path: '/admin/grants',
    summary: 'List grants, newest first',
    description:
      'A grant is the permission to pour that a presented auth token gives. Grants of this machine and of kegboards ' +
      'are listed, with the reason of their end and the volume poured.',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        grants: Type.Array(GrantJson, { description: 'The grants of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query }) {
      const page = engine.access.grants.list(toPageRequest(query));
      const numbered = { ...page, items: page.items.map(({ grant }) => ({ id: grant.serial })) };
      return { paging: pagingJson(numbered, addressWith), grants: page.items.map(grantJson) };
    },
  }),
  defineRoute({
    ...staffOrPin,
    id: 'listOpenValves',
    method: 'get',
    path: '/admin/valves',
    summary: 'List the toggles of this machine and its serial boards that are open',
    description:
      'Each closes by itself after `seconds_left`. Valves of network kegboards are not known here.',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        valves: Type.Array(ValveJson, { description: 'The open valves.' }),
      }),
    },
    run({ engine }) {
      const open = valves.open().flatMap((valve) => valveJson(engine, valve));
      return { paging: wholeListPaging(open), valves: open };
    },
  }),
  defineRoute({
    ...staffOrPin,
    id: 'deauthorizeTap',
    method: 'post',
    path: '/admin/taps/{id}/deauthorize',
    summary: 'Close a tap: ends its grants now; on a network kegboard with its next report',
    description:
      'For a tap that must stop at once: all its grants end with the reason `command`. A network kegboard gets the ' +
      'command with its next report, and `board` names it. Written to the audit log.',
    accepts: { params },
    errors: { unavailable: ['board_disconnected', 'relay_stuck'] },
    replies: {
      status: 200,
      body: Closed({
        ended: Type.Integer({ minimum: 0, description: 'Number of grants that ended.' }),
        board: Board,
      }),
    },
    run(context, { params: { id } }) {
      const { engine, now } = context;
      const ended = engine.access.grants.deauthorize({ tapId: id }, requestActor(context), now);
      const tap = engine.taps.find(id)?.tap;
      const board = findReportingBoard(context, [tap?.meter?.controllerId, tap?.toggle?.controllerId]);
      if (board !== null) engine.hooks.closeTaps(now, board);
      return { ended, board };
    },
  }),
  defineRoute({
    ...staff,
    id: 'deauthorizeTaps',
    method: 'post',
    path: '/admin/taps/deauthorize',
    summary: 'Close every tap: ends all grants now; on network kegboards with their next report',
    description:
      'All grants end with the reason `command`, and valves of this machine close at once. Network kegboards get ' +
      'the command with their next report. Written to the audit log.',
    accepts: {},
    errors: { unavailable: ['board_disconnected', 'relay_stuck'] },
    replies: {
      status: 200,
      body: Closed({ ended: Type.Integer({ minimum: 0, description: 'Number of grants that ended.' }) }),
    },
    run(context) {
      const { engine, now } = context;
      const ended = engine.access.grants.deauthorize({}, requestActor(context), now);
      engine.hooks.closeTaps(now);
      return { ended };
    },
  }),
  defineRoute({
    ...staffOrPin,
    id: 'openToggle',
    method: 'post',
    path: '/flow-toggles/{id}/open',
    summary:
      'Open a toggle by hand for a limited time, to rinse a line or find a fault. Flow is recorded as usual',
    description:
      'For at most ten minutes; it closes by itself. Only toggles of this machine and its serial boards can be ' +
      'opened: others answer 404 or, when the relay does not work, 503. Written to the audit log.',
    accepts: {
      params,
      body: Closed({
        seconds: Type.Integer({
          minimum: 1,
          maximum: maxManualOpenS,
          'x-unit': 's',
          description: 'Seconds after which it closes by itself.',
        }),
      }),
    },
    errors: { unavailable: ['board_disconnected', 'relay_stuck'] },
    replies: { status: 200, body: Closed({ valve: ValveJson }) },
    run(context, { params: { id }, body: { seconds } }) {
      const { engine, now } = context;
      const toggle = requireToggle(engine, id);
      valves.openManually(toggle.name, seconds * 1_000);
      try {
        engine.access.grants.recordManualSwitch(id, { seconds }, requestActor(context), now);
      } catch (fault) {
        // A manual opening must be in the audit log; otherwise the valve is closed again.
        valves.shut(toggle.name);
        throw fault;
      }
      const valve = { flow_toggle: toggleJson(toggle), seconds_left: seconds, grant_id: null, manual: true };
      return {
        valve:
          valves.open().flatMap((one) => (one.toggle === toggle.name ? valveJson(engine, one) : []))[0] ??
          valve,
      };
    },
  }),
  defineRoute({
    ...staffOrPin,
    id: 'closeToggle',
    method: 'post',
    path: '/flow-toggles/{id}/close',
    summary:
      'Close a toggle, for whatever it was opened. Ends a grant on its tap; on a network kegboard with its next report',
    description:
      'Closes the valve at once and ends what opened it. `board` names the network kegboard that closes it with its ' +
      'next report, if it is one of a kegboard. Written to the audit log.',
    accepts: { params },
    errors: { unavailable: ['board_disconnected', 'relay_stuck'] },
    replies: { status: 200, body: Closed({ board: Board }) },
    run(context, { params: { id } }) {
      const { engine, now } = context;
      const toggle = requireToggle(engine, id);
      valves.shut(toggle.name);
      const board = findReportingBoard(context, [toggle.controllerId]);
      if (board !== null) engine.hooks.closeTaps(now, board);
      engine.access.grants.recordManualSwitch(id, null, requestActor(context), now);
      return { board };
    },
  }),
];

function requireToggle(engine: Engine, id: number) {
  const toggle = engine.taps.hardware.toggles().find((one) => one.id === id);
  if (toggle === undefined)
    throw new AppError('not_found', `There is no flow toggle ${id}.`, { reason: { name: 'not_found' } });
  return toggle;
}

/** The one among these controllers that switches its valves by itself; null when all are local. */
function findReportingBoard({ engine, now }: RouteContext, controllerIds: readonly (number | undefined)[]) {
  const reporting = engine.hooks.reportingControllers(now);
  return reporting.find(({ controllerId }) => controllerIds.includes(controllerId))?.device ?? null;
}

function grantJson({ grant, taps }: GrantView): Static<typeof GrantJson> {
  return {
    id: grant.id,
    serial: grant.serial,
    controller: grant.device,
    user: grant.username,
    auth_device: grant.authDevice,
    token_value: grant.tokenValue,
    open: grant.bootId !== null && grant.endedReason === null,
    granted_time: timeJson(grant.grantedTimeMs),
    ended_time: timeJson(grant.endedTimeMs),
    ended_reason: grant.endedReason,
    volume_ml: grant.volumeMl,
    taps: taps.flatMap(({ tapId }) => (tapId === null ? [] : [String(tapId)])),
  };
}

const timeJson = (ms: number | null) => (ms === null ? null : isoSeconds(ms));

function valveJson(engine: Engine, valve: OpenValve): readonly Static<typeof ValveJson>[] {
  const toggle = engine.taps.hardware.toggles().find(({ name }) => name === valve.toggle);
  if (toggle === undefined) return [];
  const { secondsLeft, grantId, manual } = valve;
  return [{ flow_toggle: toggleJson(toggle), seconds_left: secondsLeft, grant_id: grantId, manual: manual }];
}
