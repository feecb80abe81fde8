import { formatNumber, formatTemperature, formatVolume } from './mail-figures.ts';
import type { MailTexts } from './mail-texts.ts';

const ignoreNote = 'Wer das nicht veranlasst hat, kann diese Mail ignorieren: Es ändert sich nichts.';
const staffFooter = 'Diese Mail geht an das Personal, das sie in seinen Benachrichtigungen gewählt hat.';

export const german: MailTexts = {
  templates: {
    activation: ({ username, link }, { title }) => ({
      subject: 'Ein Konto wartet auf dich',
      paragraphs: [
        `Jemand bei ${title} hat das Konto ${username} für dich angelegt. Wähle ein Passwort, um dich anzumelden.`,
      ],
      link: { text: 'Passwort wählen', href: link },
    }),
    welcome: ({ username }, { title }) => ({
      subject: 'Willkommen',
      paragraphs: [
        `Du hast jetzt ein Konto bei ${title}: ${username}. Was du trinkst, kann unter deinem Namen gezählt werden.`,
      ],
    }),
    invitation: ({ invitedBy, link }, { title }) => ({
      subject: 'Eine Einladung',
      paragraphs: [`${invitedBy} lädt dich zu ${title} ein.`, ignoreNote],
      link: { text: 'Konto anlegen', href: link },
    }),
    password_reset: ({ username, link }) => ({
      subject: 'Ein neues Passwort',
      paragraphs: [
        `Jemand, hoffentlich du, hat ein neues Passwort für das Konto ${username} angefordert.`,
        ignoreNote,
      ],
      link: { text: 'Neues Passwort wählen', href: link },
    }),
    confirm_email: ({ username, link }) => ({
      subject: 'Ist das deine Adresse?',
      paragraphs: [`Diese Adresse wurde für das Konto ${username} eingetragen.`, ignoreNote],
      link: { text: 'Ja, das ist meine', href: link },
    }),
    // The lines come from the report itself, which is written in English.
    report: ({ title, lines }) => ({ subject: title, paragraphs: [title], table: lines }),
    too_warm: ({ sensor, tempC, limitC }, site) => ({
      subject: `Zu warm: ${sensor}`,
      paragraphs: [
        `Der Sensor ${sensor} zeigt ${formatTemperature(tempC, site, 'de')} und liegt seit einer Weile über ${formatTemperature(limitC, site, 'de')}.`,
        'Bitte nach der Kühlung sehen. Die nächste Mail kommt erst, wenn es dazwischen kühl war.',
      ],
      footer: staffFooter,
    }),
    controller_silent: ({ device, minutes }) => ({
      subject: `Kein Lebenszeichen von ${device}`,
      paragraphs: [
        `Der Controller ${device} hat sich seit ${minutes} Minuten nicht gemeldet.`,
        'Hat er Strom, meldet er später, was er inzwischen zählt. Bitte Stecker und Netzwerk prüfen.',
      ],
      footer: staffFooter,
    }),
    // The sentence comes from the daemon, which writes English.
    system_problem: ({ part, problem }) => ({
      subject: `Problem: ${part}`,
      paragraphs: [problem],
      footer: staffFooter,
    }),
    test: ({ username }, { title }) => ({
      subject: 'Mail funktioniert',
      paragraphs: [`${username} hat mit dieser Mail geprüft, ob ${title} Mails senden kann. Ja.`],
    }),
  },
  kegEvents: {
    keg_tapped: ({ id, beverage, producer, fullMl }, site) => ({
      subject: `Neues Fass angestochen: Fass ${id}: ${beverage} von ${producer}`,
      paragraphs: [
        `Fass ${id} ist am Hahn: ${beverage} von ${producer}, ${formatVolume(fullMl, site, 'de')}.`,
      ],
    }),
    keg_ended: ({ id, beverage, producer, servedMl, fullMl }, site) => ({
      subject: `Fass leer: Fass ${id}: ${beverage} von ${producer}`,
      paragraphs: [
        `Fass ${id} (${beverage} von ${producer}) ist beendet. Daraus flossen ` +
          `${formatVolume(servedMl, site, 'de')} von ${formatVolume(fullMl, site, 'de')}.`,
      ],
    }),
    keg_volume_low: ({ id, beverage, producer, percentFull }) => ({
      subject: `Fass ${id} geht zur Neige (${beverage} von ${producer})`,
      paragraphs: [
        `Fass ${id} (${beverage} von ${producer}) ist noch zu ${formatNumber(percentFull, 'de')} Prozent voll. ` +
          'Bitte das nächste vorbereiten.',
      ],
    }),
  },
  sessionStarted: ({ id, drinker }) => ({
    subject: `Eine neue Runde (${id}) hat begonnen`,
    paragraphs: [
      drinker === null ? 'Das erste Getränk ist gezapft.' : `${drinker} hat das erste Getränk gezapft.`,
    ],
  }),
  eventLink: 'Auf der Seite ansehen',
  eventFooter: (accountUrl) =>
    `Du hast diese Benachrichtigung gewählt.${accountUrl === null ? '' : ` Ändern: ${accountUrl}`}`,
};
