import type { Site, User } from '../../core/records.ts';
import type { Access } from '../routes/route.ts';

/** What a caller is to the site. */
type Role = 'anonymous' | 'tablet' | 'member' | 'staff';

/** The site settings that decide on access. */
type SiteAccess = Pick<Site, 'privacy' | 'isSetUp'>;

/** The outcome of an access check: allowed, 401, 403, or 403 because set-up is finished. */
export type AccessDecision = 'allow' | 'unauthenticated' | 'forbidden' | 'already-set-up';

/** Returns the role of a user. Superusers count as staff. */
export function userRole(user: User | null): Role {
  if (user === null) return 'anonymous';
  return user.isStaff || user.isSuperuser ? 'staff' : 'member';
}

/**
 * Decides whether a role may use a route. This is the only place for these rules; `authorize` checks where the request
 * comes from (`loopback`, `same-origin`). The site is read only where the decision depends on it.
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

function requireRole(least: 'member' | 'staff', role: Role): AccessDecision {
  if (role === 'anonymous') return 'unauthenticated';
  // A shared tablet sees what members see.
  return least === 'member' || role === 'staff' ? 'allow' : 'forbidden';
}
