import type { Site, User } from '../../core/records.ts';
import type { Access } from '../routes/route.ts';

/** What a caller is to the site. */
type Role = 'anonymous' | 'tablet' | 'member' | 'staff' | 'superuser';

/** The site settings that decide on access. */
type SiteAccess = Pick<Site, 'privacy' | 'isSetUp'>;

/** The outcome of an access check: allowed, 401, 403, or 403 because set-up is finished. */
export type AccessDecision = 'allow' | 'unauthenticated' | 'forbidden' | 'already-set-up';

/** Returns the role of a user. */
export function userRole(user: User | null): Role {
  if (user === null) return 'anonymous';
  if (user.isSuperuser) return 'superuser';
  return user.isStaff ? 'staff' : 'member';
}

/**
 * Decides whether a role may use a route. This is the only place for these rules; `authorize` checks where the request
 * comes from (`loopback`, `same-origin`) and the confirmed password. The site is read only where the decision depends on it.
 */
export function decideAccess(access: Access, role: Role, site: () => SiteAccess): AccessDecision {
  switch (access) {
    case 'open':
    case 'same-origin':
    case 'loopback':
      return 'allow';
    case 'viewer':
      return decideViewer(site().privacy, role);
    case 'member':
      return role === 'tablet' ? 'forbidden' : requireRole('member', role);
    case 'viewing-member':
      if (role === 'tablet') return 'forbidden';
      return requireRole(site().privacy === 'staff' ? 'staff' : 'member', role);
    case 'staff':
      return requireRole('staff', role);
    case 'superuser':
    case 'confirmed-superuser':
      return requireRole('superuser', role);
    case 'tablet':
      return role === 'tablet' ? 'allow' : role === 'anonymous' ? 'unauthenticated' : 'forbidden';
    case 'setup':
      return site().isSetUp ? 'already-set-up' : 'allow';
  }
}

/** True for a route that unauthenticated callers cannot use until the site is set up. */
export const requiresSetUp = (access: Access, allowedBeforeSetUp: boolean): boolean =>
  !allowedBeforeSetUp && access !== 'setup' && access !== 'loopback';

function decideViewer(privacy: Site['privacy'], role: Role): AccessDecision {
  switch (privacy) {
    case 'public':
      return 'allow';
    case 'members':
      return requireRole('member', role);
    case 'staff':
      return requireRole('staff', role);
  }
}

/** A shared tablet sees what members see. */
const ranks: Readonly<Record<Role, number>> = { anonymous: 0, tablet: 1, member: 1, staff: 2, superuser: 3 };

function requireRole(least: 'member' | 'staff' | 'superuser', role: Role): AccessDecision {
  if (role === 'anonymous') return 'unauthenticated';
  return ranks[role] >= ranks[least] ? 'allow' : 'forbidden';
}

/** True for staff and superusers. */
export const isStaffRole = (role: Role): boolean => ranks[role] >= ranks.staff;
