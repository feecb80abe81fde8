import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { TabletRecord } from '../../../engine/engine.ts';
import { pictureAddress } from '../../pictures.ts';
import { noteLogin, notingFailure } from '../../routes/note-login.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Nullable, named, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest, wholeListPaging } from '../shared/paging.ts';

const TabletJson = named(
  'Tablet',
  Closed(
    {
      id: Id,
      name: Type.String({ maxLength: 64, description: 'Name of the tablet in the audit log.' }),
      enrolled_by: Nullable(Type.String({ description: 'Username of who enrolled it.' })),
      created_time: { ...IsoSeconds, description: 'UTC time of its enrolment.' },
      seen_time: { ...IsoSeconds, description: 'UTC time of its last use, to the hour.' },
    },
    { description: 'A shared tablet.' },
  ),
);

const TabletReply = Closed({ tablet: TabletJson });
const params = Open({ id: Id });
const name = Type.String({ minLength: 1, maxLength: 64, description: 'Name in the audit log.' });

/** Shared tablets, and how staff identify themselves on them. */
export const tabletRoutes = (services: Pick<RouteServices, 'clock'>): readonly Route[] => [
  defineRoute({
    id: 'listTablets',
    method: 'get',
    path: '/tablets',
    summary: 'List shared tablets, newest first',
    description:
      'A shared tablet is a browser at the bar that nobody is logged in to: staff use it with their PIN. With who ' +
      'enrolled it and when it was last used, exact to the hour.',
    access: 'staff',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        tablets: Type.Array(TabletJson, { description: 'The tablets of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query }) {
      const page = engine.users.tablets.list(toPageRequest(query));
      return { paging: pagingJson(page, addressWith), tablets: page.items.map(tabletJson) };
    },
  }),
  defineRoute({
    id: 'enrolTablet',
    method: 'post',
    path: '/tablets',
    summary: 'Enrol this browser as a shared tablet. Sets its cookie and ends the current login',
    description:
      'Do this on the tablet itself, logged in as staff: an API key is refused with 409, and beyond fifty tablets ' +
      'it is a 409 too. Sets the cookie `tabletid`. Written to the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { body: Closed({ name }) },
    errors: { conflict: ['on_the_tablet_only', 'too_many_entries'] },
    replies: { status: 201, body: TabletReply },
    run(context, { body }) {
      const { engine, login, now } = context;
      if (login === null) {
        throw new AppError('conflict', 'Do this on the tablet itself: log in on its page.', {
          reason: { name: 'on_the_tablet_only' },
        });
      }
      const { tablet, token } = engine.users.tablets.enrol(
        body.name,
        requestActor(context),
        now,
        context.isSecure,
      );
      engine.users.logins.close(login);
      context.setLogin(null);
      context.setTablet(token);
      return { tablet: tabletJson(tablet) };
    },
  }),
  defineRoute({
    id: 'renameTablet',
    method: 'patch',
    path: '/tablets/{id}',
    summary: 'Rename a shared tablet',
    description:
      'The name appears in the audit log from then on; earlier entries keep the old one. Written to the audit log.',
    access: 'staff',
    accepts: { params, body: Closed({ name }) },
    replies: { status: 200, body: TabletReply },
    run(context, { params: { id }, body }) {
      const { engine, now } = context;
      return { tablet: tabletJson(engine.users.tablets.rename(id, body.name, requestActor(context), now)) };
    },
  }),
  defineRoute({
    id: 'removeTablet',
    method: 'delete',
    path: '/tablets/{id}',
    summary: 'Delete a shared tablet. Its cookie stops working',
    description: 'A PIN unlock on it ends at once. Written to the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.users.tablets.remove(id, requestActor(context), context.now);
      return {};
    },
  }),
  defineRoute({
    id: 'listTabletStaff',
    method: 'get',
    path: '/tablet/staff',
    summary: 'List the staff who have a PIN for this shared tablet, by name',
    description: 'Active staff with a PIN, by display name. Only a shared tablet may ask.',
    access: 'tablet',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        staff: Type.Array(
          Closed({
            username: Type.String({ maxLength: 128, description: 'Username.' }),
            display_name: Type.String({ maxLength: 127, description: 'Name to show.' }),
            mugshot_url: Type.String({
              description: 'Address of the picture, a square of 128 pixels; empty without a picture.',
            }),
          }),
          { description: 'Active staff with a PIN, by name.' },
        ),
      }),
    },
    run({ engine }) {
      const staff = engine.users.pins.owners().map(({ username, displayName, mugshot }) => ({
        username,
        display_name: displayName,
        mugshot_url: mugshot === null ? '' : pictureAddress({ name: mugshot }, 128),
      }));
      return { paging: wholeListPaging(staff), staff };
    },
  }),
  defineRoute({
    id: 'startPinUnlock',
    method: 'post',
    path: '/tablet/pin-unlock',
    summary: 'Confirm by PIN on this shared tablet; send the returned `pin_unlock` in `X-Tapster-Pin-Unlock`',
    description:
      'The unlock lasts a minute and is valid on this tablet only; a new one replaces it. A wrong PIN is a 400; ' +
      'the more in a row, the longer the next attempt must wait (429), and after ten the PIN is locked until its owner logs in by password. Routes ' +
      'marked for PIN accept it.',
    transport: 'https',
    access: 'tablet',
    accepts: {
      body: Closed({
        username: Type.String({ minLength: 1, maxLength: 128, description: 'Owner of the PIN.' }),
        pin: Type.String({ maxLength: 64, description: 'The PIN as typed.' }),
      }),
    },
    errors: {
      invalid_request: ['wrong_pin'],
      not_allowed: ['pin_locked'],
      too_many: ['pin_paused'],
      unavailable: ['too_many_logins'],
    },
    replies: {
      status: 201,
      body: Closed({
        pin_unlock: Type.String({ description: 'Valid on this tablet only; shown only here.' }),
        seconds: Type.Integer({ minimum: 1, 'x-unit': 's', description: 'How long it lasts.' }),
        username: Type.String({ maxLength: 128, description: 'Username of the owner of the PIN.' }),
        display_name: Type.String({ maxLength: 127, description: 'Name to show.' }),
        wrong_before: Type.Integer({
          minimum: 0,
          description: 'Wrong PINs for this name since the last correct one.',
        }),
      }),
    },
    async run(context, { body }) {
      const { engine, tablet, now } = context;
      const attempt = { method: 'pin', username: body.username, tablet: tablet!.name } as const;
      const { user, failuresBefore } = await notingFailure(
        context,
        attempt,
        () => engine.users.pins.check(tablet!, body, now),
        ({ reason }) => reason?.name === 'wrong_pin',
      );
      noteLogin(context, { ...attempt, outcome: 'succeeded' });
      // Read after the check: hashing takes seconds on a small Pi, and the full minute starts afterwards.
      const { token, seconds } = engine.users.tablets.startPinUnlock(tablet!.id, user, services.clock.now());
      return {
        pin_unlock: token,
        seconds,
        username: user.username,
        display_name: user.displayName,
        wrong_before: failuresBefore,
      };
    },
  }),
  defineRoute({
    id: 'endPinUnlock',
    method: 'delete',
    path: '/tablet/pin-unlock',
    summary: 'End the PIN unlock of this shared tablet before its time',
    description: 'Succeeds when there is none.',
    access: 'tablet',
    accepts: {},
    replies: { status: 200, body: Closed({}) },
    run({ engine, tablet }) {
      engine.users.tablets.endPinUnlock(tablet!.id);
      return {};
    },
  }),
];

const tabletJson = (tablet: TabletRecord): Static<typeof TabletJson> => ({
  id: tablet.id,
  name: tablet.name,
  enrolled_by: tablet.enrolledBy,
  created_time: isoSeconds(tablet.createdTimeMs),
  seen_time: isoSeconds(tablet.seenTimeMs),
});
