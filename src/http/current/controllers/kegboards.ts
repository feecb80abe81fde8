import Type, { type Static } from 'typebox';
import type { SeenToken } from '../../../core/controllers/kegboards.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { KegboardView } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';

const Device = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Name the kegboard reports for itself.',
});
const Count = Type.Integer({ minimum: 0 });

const KegboardJson = named(
  'Kegboard',
  Closed({
    device: Device,
    state: Type.Enum(['pending', 'allowed', 'paired', 'denied']),
    online: Type.Boolean({ description: 'True when it reported within the last 2.5 heartbeat intervals.' }),
    first_seen: IsoSeconds,
    last_seen: Nullable(IsoSeconds),
    ip: Nullable(Type.String({ description: 'Address of its last request.' })),
    fw_version: Nullable(Type.String()),
    uptime_ms: Nullable(Count),
    wifi_rssi_dbm: Nullable(Type.Integer()),
    events_dropped: Nullable(
      Type.Integer({ minimum: 0, description: 'Total of events it dropped; an increase means lost data.' }),
    ),
    config: Nullable(Type.Object({}, { description: 'Settings as it reports them.' })),
    controller_id: Nullable(Id),
    last_error: Nullable(Type.String({ description: 'Problem with its last batch.' })),
    warnings: Type.Array(Type.String()),
    refused_pours: Type.Integer({
      minimum: 0,
      description: 'Number of its pours that were refused and stored for review.',
    }),
  }),
);

const UnknownTokenJson = named(
  'UnknownToken',
  Closed({
    auth_device: Type.String(),
    token_value: Type.String(),
    device: Type.String({ description: 'Device to which it was last presented.' }),
    times: Type.Integer({ minimum: 1 }),
    last_seen: IsoSeconds,
  }),
);

const KegboardReply = Closed({ kegboard: KegboardJson });
const params = Open({ device: Device });

/** Kegboards that report device events: pairing, denial, revocation and closing of their taps, for staff. */
export const kegboardRoutes: readonly Route[] = [
  defineRoute({
    id: 'listKegboards',
    method: 'get',
    path: '/admin/kegboards',
    summary: 'List kegboards, the most recently seen first',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ kegboards: Type.Array(KegboardJson) }) },
    run: ({ engine, now }) => ({ kegboards: engine.kegboards.list(now).map(kegboardJson) }),
  }),
  defineRoute({
    id: 'allowKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/allow',
    summary: 'Allow a kegboard. A new token waits one hour for it and can be fetched once',
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
    summary: 'Deny a kegboard and revoke its token',
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
    summary: 'Revoke the token of a kegboard. Its controller, meters and drinks stay',
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
    summary:
      'Delete the status of a kegboard. A paired one keeps its token and is listed again with its next report',
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
    summary: 'Close the taps of a kegboard: the given grants, or all, end with its next report',
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
      const target = { device, ...omitUndefined({ grantIds }) };
      context.engine.kegboards.deauthorize(target, context.now, requestActor(context));
      return {};
    },
  }),
  defineRoute({
    id: 'deauthorizeKegboards',
    method: 'post',
    path: '/admin/kegboards/deauthorize',
    summary: 'Close the taps of every kegboard with its next report',
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
    summary: 'List unknown tokens that were presented recently, newest first',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ unknown_tokens: Type.Array(UnknownTokenJson) }) },
    run: ({ engine }) => ({ unknown_tokens: engine.kegboards.unknownTokens().map(unknownTokenJson) }),
  }),
];

function kegboardJson({
  board,
  isOnline,
  warnings,
  refusedPours,
}: KegboardView): Static<typeof KegboardJson> {
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
    refused_pours: refusedPours,
  };
}

const unknownTokenJson = (token: SeenToken): Static<typeof UnknownTokenJson> => ({
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  device: token.device,
  times: token.times,
  last_seen: isoSeconds(token.lastTimeMs),
});
