/** The mails this house writes, each with what it must be told. Links are whole addresses. */
export interface EmailTemplates {
  /** To somebody whose account waits for a first password. */
  readonly activation: { readonly username: string; readonly link: string };
  /** To somebody who has an account from now on. */
  readonly welcome: { readonly username: string };
  readonly invitation: { readonly invitedBy: string; readonly link: string };
  readonly password_reset: { readonly username: string; readonly link: string };
  /** To a new address, to see whether it is read by the one who gave it. */
  readonly confirm_email: { readonly username: string; readonly link: string };
  /** A business day in lines of plain text. */
  readonly report: { readonly title: string; readonly lines: readonly string[] };
  /** A thermometer of a tap has been too warm for a while, °C. */
  readonly too_warm: { readonly sensor: string; readonly tempC: number; readonly limitC: number };
  readonly controller_silent: { readonly device: string; readonly minutes: number };
  /** Disk, power, counting or a backup: in sentences for the person who keeps the bar. */
  readonly house_trouble: { readonly part: string; readonly problem: string };
  readonly test: { readonly username: string };
}

export type EmailTemplateName = keyof EmailTemplates;
