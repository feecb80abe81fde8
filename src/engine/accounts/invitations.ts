import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/moment.ts';
import type { Site, User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { MailedSecret } from '../../store/tables/mailed-secrets-table.ts';
import { readPage, requireFound, validationError } from '../bounds.ts';
import { parseMailAddress, queueMail } from '../outbox/queue-mail.ts';
import { change, type EngineParts } from '../parts.ts';
import type { Page, PageRequest } from '../views.ts';
import { createSecret, toAgeMs } from './mailed-secrets.ts';
import { registerLink, requireMailServer } from './page-links.ts';

/** An invitation as its writer sees it; its code stands in the mail or the link only. */
export interface InvitationView {
  readonly id: number;
  /** Empty for one that was handed over as a link to nobody named. */
  readonly forEmail: string;
  readonly invitedTimeMs: number;
  readonly expireTimeMs: number;
  readonly isExpired: boolean;
}

export interface NewInvitation {
  readonly forEmail: string;
  readonly expireTimeMs?: number;
  /** What every address of this house begins with. */
  readonly siteUrl: string;
}

/** One’s own invitations. Those of others are not there: `not_found`. */
export interface Invitations {
  /** Whether the house lets somebody invite others. */
  mayInvite(user: User | null): boolean;
  list(user: User, page: PageRequest, now: Moment): Page<InvitationView>;
  get(user: User, id: number, now: Moment): InvitationView;
  /**
   * Mails an invitation, good for a day or until `expireTimeMs`. Throws `not_allowed` when the house does not let that
   * person invite; `conflict` when no mail leaves, when twenty are open, or when an end is asked for while the clock is
   * not set; `invalid_request`.
   */
  create(user: User, input: NewInvitation, now: Moment): InvitationView;
  /** The same without a mail: its link is shown here and never again. Whom it is for may be left empty. */
  createLink(
    user: User,
    input: NewInvitation,
    now: Moment,
  ): { readonly invitation: InvitationView; readonly link: string };
  /** Takes an invitation back. */
  remove(user: User, id: number): void;
}

const hourMs = 3_600_000;

/** How long an invitation is good when nobody says, milliseconds. */
export const invitationLifeMs = 24 * hourMs;
const maxLifeMs = 365 * 24 * hourMs;

/** What one person may have in letter boxes at once. */
export const maxOpenInvitations = 20;
/** What is kept of theirs for the list, over and done ones included. */
const maxStored = 100;

/** Whether that person may invite others as things are. */
export function mayInvite({ registrationMode }: Site, user: User | null): boolean {
  if (!user?.isActive) return false;
  return registrationMode !== 'staff-invite-only' || user.isStaff || user.isSuperuser;
}

export function createInvitations(parts: EngineParts): Invitations {
  const { store } = parts;
  return {
    mayInvite: (user) => mayInvite(store.site.read(), user),

    list: (user, page, now) =>
      readPage(page, store.mailedSecrets.count(user.id, 'invitation'), (from, limit) =>
        store.mailedSecrets
          .page(user.id, 'invitation', from, limit)
          .map((invitation) => toView(invitation, now)),
      ),

    get: (user, id, now) => toView(requireOwn(store, user, id), now),

    create: (user, input, now) =>
      change(parts, () => {
        requireMayInvite(store, user);
        requireMailServer(store);
        const email = parseMailAddress('for_email', input.forEmail);
        const { invitation, link } = createInvitation(store, user, { ...input, email }, now);
        const values = { invitedBy: user.displayName, link };
        queueMail(store, { to: email, template: 'invitation', values }, now);
        return invitation;
      }),

    createLink: (user, input, now) =>
      change(parts, () => {
        requireMayInvite(store, user);
        const email = input.forEmail === '' ? '' : parseMailAddress('for_email', input.forEmail);
        return createInvitation(store, user, { ...input, email }, now);
      }),

    remove: (user, id) => change(parts, () => store.mailedSecrets.remove(requireOwn(store, user, id).id)),
  };
}

function requireMayInvite(store: Store, user: User): void {
  if (mayInvite(store.site.read(), user)) return;
  throw new AppError('not_allowed', 'In this house the staff invite new people. Ask them.', {
    reason: { name: 'invited_only' },
  });
}

function createInvitation(
  store: Store,
  user: User,
  { email, expireTimeMs, siteUrl }: Omit<NewInvitation, 'forEmail'> & { readonly email: string },
  now: Moment,
) {
  const lifeMs = toLifeMs(expireTimeMs, now);
  const open = store.mailedSecrets
    .page(user.id, 'invitation', Number.MAX_SAFE_INTEGER, maxStored)
    .filter((invitation) => !toView(invitation, now).isExpired);
  if (open.length >= maxOpenInvitations) {
    throw new AppError(
      'conflict',
      `You have ${open.length} open invitations: wait until some are used, or take some back.`,
    );
  }
  const { id, secret } = createSecret(
    store,
    { purpose: 'invitation', userId: user.id, email, lifeMs, keep: maxStored },
    now,
  );
  return { invitation: toView(store.mailedSecrets.byId(id)!, now), link: registerLink(siteUrl, secret) };
}

function requireOwn(store: Store, user: User, id: number): MailedSecret {
  const secret = store.mailedSecrets.byId(id);
  const isOwn = secret?.purpose === 'invitation' && secret.userId === user.id;
  return requireFound(isOwn ? secret : null, 'such invitation of yours');
}

function toLifeMs(expireTimeMs: number | undefined, now: Moment): number {
  if (expireTimeMs === undefined) return invitationLifeMs;
  if (!now.synced) {
    throw new AppError(
      'conflict',
      'This house does not know what time it is: leave out when the invitation ends, and it is good for a day.',
      { reason: { name: 'clock_unknown' } },
    );
  }
  const lifeMs = Math.round(expireTimeMs - now.wallMs);
  if (lifeMs > 0 && lifeMs <= maxLifeMs) return lifeMs;
  throw validationError('expires_date', 'must lie ahead, by a year at most');
}

function toView(invitation: MailedSecret, now: Moment): InvitationView {
  const lifeMs = invitation.lifeMs ?? invitationLifeMs;
  const ageMs = toAgeMs(invitation, now);
  // What an unset clock said is put right in what is shown as soon as it can be reckoned.
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
