/** English texts of the user's own account, invitations and the bug report. */
export const accountEnglish = {
  passwordPending: 'Has not chosen a password yet, so cannot log in.',
  sendFirstLink: 'Mail the link for a first password',
  firstPassword: 'First password; left empty, its owner chooses it by a link in a mail to that address',
  addedWithLink: (who: string) =>
    `${who} has an account now. A mail with a link to choose a password is on its way.`,
  addedWithoutLink: (who: string) =>
    `${who} has an account now, but no link was mailed. Set the mail server and the address of this page under “Mail”, then mail the link by the “•••” of ${who}; or set a password there.`,
  addedWithoutLogIn: (who: string) =>
    `${who} has an account now, without a log-in: ${who} pours by token. Set a password here for more.`,
  lastSeen: (time: string) => `Last here about ${time}.`,
  noLogins: 'Is logged in nowhere.',

  picture: 'Picture',
  yourPicture: 'Your picture',
  noPicture: 'None yet. It stands beside what you drink.',
  choosePicture: 'Choose a picture',
  removePicture: 'Take it down',
  pictureSet: 'Your picture is up.',
  pictureRemoved: 'Your picture is taken down.',

  email: 'E-mail',
  emailIs: (address: string) => `Mails for you go to ${address}.`,
  noEmail: 'No address yet, so no mail reaches you.',
  newEmail: 'New address',
  changeEmail: 'Send me a link',
  emailAsked: (address: string) =>
    `A mail with a link is on its way to ${address}. The address is taken when you follow it within a day.`,
  noMail: 'This house sends no mail yet. The staff can set an address for you.',
  linkSent: 'The mail is on its way.',

  logins: 'Where you are logged in',
  thisLogin: 'here',
  someBrowser: 'A browser',
  on: (browser: string, system: string) => `${browser} on ${system}`,
  loggedIn: (time: string) => `since ${time}`,
  lastUsed: (time: string) => `last used about ${time}`,
  endLogin: 'Log out there',
  endLoginOf: (browser: string) => `Log out there: ${browser}`,
  ended: 'Logged out there.',

  invitations: 'Invitations',
  invitationsWhy: 'Who opens the link of an invitation makes an account. It is good for a day, once.',
  forEmail: 'For whom: e-mail address',
  forEmailMaybe: 'For whom: e-mail address; may be left empty',
  byMail: 'Send it by mail',
  invite: 'Invite',
  createLink: 'Make a link to hand over',
  invited: 'The invitation is on its way.',
  linkCreated: 'The link is made.',
  linkShownOnce: 'This is the link. Hand it over now: it is never shown again.',
  noInvitations: 'No invitation is open.',
  somebody: 'Whoever has the link',
  openUntil: (time: string) => `open until ${time}`,
  expired: 'has run out',
  withdraw: 'Take it back',
  withdrawOf: (who: string) => `Take it back: invitation for ${who}`,
  withdrawn: 'The invitation opens nothing any more.',
  dismissSecret: 'I have it',

  bugReport: 'Bug report',
  bugReportWhy:
    'All there is to know about this house for whoever mends the program. No names, keys, tokens and addresses are in it; read it before you send it.',
  makeReport: 'Make a bug report',
  downloadReport: 'Download',
  licences: 'Licences',
};

/** Every translation has the same keys. */
export type AccountWords = typeof accountEnglish;
