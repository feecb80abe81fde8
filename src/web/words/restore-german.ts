import type { RestoreWords } from './restore-english.ts';

/** German texts of restoring a backup. */
export const restoreGerman: RestoreWords = {
  title: 'Eine Sicherung zurückspielen',
  why: 'Das Haus ist danach, was es bei der Sicherung war: Leute, Getränke, Fässer, Einstellungen und Bilder.',
  findBackups: 'Sicherungen suchen',
  which: 'Welche Sicherung',
  none: 'Auf diesem Rechner und seinem Stick liegt keine Sicherung.',
  file: 'Eine Datei von diesem Gerät',
  choose: 'Die Datei, tapster-….tar.gz',
  about: (house, size) => `${house} · ${size}`,
  warning:
    'Was dieses Haus jetzt hat, wird in einem Ordner dieses Rechners beiseitegelegt und nicht gelöscht. Gezählt wird die ganze Zeit.',
  restore: 'Zurückspielen',
  back: 'Stattdessen ein neues Haus öffnen',
  nothingChosen: 'Wähle zuerst eine Sicherung.',
  tooLarge: (size) => `Diese Datei ist zu groß: Auf die Platte dieses Rechners passen höchstens ${size}.`,
  sending: (share) => `Die Datei ist unterwegs: ${share}. Lass diese Seite offen.`,
  progress: 'Wie viel von der Datei geschickt ist',
  restoring: 'Die Sicherung wird durchgesehen und eingesetzt. Bei einer großen dauert das Minuten.',
  connectionLost:
    'Die Verbindung riss ab, bevor eine Antwort kam. Sieh nach dem Netz und versuch es noch einmal.',
  done: (when) => `Die Sicherung vom ${when} ist zurück.`,
  next: 'Melde dich mit einem Konto an, das darin steht, mit dem Passwort von damals.',
  doubtful:
    'Einige Summen darin stimmen nicht mit dem überein, wofür sie stehen: „tapster doctor“ auf diesem Rechner sagt, welche.',
  logIn: 'Anmelden',
};
