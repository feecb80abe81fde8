import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { PagingJson, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext, requestActor } from '../../../http/routes/route-context.ts';
import { Closed, Maybe, Open } from '../../../http/routes/schemas.ts';
import type { BackgroundService, RouteParts } from '../../extension.ts';
import type { Kegboards } from '../engine/kegboards.ts';
import { Device, KegboardJson, kegboardJson, requestJson } from './kegboard-views.ts';

const KegboardReply = Closed({ kegboard: KegboardJson });
const params = Open({ device: Device });
/** The request that staff saw. */
const RequestChoiceBody = Closed({
  request_id: Maybe(
    Type.String({ minLength: 1, maxLength: 64, description: 'Needed when several requests use the name.' }),
  ),
  ip: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Its address: refused when it asks from another one.',
    }),
  ),
});

/** Kegboards that report device events: pairing, denial, revocation and closing of their taps, for staff. */
export const kegboardRoutes = ({
  servicesOf,
}: RouteParts<Kegboards, BackgroundService>): readonly Route[] => [
  defineRoute({
    id: 'listKegboards',
    method: 'get',
    path: '/admin/kegboards',
    summary: 'List requests for pairing, then kegboards, the most recently seen first',
    description:
      'Network kegboards and those that ask for pairing, with state, address, firmware and warnings. At most ' +
      '256 requests are remembered, 16 of one address, each until it has been silent for ten minutes.',
    access: 'staff',
    isShownInDemo: true,
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        kegboards: Type.Array(KegboardJson, { description: 'Requests first, then kegboards.' }),
      }),
    },
    run({ engine, now }) {
      const requests = servicesOf(engine).requests(now).map(requestJson);
      const kegboards = [...requests, ...servicesOf(engine).list(now).map(kegboardJson)];
      return { paging: wholeListPaging(kegboards), kegboards };
    },
  }),
  defineRoute({
    id: 'allowKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/allow',
    summary:
      'Allow a request for pairing: only its address and boot can fetch the token, for an hour and until it is used. Without `request_id` the name must have exactly one request (409)',
    description:
      'Compare the `code` with the one that the kegboard shows before you allow it. It gets its token with its next ' +
      'request, and its controller and meters are created with its first report. Written to the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params, body: RequestChoiceBody },
    errors: { conflict: ['no_pairing_request', 'several_pairing_requests'] },
    replies: { status: 200, body: KegboardReply },
    run(context, { params: { device }, body }) {
      const { engine, now } = context;
      const allowed = servicesOf(engine).allow(device, toChoice(body), now, requestActor(context));
      return { kegboard: kegboardJson(allowed) };
    },
  }),
  defineRoute({
    id: 'denyKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/deny',
    summary:
      'Deny a request for pairing, until the daemon restarts or it is deleted. Without `request_id` a kegboard that was allowed loses its token and is denied under any address',
    description: 'The kegboard is told that it was denied. Written to the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params, body: RequestChoiceBody },
    errors: { conflict: ['no_pairing_request', 'several_pairing_requests'] },
    replies: { status: 200, body: KegboardReply },
    run(context, { params: { device }, body }) {
      const { engine, now } = context;
      const denied = servicesOf(engine).deny(device, toChoice(body), now, requestActor(context));
      return { kegboard: 'board' in denied ? kegboardJson(denied) : requestJson(denied) };
    },
  }),
  defineRoute({
    id: 'revokeKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/revoke',
    summary:
      'Revoke the token of a kegboard, so that its name can be asked for again. Its controller, meters and drinks stay',
    description:
      'The kegboard is refused from its next report on and stores its pours until it is paired again. Written to ' +
      'the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { device } }) {
      servicesOf(context.engine).revoke(device, actorContext(context));
      return {};
    },
  }),
  defineRoute({
    id: 'deleteKegboard',
    method: 'delete',
    path: '/admin/kegboards/{device}',
    summary:
      'Delete the status of a kegboard and the requests under its name. A paired one keeps its token and is listed again with its next report',
    description:
      'For names that no longer exist. Controller, meters and drinks stay. Written to the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { device } }) {
      servicesOf(context.engine).forget(device, actorContext(context));
      return {};
    },
  }),
  defineRoute({
    id: 'deauthorizeKegboard',
    method: 'post',
    path: '/admin/kegboards/{device}/deauthorize',
    summary: 'Close the taps of a kegboard: the given grants, or all, end with its next report',
    description:
      'The command is kept until the kegboard reports, at most seconds later while it is online. Written to the ' +
      'audit log.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        grant_ids: Maybe(
          Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
            minItems: 1,
            maxItems: 50,
            description: 'Ids of the grants to end, at most 50; all unless given.',
          }),
        ),
      }),
    },
    errors: { unavailable: ['board_disconnected', 'relay_stuck'] },
    replies: { status: 202, body: Closed({}) },
    run(context, { params: { device }, body: { grant_ids: grantIds } }) {
      const target = { device, ...omitUndefined({ grantIds }) };
      servicesOf(context.engine).deauthorize(target, context.now, requestActor(context));
      return {};
    },
  }),
  defineRoute({
    id: 'deauthorizeKegboards',
    method: 'post',
    path: '/admin/kegboards/deauthorize',
    summary: 'Close the taps of every kegboard with its next report',
    description: 'The command is kept for each kegboard until it reports. Written to the audit log.',
    access: 'staff',
    accepts: {},
    errors: { unavailable: ['board_disconnected', 'relay_stuck'] },
    replies: { status: 202, body: Closed({}) },
    run(context) {
      servicesOf(context.engine).deauthorize({}, context.now, requestActor(context));
      return {};
    },
  }),
];

const toChoice = ({ request_id: requestId, ip: address }: Static<typeof RequestChoiceBody>) =>
  omitUndefined({ requestId, address });
