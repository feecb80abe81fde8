import type { Site, User } from '../../core/records.ts';
import type { Access } from '../routes/route.ts';

/** Who somebody is to the house. */
export type Standing = 'nobody' | 'tablet' | 'member' | 'staff';

/** What of the house a request is judged by, whoever sent it. */
export type HouseDoor = Pick<Site, 'privacy' | 'isSetUp'>;

/** `come in`, or what is said at the door. */
export type Verdict = 'come in' | 'who is there' | 'not you' | 'set up already';

/** Staff are the staff and the superusers. */
export function standingOf(user: User | null): Standing {
  if (user === null) return 'nobody';
  return user.isStaff || user.isSuperuser ? 'staff' : 'member';
}

/**
 * Who may do what, all of it: every other door asks here. Where the request comes from (`loopback`, `same-origin`) is
 * judged beside it, by `admit`. The house is looked at only where it matters.
 */
export function verdict(access: Access, standing: Standing, door: () => HouseDoor): Verdict {
  switch (access) {
    case 'open':
    case 'same-origin':
    case 'loopback':
      return 'come in';
    case 'viewer':
      return viewerVerdict(door().privacy, standing);
    case 'member':
      return standing === 'tablet' ? 'not you' : mustBe('member', standing);
    case 'staff':
      return mustBe('staff', standing);
    case 'tablet':
      return standing === 'tablet' ? 'come in' : standing === 'nobody' ? 'who is there' : 'not you';
    case 'setup':
      return door().isSetUp ? 'set up already' : 'come in';
  }
}

/** Whether a route of a face that waits for the set-up is closed until then to those nobody knows. */
export const waitsForSetUp = (access: Access, opensBeforeSetUp: boolean): boolean =>
  !opensBeforeSetUp && access !== 'setup' && access !== 'loopback';

function viewerVerdict(privacy: Site['privacy'], standing: Standing): Verdict {
  switch (privacy) {
    case 'public':
      return 'come in';
    case 'members':
      return mustBe('member', standing);
    case 'staff':
      return mustBe('staff', standing);
  }
}

function mustBe(least: 'member' | 'staff', standing: Standing): Verdict {
  if (standing === 'nobody') return 'who is there';
  // A shared tablet sees what members see, whoever stands before it.
  return least === 'member' || standing === 'staff' ? 'come in' : 'not you';
}
