import { type NotificationsWords, notificationsEnglish } from './notifications-english.ts';
import { notificationsGerman } from './notifications-german.ts';
import { say } from './say.ts';

/** Texts of the mail and webhooks pages in the user's language. */
export const words: NotificationsWords = say.locale === 'de' ? notificationsGerman : notificationsEnglish;
