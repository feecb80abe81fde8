import type { Site } from '../core/records.ts';
import type { EmailTemplateName, EmailTemplates } from '../engine/engine.ts';
import type { Email } from './email.ts';

type Templates = { readonly [L in EmailTemplateName]: (values: EmailTemplates[L], site: Site) => Email };

const ignoreNote = 'If you did not ask for it, leave it alone: nothing happens then.';
const staffFooter = 'You are told because you are staff and asked for it in your notification settings.';

/** Every letter that is not about an event of the diary. */
const templates: Templates = {
  activation: ({ username, link }, { title }) => ({
    subject: 'Your account waits for you',
    paragraphs: [`Somebody at ${title} has made you the account ${username}. Choose a password and come in.`],
    link: { text: 'Choose your password', href: link },
  }),
  welcome: ({ username }, { title }) => ({
    subject: 'Welcome',
    paragraphs: [
      `You have an account at ${title} now: ${username}. What you pour can be written down to you.`,
    ],
  }),
  invitation: ({ invitedBy, link }, { title }) => ({
    subject: 'You are invited',
    paragraphs: [`${invitedBy} invites you to ${title}.`, ignoreNote],
    link: { text: 'Make an account', href: link },
  }),
  password_reset: ({ username, link }) => ({
    subject: 'A new password',
    paragraphs: [`Somebody, you we hope, wants a new password for the account ${username}.`, ignoreNote],
    link: { text: 'Choose a new password', href: link },
  }),
  confirm_email: ({ username, link }) => ({
    subject: 'Is this your address?',
    paragraphs: [`The account ${username} is to have this address.`, ignoreNote],
    link: { text: 'Yes, it is mine', href: link },
  }),
  report: ({ title, lines }) => ({ subject: title, paragraphs: [title], table: lines }),
  too_warm: ({ sensor, tempC, limitC }, site) => ({
    subject: `Too warm: ${sensor}`,
    paragraphs: [
      `The thermometer ${sensor} shows ${formatTemperature(tempC, site)}, and has been above ${formatTemperature(limitC, site)} for a while.`,
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
export function renderEmailTemplate(name: string, values: unknown, site: Site): Email | null {
  if (!Object.hasOwn(templates, name)) return null;
  const render = templates[name as EmailTemplateName] as (values: unknown, site: Site) => Email;
  return render(values, site);
}

function formatTemperature(tempC: number, { temperatureUnits }: Site): string {
  return temperatureUnits === 'f' ? `${((tempC * 9) / 5 + 32).toFixed(1)} °F` : `${tempC.toFixed(1)} °C`;
}
