/** Languages of the mails that the daemon sends, as IETF tags. */
export const mailLanguages = ['en', 'de'] as const;

export type MailLanguage = (typeof mailLanguages)[number];

/** For users who have chosen none, for addresses without an account, and for stored languages that no program knows. */
export const defaultMailLanguage: MailLanguage = 'en';

/** The language of a stored value, which a newer program may have written. */
export const toMailLanguage = (stored: string | null): MailLanguage =>
  mailLanguages.find((language) => language === stored) ?? defaultMailLanguage;
