import type { OwnMail } from '../../engine/engine.ts';
import type { Email, MailContext } from './email.ts';

/** What a mail says, in the language of its reader. */
export type MailContent = Omit<Email, 'language'>;

/** A mail of an extension. It is sent also when the extension was switched off since. */
export interface ExtensionMail {
  readonly template: string;
  /** Loads what writes it; called when one is sent. */
  load(): Promise<(values: unknown, context: MailContext) => MailContent>;
}

/** Declares how a mail of an extension is written. */
export const defineMail = <Values extends object>(
  { template }: OwnMail<Values>,
  load: () => Promise<(values: Values, context: MailContext) => MailContent>,
): ExtensionMail => ({ template, load: load as ExtensionMail['load'] });
