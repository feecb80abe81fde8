/** When secrets and the actions of staff need HTTPS. */
export const httpsRequirements = ['auto', 'on', 'off'] as const;

export type HttpsRequirement = (typeof httpsRequirements)[number];

/** Describes the setting, for the configuration file and for the page. */
export const httpsRequirementText =
  'Whether browsers on other machines must use HTTPS to log in, to enter passwords and PINs, to set up, to create keys and for what staff ' +
  'change: `on`, `off`, or `auto`, which is on once staff have logged in over HTTPS and while HTTPS is served. Reading, ' +
  'requests with an API key and kegboards never need it.';

/**
 * True if HTTPS is required. `auto` does not lock anybody out: staff have shown that a browser of theirs reaches HTTPS, and it is
 * off while no certificate or port is available.
 */
export function isHttpsRequired({
  requirement,
  isServed,
  isUsedByStaff,
}: {
  readonly requirement: HttpsRequirement;
  /** True while this machine serves HTTPS. */
  readonly isServed: boolean;
  /** True once staff have logged in over it. */
  readonly isUsedByStaff: boolean;
}): boolean {
  if (requirement !== 'auto') return requirement === 'on';
  return isServed && isUsedByStaff;
}
