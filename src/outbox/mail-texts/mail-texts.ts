import type { Site } from '../../core/records.ts';
import type { EmailTemplateName, EmailTemplates } from '../../engine/engine.ts';
import type { Email } from '../email.ts';

/** A keg for the mail about one of its events; volumes in millilitres. */
export interface MailedKeg {
  readonly id: number;
  /** Beverage and producer. */
  readonly beverage: string;
  readonly producer: string;
  readonly fullMl: number;
  readonly servedMl: number;
  /** Share that is left, percent, at least 0. */
  readonly percentFull: number;
}

type EventText = Pick<Email, 'subject' | 'paragraphs'>;
type KegText = (keg: MailedKeg, site: Site) => EventText;

/** The texts of all mails in one language. */
export interface MailTexts {
  /** Mails that are not about an event. */
  readonly templates: {
    readonly [L in EmailTemplateName]: (values: EmailTemplates[L], site: Site) => Email;
  };
  readonly kegEvents: { readonly [K in 'keg_tapped' | 'keg_ended' | 'keg_volume_low']: KegText };
  /** `drinker` is the display name, if known. */
  readonly sessionStarted: (session: { readonly id: number; readonly drinker: string | null }) => EventText;
  /** Text of the link to keg or session. */
  readonly eventLink: string;
  /** `accountUrl` is where notifications are chosen, if known. */
  readonly eventFooter: (accountUrl: string | null) => string;
}
