import type { TabletWords } from './tablet-english.ts';

export const tabletGerman: TabletWords = {
  who: 'Wer bist du?',
  whoMore: 'Wähle deinen Namen und tippe deine PIN.',
  nobodyHasPin:
    'Noch hat niemand eine PIN. Das Personal wählt sie auf der Kontoseite, auf einem eigenen Gerät.',
  pinOf: (name) => `PIN von ${name}`,
  typed: (digits) => (digits === 1 ? '1 Ziffer getippt' : `${digits} Ziffern getippt`),
  digits: 'Ziffern',
  erase: 'Letzte Ziffer löschen',
  confirm: 'OK',
  somebodyElse: 'Jemand anderes',
  signedInAs: (name) => `${name} ist am Werk`,
  secondsLeft: (seconds) => `${seconds} s`,
  done: 'Fertig',
  wrongBefore: (times) =>
    times === 1
      ? 'Für deinen Namen wurde vorher eine falsche PIN getippt.'
      : `Für deinen Namen wurden vorher ${times} falsche PINs getippt.`,
  pin: 'PIN für geteilte Tablets',
  pinWhy: 'Auf einem geteilten Tablet stehen dein Name und diese PIN für dich; das Protokoll nennt dich.',
  hasPin: 'Du hast eine PIN.',
  noPin: 'Du hast noch keine PIN.',
  pinLocked:
    'Für deinen Namen wurden zu viele falsche PINs getippt. Sie gilt wieder, sobald du dich mit dem Passwort anmeldest.',
  newPin: 'PIN, 4 bis 8 Ziffern',
  pinAgain: 'Die PIN noch einmal',
  notTheSame: 'ist nicht dieselbe',
  password: 'Dein Passwort',
  setPin: 'PIN festlegen',
  pinSet: 'Die PIN gilt jetzt.',
  removePin: 'PIN entfernen',
  pinRemoved: 'Du hast keine PIN mehr.',
  tablets: 'Geteilte Tablets',
  tabletsWhy:
    'Ein geteiltes Tablet zeigt, was Mitglieder sehen. Wer darauf ein Getränk berichtigt oder ein Fass wechselt, sagt mit der PIN, wer es ist.',
  noTablets: 'Noch gibt es keines.',
  enrolledBy: (name, time) => `von ${name}, ${time}`,
  seen: (time) => `zuletzt gesehen ${time}`,
  somebody: 'jemandem',
  remove: 'Entfernen',
  removeOf: (name) => `${name} entfernen`,
  removed: 'Das Tablet ist jetzt ein fremdes.',
  thisDevice: 'Name dieses Geräts',
  enrol: 'Dieses Gerät zum geteilten Tablet machen',
  enrolWhy: 'Das bleibt es, bis es hier entfernt wird. Du wirst darauf abgemeldet.',
  enrolled: (name) => `Das ist jetzt das geteilte Tablet „${name}“.`,
};
