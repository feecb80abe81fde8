/** Sums of a business day, of one of its taps or kegs, in a mail. */
export interface MailedAmounts {
  readonly drinks: number;
  readonly pouredMl: number;
  readonly spills: number;
  readonly spilledMl: number;
  readonly held: number;
  readonly heldMl: number;
  /** Revenue in the smallest unit of the currency; null without a price. */
  readonly revenueMinor: number | null;
  /** Drinks without a price at their time, which are in `drinks` too. */
  readonly unpriced: number;
  readonly unpricedMl: number;
}

/** A business day in a mail. */
export interface MailedReport extends MailedAmounts {
  /** Year, month and day, such as 2026-05-02. */
  readonly date: string;
  readonly currency: string;
  /** Null stands for no tap or a deleted one. */
  readonly taps: readonly (MailedAmounts & { readonly name: string | null })[];
  readonly kegs: readonly (MailedAmounts & {
    readonly kegId: number | null;
    readonly beverage: string | null;
  })[];
}

/** Email templates with their values; messages about alarms have none. Links are absolute URLs. */
export interface EmailTemplates {
  /** To the user of a new account without a password. */
  readonly activation: { readonly username: string; readonly link: string };
  /** To the user of a new account. */
  readonly welcome: { readonly username: string };
  readonly invitation: { readonly invitedBy: string; readonly link: string };
  readonly password_reset: { readonly username: string; readonly link: string };
  /** To a new address, to verify that the user reads it. */
  readonly confirm_email: { readonly username: string; readonly link: string };
  readonly report: MailedReport;
  readonly test: { readonly username: string };
}

export type EmailTemplateName = keyof EmailTemplates;

/** A mail of an extension; the type tells its values. Its texts are in `mails` of the extension. */
export interface OwnMail<Values extends object> {
  /** The name of the template, unlike those of the base and of other extensions. */
  readonly template: string;
  /** Never set: it only carries the type. */
  readonly values?: Values;
}
