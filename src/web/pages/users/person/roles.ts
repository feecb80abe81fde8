import type { User } from '../../../api/generated.ts';

/** The roles, the lowest first. */
export const roles = ['member', 'staff', 'superuser'] as const;
export type Role = (typeof roles)[number];

/** The highest role of a person. */
export function roleOf({ is_staff: isStaff, is_superuser: isSuperuser }: User): Role {
  if (isSuperuser) return 'superuser';
  return isStaff ? 'staff' : 'member';
}
