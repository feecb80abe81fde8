import type { OwnMail } from '../../../../engine/shared/email-templates.ts';
import type { Verdict } from '../../core/balance/verdict.ts';

/** Poured against sold of a month. */
export interface MailedMonth {
  /** Year and month, such as 2026-05. */
  readonly month: string;
  readonly kind: Exclude<Verdict['kind'], 'not_compared'>;
  readonly volumeMl: number;
  readonly uncertaintyMl: number;
  /** In the smallest unit of the currency; null without prices. */
  readonly valueMinor: number | null;
  readonly valueUncertaintyMinor: number | null;
  readonly currency: string;
  /** The beverage with most of the difference; null where none is known. */
  readonly beverage: string | null;
  /** Number of things to check on the page. */
  readonly findings: number;
}

export const monthMail: OwnMail<MailedMonth> = { template: 'month_balance' };
