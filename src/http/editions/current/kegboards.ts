import Type, { type Static } from 'typebox';
import type { SeenToken } from '../../../core/boards.ts';
import type { BoardView } from '../../../engine/engine.ts';
import { actorContext } from '../../doors/actor-context.ts';
import { requestActor } from '../../doors/request-actor.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';

const Device = Type.String({ minLength: 1, maxLength: 64, description: 'The name the board gives itself.' });
const Count = Type.Integer({ minimum: 0 });

export const KegboardJson = named(
  'Kegboard',
  Closed({
    device: Device,
    state: Type.Enum(['pending', 'allowed', 'paired', 'denied']),
    online: Type.Boolean({ description: 'Heard of within two and a half of its heartbeats.' }),
    first_seen: IsoSeconds,
    last_seen: Nullable(IsoSeconds),
    ip: Nullable(Type.String({ description: 'Where it called from last.' })),
    fw_version: Nullable(Type.String()),
    uptime_ms: Nullable(Count),
    wifi_rssi_dbm: Nullable(Type.Integer()),
    events_dropped: Nullable(
      Type.Integer({ minimum: 0, description: 'Events it threw away, ever; growth is lost data.' }),
    ),
    config: Nullable(Type.Object({}, { description: 'Its settings, as it reports them.' })),
    controller_id: Nullable(Id),
    last_error: Nullable(Type.String({ description: 'What was wrong with its last batch.' })),
    warnings: Type.Array(Type.String()),
    pours_set_aside: Type.Integer({ minimum: 0, description: 'Pours of it that could not be read.' }),
  }),
);

const UnknownTokenJson = named(
  'UnknownToken',
  Closed({
    auth_device: Type.String(),
    token_value: Type.String(),
    device: Type.String({ description: 'The board it was presented to last.' }),
    times: Type.Integer({ minimum: 1 }),
    last_seen: IsoSeconds,
  }),
);

const KegboardReply = Closed({ kegboard: KegboardJson });
const params = Open({ device: Device });

/** Boards that report device events: letting them in, sending them away, closing their taps. For staff. */
export const kegboardRoutes: readonly Route[] = [
  defineRoute({
    id: 'listKegboards',
    method: 'get',
    path: '/admin/kegboards',
    summary: 'Boards that report device events, the newest heard of first',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ kegboards: Type.Array(KegboardJson) }) },
    run: ({ engine, now }) => ({ kegboards: engine.kegboards.list(now).map(kegboardJson) }),
  }),
  defineRoute({
    id: 'allowKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/allow',
    summary: 'Let a board in: a new token waits an hour for it, to be fetched once',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: KegboardReply },
    run: (context, { params: { device } }) => ({
      kegboard: kegboardJson(context.engine.kegboards.allow(device, context.now, requestActor(context))),
    }),
  }),
  defineRoute({
    id: 'denyKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/deny',
    summary: 'Send a board away, its token with it',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: KegboardReply },
    run: (context, { params: { device } }) => ({
      kegboard: kegboardJson(context.engine.kegboards.deny(device, context.now, requestActor(context))),
    }),
  }),
  defineRoute({
    id: 'revokeKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/revoke',
    summary: 'End a board’s token; its controller, meters and drinks stay',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { device } }) {
      context.engine.kegboards.revoke(device, actorContext(context));
      return {};
    },
  }),
  defineRoute({
    id: 'deleteKegboard',
    method: 'delete',
    path: '/admin/kegboards/{device}',
    summary: 'Forget what is known of a board; a paired one keeps its token and shows up again',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { device } }) {
      context.engine.kegboards.forget(device, actorContext(context));
      return {};
    },
  }),
  defineRoute({
    id: 'deauthorizeKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/deauthorize',
    summary: 'Close a board’s taps: its grants end when it next reports, all of them unless some are named',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        grant_ids: Maybe(
          Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 50 }),
        ),
      }),
    },
    replies: { status: 202, body: Closed({}) },
    run(context, { params: { device }, body: { grant_ids: grantIds } }) {
      const target = { device, ...(grantIds === undefined ? {} : { grantIds }) };
      context.engine.kegboards.deauthorize(target, context.now, requestActor(context));
      return {};
    },
  }),
  defineRoute({
    id: 'deauthorizeKegboards',
    method: 'post',
    path: '/admin/kegboards/deauthorize',
    summary: 'Close the taps of every board when it next reports',
    access: 'staff',
    accepts: {},
    replies: { status: 202, body: Closed({}) },
    run(context) {
      context.engine.kegboards.deauthorize({}, context.now, requestActor(context));
      return {};
    },
  }),
  defineRoute({
    id: 'listUnknownTokens',
    method: 'get',
    path: '/admin/unknown-tokens',
    summary: 'Tokens presented lately that nobody knows, the latest first',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ unknown_tokens: Type.Array(UnknownTokenJson) }) },
    run: ({ engine }) => ({ unknown_tokens: engine.kegboards.unknownTokens().map(unknownTokenJson) }),
  }),
];

function kegboardJson({ board, isOnline, warnings, poursSetAside }: BoardView): Static<typeof KegboardJson> {
  return {
    device: board.device,
    state: board.state,
    online: isOnline,
    first_seen: isoSeconds(board.firstSeenMs),
    last_seen: board.lastSeenMs === null ? null : isoSeconds(board.lastSeenMs),
    ip: board.address,
    fw_version: board.fwVersion,
    uptime_ms: board.uptimeMs,
    wifi_rssi_dbm: board.rssiDbm,
    events_dropped: board.eventsDropped,
    config: board.config === null ? null : (JSON.parse(board.config) as object),
    controller_id: board.controllerId,
    last_error: board.lastError,
    warnings: [...warnings],
    pours_set_aside: poursSetAside,
  };
}

const unknownTokenJson = (token: SeenToken): Static<typeof UnknownTokenJson> => ({
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  device: token.device,
  times: token.times,
  last_seen: isoSeconds(token.lastTimeMs),
});
