import type { AccountWords } from './account-english.ts';

/** German texts of the user's own account, invitations and the bug report. */
export const accountGerman: AccountWords = {
  passwordPending: 'Hat noch kein Passwort gewählt und kann sich nicht anmelden.',
  sendFirstLink: 'Link fürs erste Passwort mailen',
  firstPassword:
    'Erstes Passwort; bleibt es leer, wird es über einen Link in einer Mail an diese Adresse gewählt',
  addedWithLink: (who) =>
    `${who} hat nun ein Konto. Eine Mail mit dem Link fürs erste Passwort ist unterwegs.`,
  addedWithoutLink: (who) =>
    `${who} hat nun ein Konto, aber es ging kein Link hinaus. Unter „E-Mail“ den Mailserver und die Adresse dieser Seite eintragen, dann den Link über „•••“ bei ${who} mailen; oder dort ein Passwort setzen.`,
  addedWithoutLogIn: (who) =>
    `${who} hat nun ein Konto ohne Anmeldung: ${who} zapft mit Token. Für mehr hier ein Passwort setzen.`,
  lastSeen: (time) => `Zuletzt hier etwa ${time}.`,
  noLogins: 'Ist nirgends angemeldet.',

  picture: 'Bild',
  yourPicture: 'Dein Bild',
  noPicture: 'Noch keines. Es steht bei dem, was du trinkst.',
  choosePicture: 'Ein Bild wählen',
  removePicture: 'Abnehmen',
  pictureSet: 'Dein Bild hängt.',
  pictureRemoved: 'Dein Bild ist abgenommen.',

  email: 'E-Mail',
  emailIs: (address) => `Mails für dich gehen an ${address}.`,
  noEmail: 'Noch keine Adresse, also erreicht dich keine Mail.',
  newEmail: 'Neue Adresse',
  changeEmail: 'Schick mir einen Link',
  emailAsked: (address) =>
    `Eine Mail mit einem Link ist unterwegs an ${address}. Die Adresse gilt, wenn du ihm binnen eines Tages folgst.`,
  noMail: 'Dieses Haus sendet noch keine Mail. Das Personal kann eine Adresse für dich eintragen.',
  linkSent: 'Die Mail ist unterwegs.',

  logins: 'Wo du angemeldet bist',
  thisLogin: 'hier',
  someBrowser: 'Ein Browser',
  on: (browser, system) => `${browser} unter ${system}`,
  loggedIn: (time) => `seit ${time}`,
  lastUsed: (time) => `zuletzt benutzt etwa ${time}`,
  endLogin: 'Dort abmelden',
  endLoginOf: (browser) => `Dort abmelden: ${browser}`,
  ended: 'Dort abgemeldet.',

  invitations: 'Einladungen',
  invitationsWhy:
    'Wer den Link einer Einladung öffnet, macht sich ein Konto. Sie gilt einen Tag lang, einmal.',
  forEmail: 'Für wen: Mailadresse',
  forEmailMaybe: 'Für wen: Mailadresse; darf leer bleiben',
  byMail: 'Per Mail senden',
  invite: 'Einladen',
  createLink: 'Einen Link zum Weitergeben machen',
  invited: 'Die Einladung ist unterwegs.',
  linkCreated: 'Der Link ist gemacht.',
  linkShownOnce: 'Das ist der Link. Gib ihn jetzt weiter: er wird nie wieder gezeigt.',
  noInvitations: 'Keine Einladung ist offen.',
  somebody: 'Wer den Link hat',
  openUntil: (time) => `offen bis ${time}`,
  expired: 'abgelaufen',
  withdraw: 'Zurücknehmen',
  withdrawOf: (who) => `Zurücknehmen: Einladung für ${who}`,
  withdrawn: 'Die Einladung öffnet nichts mehr.',
  dismissSecret: 'Notiert',

  bugReport: 'Fehlerbericht',
  bugReportWhy:
    'Alles, was über dieses Haus wissen muss, wer das Programm in Ordnung bringt. Namen, Schlüssel, Token und Adressen stehen nicht darin; lies ihn, bevor du ihn sendest.',
  makeReport: 'Fehlerbericht machen',
  downloadReport: 'Herunterladen',
  licences: 'Lizenzen',
};
