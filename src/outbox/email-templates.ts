import type { Site } from '../core/records.ts';
import type { EmailTemplateName, EmailTemplates } from '../engine/engine.ts';
import type { Email } from './email.ts';

type Templates = { readonly [L in EmailTemplateName]: (values: EmailTemplates[L], site: Site) => Email };

const ignoreNote = 'If you did not ask for this, ignore this mail: nothing will change.';
const staffFooter = 'You get this mail because you are staff and chose it in your notification settings.';

/** Templates of all emails that are not about an event. */
const templates: Templates = {
  activation: ({ username, link }, { title }) => ({
    subject: 'Your account waits for you',
    paragraphs: [
      `Somebody at ${title} has created the account ${username} for you. Choose a password to log in.`,
    ],
    link: { text: 'Choose your password', href: link },
  }),
  welcome: ({ username }, { title }) => ({
    subject: 'Welcome',
    paragraphs: [
      `You now have an account at ${title}: ${username}. Your drinks can be recorded under your name.`,
    ],
  }),
  invitation: ({ invitedBy, link }, { title }) => ({
    subject: 'You are invited',
    paragraphs: [`${invitedBy} invites you to ${title}.`, ignoreNote],
    link: { text: 'Create an account', href: link },
  }),
  password_reset: ({ username, link }) => ({
    subject: 'A new password',
    paragraphs: [
      `Somebody, hopefully you, requested a new password for the account ${username}.`,
      ignoreNote,
    ],
    link: { text: 'Choose a new password', href: link },
  }),
  confirm_email: ({ username, link }) => ({
    subject: 'Is this your address?',
    paragraphs: [`This address was entered for the account ${username}.`, ignoreNote],
    link: { text: 'Yes, it is mine', href: link },
  }),
  report: ({ title, lines }) => ({ subject: title, paragraphs: [title], table: lines }),
  too_warm: ({ sensor, tempC, limitC }, site) => ({
    subject: `Too warm: ${sensor}`,
    paragraphs: [
      `The sensor ${sensor} shows ${formatTemperature(tempC, site)} and has been above ${formatTemperature(limitC, site)} for a while.`,
      'Check the cooler. You get the next mail only after it was cool again.',
    ],
    footer: staffFooter,
  }),
  controller_silent: ({ device, minutes }) => ({
    subject: `No sign of ${device}`,
    paragraphs: [
      `The controller ${device} has not reported for ${minutes} minutes.`,
      'If it has power, it reports later what it counts meanwhile. Check its plug and its network.',
    ],
    footer: staffFooter,
  }),
  system_problem: ({ part, problem }) => ({
    subject: `Problem: ${part}`,
    paragraphs: [problem],
    footer: staffFooter,
  }),
  test: ({ username }, { title }) => ({
    subject: 'Mail works',
    paragraphs: [`${username} sent this mail to test whether ${title} can send mail. It can.`],
  }),
};

/** Renders a template; null if it does not exist, which a message of a newer program may name. */
export function renderEmailTemplate(name: string, values: unknown, site: Site): Email | null {
  if (!Object.hasOwn(templates, name)) return null;
  const render = templates[name as EmailTemplateName] as (values: unknown, site: Site) => Email;
  return render(values, site);
}

function formatTemperature(tempC: number, { temperatureUnits }: Site): string {
  return temperatureUnits === 'f' ? `${((tempC * 9) / 5 + 32).toFixed(1)} °F` : `${tempC.toFixed(1)} °C`;
}
