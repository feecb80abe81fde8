import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Site, User } from '../../core/records.ts';
import { newestRows } from '../../store/shared/slice.ts';
import type { Store } from '../../store/store.ts';
import type { MailedSecret } from '../../store/users/mailed-secrets-table.ts';
import { requireFound, validationError } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { parseMailAddress, queueMail } from '../shared/queue-mail.ts';
import { createSecret, registerLink, requireMailServer, toAgeMs } from './mailed-secrets.ts';

/** An invitation as shown to its sender; the code is only in the mail or the link. */
export interface InvitationView {
  readonly id: number;
  /** Empty for an invitation handed over as a link. */
  readonly forEmail: string;
  readonly invitedTimeMs: number;
  readonly expireTimeMs: number;
  readonly isExpired: boolean;
}

interface NewInvitation {
  readonly forEmail: string;
  readonly expireTimeMs?: number;
  /** Base URL of this site. */
  readonly siteUrl: string;
}

const hourMs = 3_600_000;

/** Default validity of an invitation, milliseconds. */
const invitationLifeMs = 24 * hourMs;
const maxLifeMs = 365 * 24 * hourMs;

/** Most open invitations per user. */
const maxOpenInvitations = 20;
/** Most invitations stored per user, including used and expired ones. */
const maxStored = 100;

/** Whether the user may invite others under the current settings. */
export function mayInvite({ registrationMode }: Site, user: User | null): boolean {
  if (!user?.isActive) return false;
  return registrationMode !== 'staff-invite-only' || user.isStaff || user.isSuperuser;
}

/** A user's own invitations. Those of others are `not_found`. */
export function createInvitations(parts: EngineParts) {
  const { store } = parts;
  return {
    /** Whether the site lets the user invite others. */
    mayInvite: (user: User | null): boolean => mayInvite(store.site.read(), user),

    list: (user: User, page: PageRequest, now: Moment): Page<InvitationView> =>
      readPage(page, store.users.mailedSecrets.count(user.id, 'invitation'), (slice) =>
        store.users.mailedSecrets
          .page(user.id, 'invitation', slice)
          .map((invitation) => toView(invitation, now)),
      ),

    get: (user: User, id: number, now: Moment): InvitationView => toView(requireOwn(store, user, id), now),

    /**
     * Mails an invitation, valid for a day or until `expireTimeMs`. Throws `not_allowed` when the site does not
     * let the user invite; `conflict` when no mail server is set, when twenty are open, or when an end is given
     * while the clock is not set; `invalid_request`.
     */
    create: (user: User, input: NewInvitation, now: Moment): InvitationView =>
      change(parts, () => {
        requireMayInvite(store, user);
        requireMailServer(store);
        const email = parseMailAddress('for_email', input.forEmail);
        const { invitation, link } = createInvitation(store, user, { ...input, email }, now);
        const values = { invitedBy: user.displayName, link };
        const language = user.notificationLanguage;
        queueMail(store, { to: email, template: 'invitation', values, language, sender: user.id }, now);
        return invitation;
      }),

    /** Creates an invitation without a mail: its link is returned only here. `forEmail` may be empty. */
    createLink: (
      user: User,
      input: NewInvitation,
      now: Moment,
    ): { readonly invitation: InvitationView; readonly link: string } =>
      change(parts, () => {
        requireMayInvite(store, user);
        const email = input.forEmail === '' ? '' : parseMailAddress('for_email', input.forEmail);
        return createInvitation(store, user, { ...input, email }, now);
      }),

    /** Revokes an invitation. */
    remove: (user: User, id: number): void =>
      change(parts, () => store.users.mailedSecrets.remove(requireOwn(store, user, id).id), 'removal'),
  };
}

function requireMayInvite(store: Store, user: User): void {
  if (mayInvite(store.site.read(), user)) return;
  throw new AppError('not_allowed', 'Only staff may invite people here. Ask them.', {
    reason: { name: 'invitation_required' },
  });
}

function createInvitation(
  store: Store,
  user: User,
  { email, expireTimeMs, siteUrl }: Omit<NewInvitation, 'forEmail'> & { readonly email: string },
  now: Moment,
) {
  const lifeMs = toLifeMs(expireTimeMs, now);
  const open = store.users.mailedSecrets
    .page(user.id, 'invitation', newestRows(maxStored))
    .filter((invitation) => !toView(invitation, now).isExpired);
  if (open.length >= maxOpenInvitations) {
    throw new AppError(
      'conflict',
      `You have ${open.length} open invitations: wait until some are used, or revoke some.`,
      { reason: { name: 'too_many_entries', what: 'invitations', most: maxOpenInvitations } },
    );
  }
  const { id, secret } = createSecret(
    store,
    { purpose: 'invitation', userId: user.id, email, lifeMs, keep: maxStored },
    now,
  );
  return {
    invitation: toView(store.users.mailedSecrets.byId(id)!, now),
    link: registerLink(siteUrl, secret),
  };
}

function requireOwn(store: Store, user: User, id: number): MailedSecret {
  const secret = store.users.mailedSecrets.byId(id);
  const isOwn = secret?.purpose === 'invitation' && secret.userId === user.id;
  return requireFound(isOwn ? secret : null, 'such invitation of yours');
}

function toLifeMs(expireTimeMs: number | undefined, now: Moment): number {
  if (expireTimeMs === undefined) return invitationLifeMs;
  if (!now.synced) {
    throw new AppError(
      'conflict',
      'The clock is not set: leave out the end of the invitation, and it is valid for a day.',
      { reason: { name: 'clock_not_set' } },
    );
  }
  const lifeMs = Math.round(expireTimeMs - now.wallMs);
  if (lifeMs > 0 && lifeMs <= maxLifeMs) return lifeMs;
  throw validationError('expires_date', 'must be in the future, by a year at most');
}

function toView(invitation: MailedSecret, now: Moment): InvitationView {
  const lifeMs = invitation.lifeMs ?? invitationLifeMs;
  const ageMs = toAgeMs(invitation, now);
  // A time from an unset clock is corrected in the view as soon as it can be computed.
  const invitedTimeMs =
    invitation.provisional !== null && ageMs !== null
      ? Math.max(0, Math.round(now.wallMs - ageMs))
      : invitation.createdTimeMs;
  return {
    id: invitation.id,
    forEmail: invitation.email,
    invitedTimeMs,
    expireTimeMs: invitedTimeMs + lifeMs,
    isExpired: ageMs !== null && ageMs >= lifeMs,
  };
}
