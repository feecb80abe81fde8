import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/moment.ts';
import type { Site, User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { MailedSecret } from '../../store/tables/mailed-secrets-table.ts';
import { readPage, requireFound, validationError } from '../bounds.ts';
import { mailAddressIn, queueMail } from '../outbox/queue-mail.ts';
import { change, type EngineParts } from '../parts.ts';
import type { Page, PageRequest } from '../views.ts';
import { ageOf, mintSecret } from './mailed-secrets.ts';
import { mustSendMail, registerLink } from './page-links.ts';

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
  readonly houseAddress: string;
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
  create(user: User, wanted: NewInvitation, now: Moment): InvitationView;
  /** The same without a mail: its link is shown here and never again. Whom it is for may be left empty. */
  createLink(
    user: User,
    wanted: NewInvitation,
    now: Moment,
  ): { readonly invitation: InvitationView; readonly link: string };
  /** Takes an invitation back. */
  remove(user: User, id: number): void;
}

const hourMs = 3_600_000;

/** How long an invitation is good when nobody says, milliseconds. */
export const invitationLifeMs = 24 * hourMs;
const longestLifeMs = 365 * 24 * hourMs;

/** What one person may have in letter boxes at once. */
export const mostOpenInvitations = 20;
/** What is kept of theirs for the list, over and done ones included. */
const mostKept = 100;

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
          .map((invitation) => view(invitation, now)),
      ),

    get: (user, id, now) => view(own(store, user, id), now),

    create: (user, wanted, now) =>
      change(parts, () => {
        mustBeLetInvite(store, user);
        mustSendMail(store);
        const email = mailAddressIn('for_email', wanted.forEmail);
        const { invitation, link } = mint(store, user, { ...wanted, email }, now);
        const values = { invitedBy: user.displayName, link };
        queueMail(store, { to: email, template: 'invitation', values }, now);
        return invitation;
      }),

    createLink: (user, wanted, now) =>
      change(parts, () => {
        mustBeLetInvite(store, user);
        const email = wanted.forEmail === '' ? '' : mailAddressIn('for_email', wanted.forEmail);
        return mint(store, user, { ...wanted, email }, now);
      }),

    remove: (user, id) => change(parts, () => store.mailedSecrets.remove(own(store, user, id).id)),
  };
}

function mustBeLetInvite(store: Store, user: User): void {
  if (mayInvite(store.site.read(), user)) return;
  throw new AppError('not_allowed', 'In this house the staff invite new people. Ask them.', {
    reason: { name: 'invited_only' },
  });
}

function mint(
  store: Store,
  user: User,
  { email, expireTimeMs, houseAddress }: Omit<NewInvitation, 'forEmail'> & { readonly email: string },
  now: Moment,
) {
  const lifeMs = lifeOf(expireTimeMs, now);
  const open = store.mailedSecrets
    .page(user.id, 'invitation', Number.MAX_SAFE_INTEGER, mostKept)
    .filter((invitation) => !view(invitation, now).isExpired);
  if (open.length >= mostOpenInvitations) {
    throw new AppError(
      'conflict',
      `You have ${open.length} open invitations: wait until some are used, or take some back.`,
    );
  }
  const { id, secret } = mintSecret(
    store,
    { purpose: 'invitation', userId: user.id, email, lifeMs, keep: mostKept },
    now,
  );
  return { invitation: view(store.mailedSecrets.byId(id)!, now), link: registerLink(houseAddress, secret) };
}

function own(store: Store, user: User, id: number): MailedSecret {
  const secret = store.mailedSecrets.byId(id);
  const isOwn = secret?.purpose === 'invitation' && secret.userId === user.id;
  return requireFound(isOwn ? secret : null, 'such invitation of yours');
}

function lifeOf(expireTimeMs: number | undefined, now: Moment): number {
  if (expireTimeMs === undefined) return invitationLifeMs;
  if (!now.synced) {
    throw new AppError(
      'conflict',
      'This house does not know what time it is: leave out when the invitation ends, and it is good for a day.',
      { reason: { name: 'clock_unknown' } },
    );
  }
  const lifeMs = Math.round(expireTimeMs - now.wallMs);
  if (lifeMs > 0 && lifeMs <= longestLifeMs) return lifeMs;
  throw validationError('expires_date', 'must lie ahead, by a year at most');
}

function view(invitation: MailedSecret, now: Moment): InvitationView {
  const lifeMs = invitation.lifeMs ?? invitationLifeMs;
  const ageMs = ageOf(invitation, now);
  // What an unset clock said is put right in what is shown as soon as it can be reckoned.
  const invitedTimeMs =
    invitation.unset !== null && ageMs !== null
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
