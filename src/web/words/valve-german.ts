import type { ValveWords } from './valve-english.ts';

/** German texts about a tap's valve. */
export const valveGerman: ValveWords = {
  valve: 'Ventil',
  why: 'Zum Spülen der Leitung: Was läuft, wird gezählt wie immer.',
  openFor: (minutes) => `${minutes} min öffnen`,
  close: 'Ventil schließen',
  opened: (tap, minutes) => `${tap} ist offen, höchstens ${minutes} min.`,
  closed: (tap) => `${tap} ist geschlossen.`,
  closesSoon: (tap) => `${tap} schließt, sobald sein Board sich meldet.`,
  openManually: (seconds) => `Von Hand geöffnet, schließt spätestens in ${seconds} s.`,
  openByPermission: (seconds) => `Auf Erlaubnis offen, schließt spätestens in ${seconds} s.`,
};
