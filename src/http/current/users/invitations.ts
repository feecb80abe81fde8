import Type, { type Static } from 'typebox';
import type { InvitationView } from '../../../engine/engine.ts';
import { Instant, parseInstant } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requireSiteAddress, siteAddress } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

export const InvitationJson = named(
  'Invitation',
  Closed(
    {
      id: Id,
      for_email: Type.String({
        description: 'Address it was mailed to, or whom its link is for. The code is not shown here.',
      }),
      invited_date: { ...IsoSeconds, description: 'UTC time of its creation.' },
      expires_date: { ...IsoSeconds, description: 'UTC time at which it stops working.' },
      is_expired: Type.Boolean({ description: 'True when it has stopped working.' }),
    },
    { description: 'An invitation.' },
  ),
);

const InvitationReply = Closed({ invitation: InvitationJson });
const params = Open({ id: Id });

/** The requester's own unused invitations. */
export const invitationRoutes: readonly Route[] = [
  defineRoute({
    id: 'listInvitations',
    method: 'get',
    path: '/invitations',
    summary: 'List your own unused invitations, newest first',
    description: 'Used and deleted ones are not listed; expired ones are until they are cleaned up.',
    access: 'member',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        invitations: Type.Array(InvitationJson, { description: 'The invitations of this page.' }),
      }),
    },
    run({ engine, user, now, addressWith }, { query }) {
      const page = engine.users.invitations.list(user!, toPageRequest(query), now);
      return { paging: pagingJson(page, addressWith), invitations: page.items.map(invitationJson) };
    },
  }),
  defineRoute({
    id: 'createInvitation',
    method: 'post',
    path: '/invitations',
    summary: 'Create an invitation, sent by mail or returned as a link. Valid for one day by default',
    description:
      'Members may invite unless `registration_mode` of the site is `staff-invite-only` (403); staff always may. With ' +
      '`by_mail`, the default, the link is mailed to `for_email`, which needs a mail server and the site’s own address. ' +
      'At most twenty of your invitations may be open, beyond that 409.',
    access: 'member',
    attempt: 'mail',
    writesCredential: { proof: 'confirmed-login' },
    accepts: {
      body: Closed({
        for_email: Maybe(Type.String({ maxLength: 254, description: 'Required when it is mailed.' })),
        expires_date: Maybe(Instant('When it stops working; one day from now unless given.')),
        by_mail: Maybe(
          Type.Boolean({
            default: true,
            description: 'False: nothing is mailed, and the answer contains the link.',
          }),
        ),
      }),
    },
    errors: {
      not_allowed: ['invitation_required'],
      conflict: ['no_mail', 'no_site_address', 'clock_not_set', 'too_many_entries'],
    },
    replies: {
      status: 201,
      body: Closed({
        invitation: InvitationJson,
        link: Nullable(
          Type.String({
            description:
              'Link of an invitation that is not mailed, shown only here. Begins with `/` when the site’s own address is unknown.',
          }),
        ),
      }),
    },
    run(context, { body: { for_email: forEmail = '', expires_date: end, by_mail: isMailed = true } }) {
      const { engine, user, now } = context;
      const expires = end === undefined ? {} : { expireTimeMs: parseInstant(engine, 'expires_date', end) };
      if (isMailed) {
        const input = { forEmail, ...expires, siteUrl: requireSiteAddress(context) };
        return { invitation: invitationJson(engine.users.invitations.create(user!, input, now)), link: null };
      }
      const input = { forEmail, ...expires, siteUrl: siteAddress(context) ?? '' };
      const { invitation, link } = engine.users.invitations.createLink(user!, input, now);
      return { invitation: invitationJson(invitation), link };
    },
  }),
  defineRoute({
    id: 'getInvitation',
    method: 'get',
    path: '/invitations/{id}',
    summary: 'Get one of your own invitations',
    description: '404 also for an invitation of somebody else and for a used one.',
    access: 'member',
    accepts: { params },
    replies: { status: 200, body: InvitationReply },
    run: ({ engine, user, now }, { params: { id } }) => ({
      invitation: invitationJson(engine.users.invitations.get(user!, id, now)),
    }),
  }),
  defineRoute({
    id: 'deleteInvitation',
    method: 'delete',
    path: '/invitations/{id}',
    summary: 'Delete one of your own invitations. Its link stops working',
    description: 'Cannot be undone: create another one.',
    access: 'member',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run({ engine, user }, { params: { id } }) {
      engine.users.invitations.remove(user!, id);
      return {};
    },
  }),
];

export const invitationJson = (invitation: InvitationView): Static<typeof InvitationJson> => ({
  id: invitation.id,
  for_email: invitation.forEmail,
  invited_date: isoSeconds(invitation.invitedTimeMs),
  expires_date: isoSeconds(invitation.expireTimeMs),
  is_expired: invitation.isExpired,
});
