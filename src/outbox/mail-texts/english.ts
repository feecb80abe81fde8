import { formatNumber, formatTemperature, formatVolume } from './mail-figures.ts';
import type { MailTexts } from './mail-texts.ts';

const ignoreNote = 'If you did not ask for this, ignore this mail: nothing will change.';
const staffFooter = 'You get this mail because you are staff and chose it in your notification settings.';

export const english: MailTexts = {
  templates: {
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
        `The sensor ${sensor} shows ${formatTemperature(tempC, site, 'en')} and has been above ${formatTemperature(limitC, site, 'en')} for a while.`,
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
  },
  kegEvents: {
    keg_tapped: ({ id, beverage, producer, fullMl }, site) => ({
      subject: `New keg tapped: Keg ${id}: ${beverage} by ${producer}`,
      paragraphs: [`Keg ${id} is on tap: ${beverage} by ${producer}, ${formatVolume(fullMl, site, 'en')}.`],
    }),
    keg_ended: ({ id, beverage, producer, servedMl, fullMl }, site) => ({
      subject: `Keg ended: Keg ${id}: ${beverage} by ${producer}`,
      paragraphs: [
        `Keg ${id} (${beverage} by ${producer}) is finished. ` +
          `${formatVolume(servedMl, site, 'en')} of ${formatVolume(fullMl, site, 'en')} were poured from it.`,
      ],
    }),
    keg_volume_low: ({ id, beverage, producer, percentFull }) => ({
      subject: `Volume low on keg ${id} (${beverage} by ${producer})`,
      paragraphs: [
        `Keg ${id} (${beverage} by ${producer}) is ${formatNumber(percentFull, 'en')} percent full. Prepare the next one.`,
      ],
    }),
  },
  sessionStarted: ({ id, drinker }) => ({
    subject: `A new session (${id}) has started`,
    paragraphs: [
      drinker === null ? 'The first drink has been poured.' : `${drinker} has poured the first drink.`,
    ],
  }),
  eventLink: 'See it on the page',
  eventFooter: (accountUrl) =>
    `You chose this notification.${accountUrl === null ? '' : ` Change it at ${accountUrl}`}`,
};
