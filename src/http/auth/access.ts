import type { Site, User } from '../../core/records.ts';
import type { Access } from '../routes/route.ts';

/** Who somebody is to the house. */
export type Role = 'anonymous' | 'tablet' | 'member' | 'staff';

/** What of the house a request is judged by, whoever sent it. */
export type SiteAccess = Pick<Site, 'privacy' | 'isSetUp'>;

/** `come in`, or what is said at the door. */
export type AccessDecision = 'allow' | 'unauthenticated' | 'forbidden' | 'already-set-up';

/** Staff are the staff and the superusers. */
export function userRole(user: User | null): Role {
  if (user === null) return 'anonymous';
  return user.isStaff || user.isSuperuser ? 'staff' : 'member';
}

/**
 * Who may do what, all of it: every other door asks here. Where the request comes from (`loopback`, `same-origin`) is
 * judged beside it, by `admit`. The house is looked at only where it matters.
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
    case 'staff':
      return requireRole('staff', role);
    case 'tablet':
      return role === 'tablet' ? 'allow' : role === 'anonymous' ? 'unauthenticated' : 'forbidden';
    case 'setup':
      return site().isSetUp ? 'already-set-up' : 'allow';
  }
}

/** Whether a route of a face that waits for the set-up is closed until then to those nobody knows. */
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

function requireRole(least: 'member' | 'staff', role: Role): AccessDecision {
  if (role === 'anonymous') return 'unauthenticated';
  // A shared tablet sees what members see, whoever stands before it.
  return least === 'member' || role === 'staff' ? 'allow' : 'forbidden';
}
