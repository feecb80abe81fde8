/** Email templates with their values. Links are absolute URLs. */
export interface EmailTemplates {
  /** To the user of a new account without a password. */
  readonly activation: { readonly username: string; readonly link: string };
  /** To the user of a new account. */
  readonly welcome: { readonly username: string };
  readonly invitation: { readonly invitedBy: string; readonly link: string };
  readonly password_reset: { readonly username: string; readonly link: string };
  /** To a new address, to verify that the user reads it. */
  readonly confirm_email: { readonly username: string; readonly link: string };
  /** Report of a business day as lines of plain text. */
  readonly report: { readonly title: string; readonly lines: readonly string[] };
  /** A tap's thermo sensor has been too warm for a while, °C. */
  readonly too_warm: { readonly sensor: string; readonly tempC: number; readonly limitC: number };
  readonly controller_silent: { readonly device: string; readonly minutes: number };
  /** A problem of disk, power, counting, backups or valves, in sentences for staff. */
  readonly system_problem: { readonly part: string; readonly problem: string };
  readonly test: { readonly username: string };
}

export type EmailTemplateName = keyof EmailTemplates;
