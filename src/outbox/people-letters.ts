import type { Site } from '../core/records.ts';
import type { LetterName, Letters } from '../engine/engine.ts';
import type { Letter } from './letter.ts';

type Write = { readonly [L in LetterName]: (values: Letters[L], site: Site) => Letter };

const ignoreIt = 'If you did not ask for it, leave it alone: nothing happens then.';
const staffFooter = 'You are told because you are staff and asked for it in your notification settings.';

/** Every letter that is not about an event of the diary. */
const letters: Write = {
  activation: ({ username, link }, { title }) => ({
    subject: 'Your account waits for you',
    paragraphs: [`Somebody at ${title} has made you the account ${username}. Choose a password and come in.`],
    link: { words: 'Choose your password', href: link },
  }),
  welcome: ({ username }, { title }) => ({
    subject: 'Welcome',
    paragraphs: [
      `You have an account at ${title} now: ${username}. What you pour can be written down to you.`,
    ],
  }),
  invitation: ({ invitedBy, link }, { title }) => ({
    subject: 'You are invited',
    paragraphs: [`${invitedBy} invites you to ${title}.`, ignoreIt],
    link: { words: 'Make an account', href: link },
  }),
  password_reset: ({ username, link }) => ({
    subject: 'A new password',
    paragraphs: [`Somebody, you we hope, wants a new password for the account ${username}.`, ignoreIt],
    link: { words: 'Choose a new password', href: link },
  }),
  confirm_email: ({ username, link }) => ({
    subject: 'Is this your address?',
    paragraphs: [`The account ${username} is to have this address.`, ignoreIt],
    link: { words: 'Yes, it is mine', href: link },
  }),
  report: ({ title, lines }) => ({ subject: title, paragraphs: [title], table: lines }),
  too_warm: ({ sensor, tempC, limitC }, site) => ({
    subject: `Too warm: ${sensor}`,
    paragraphs: [
      `The thermometer ${sensor} shows ${degrees(tempC, site)}, and has been above ${degrees(limitC, site)} for a while.`,
      'Look at the cooler. You are told again only after it was cool.',
    ],
    footer: staffFooter,
  }),
  controller_silent: ({ device, minutes }) => ({
    subject: `No sign of ${device}`,
    paragraphs: [
      `The board ${device} has not been heard of for ${minutes} minutes.`,
      'What it counts meanwhile it tells later, if it has power. Look at its plug and its network.',
    ],
    footer: staffFooter,
  }),
  house_trouble: ({ part, problem }) => ({
    subject: `Trouble in the house: ${part}`,
    paragraphs: [problem],
    footer: staffFooter,
  }),
  test: ({ username }, { title }) => ({
    subject: 'Mail works',
    paragraphs: [`${username} wanted to know whether ${title} can send mail. It can: you are reading one.`],
  }),
};

/** The letter of that name; null when there is none, which a message from a newer program can ask for. */
export function peopleLetter(name: string, values: unknown, site: Site): Letter | null {
  if (!Object.hasOwn(letters, name)) return null;
  const write = letters[name as LetterName] as (values: unknown, site: Site) => Letter;
  return write(values, site);
}

function degrees(tempC: number, { temperatureUnits }: Site): string {
  return temperatureUnits === 'f' ? `${((tempC * 9) / 5 + 32).toFixed(1)} °F` : `${tempC.toFixed(1)} °C`;
}
