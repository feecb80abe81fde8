import { type NotificationsWords, notificationsEnglish } from './notifications-english.ts';
import { notificationsGerman } from './notifications-german.ts';
import { say } from './say.ts';

/** What the pages of mail and webhooks say, in the language of the reader. */
export const words: NotificationsWords = say.locale === 'de' ? notificationsGerman : notificationsEnglish;
