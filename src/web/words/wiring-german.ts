import type { WireFacts, WireFinding, WiringWords } from './wiring-english.ts';

type FindingText = (facts: WireFacts) => { readonly text: string; readonly advice?: string };

const noiseAdvice =
  'Nach einem losen Draht, einem fehlenden Pull-up oder einem Kabel neben einem Motor suchen; ein geschirmtes Kabel und gemeinsame Masse helfen.';
const plugAdvice = 'Stecker und 4,7-kΩ-Pull-up ansehen.';

/** By topic. Other findings are shown in the daemon's English, because they name files and programs. */
const findingTexts: Readonly<Record<string, FindingText>> = {
  bounce: () => ({
    text: 'Die Impulse kommen schneller, als ein Zähler kann: Das sind Störungen.',
    advice: noiseAdvice,
  }),
  stray: () => ({
    text: 'Die Impulse kommen ohne jeden Takt, wie an einem Pin, an dem nichts angeschlossen ist.',
    advice: noiseAdvice,
  }),
  mains: ({ hz }) => ({
    text: `Es kommen genau ${hz ?? 50} Impulse in der Sekunde: Das ist das Stromnetz, kein Bier.`,
    advice: 'Der Pin hängt in der Luft: Zähler anschließen oder meters[].bias auf „pull-up“ setzen.',
  }),
  echo: ({ echo_of }) => ({
    text: `Er tickt im selben Augenblick wie ${echo_of}: Einer hört den anderen.`,
    advice: 'Kabel trennen, nach Signaldrähten suchen, die sich berühren, jedem Zähler eigene Masse geben.',
  }),
  lost: ({ lost }) => ({
    text: `Seit dem Start sind ${lost} Ticks entgangen.`,
    advice:
      'gpio.driver auf „cdev“ setzen, falls es ein anderer ist; sonst suchen, was die Maschine aufhält.',
  }),
  unproven: () => ({ text: 'Dieser Treiber kann nicht beweisen, dass er jeden Tick zählt.' }),
  reversed: () => ({
    text: 'Pull und Flanke passen nicht zueinander: Gezählt wird das Ende der Impulse statt ihr Anfang.',
    advice:
      'meters[].edge oder meters[].bias umstellen: „pull-up“ gehört zu „falling“, „pull-down“ zu „rising“.',
  }),
  stuck: ({ level }) => ({
    text: `Die Leitung wird ${level === 1 ? 'hoch' : 'niedrig'} gehalten und hat sich seit dem Start nicht bewegt.`,
    advice:
      'Einen Schluck zapfen. Bleibt es so, sind Stecker oder Drähte vertauscht, oder Signal und Masse berühren sich; auch ein Rad kann so stehen bleiben.',
  }),
  never: () => ({
    text: 'Seit dem Start kam kein Impuls.',
    advice:
      'Einen Schluck zapfen. Kommt nichts: Versorgung am Zähler, gemeinsame Masse und den Signaldraht an diesem Pin prüfen.',
  }),
  counts: ({ ticks, hz, lost }) => ({
    text: `Seit dem Start ${ticks ?? 0} Ticks gezählt${lost === 0 ? ' und keinen verpasst' : ''}${hz ? `, jetzt ${hz} in der Sekunde` : ''}.`,
  }),
  other_use: ({ pin }) => ({
    text: `GPIO ${pin} braucht auf dieser Platine auch etwas anderes.`,
    advice: 'Einen Pin nehmen, den sonst nichts will; „tapster doctor“ nennt sie.',
  }),
  no_header_pin: ({ pin }) => ({
    text: `GPIO ${pin} liegt nicht auf der Stiftleiste.`,
    advice: 'In die Datei gehört die GPIO-Nummer, nicht der Stift der Leiste.',
  }),
  no_meters: () => ({
    text: 'Es ist kein Pin eingestellt.',
    advice: 'Zähler in die Konfigurationsdatei eintragen oder eine Platine melden lassen.',
  }),
  temperature: () => ({ text: 'Misst.' }),
  checksum: () => ({ text: 'Die Prüfsumme stimmt nicht.', advice: plugAdvice }),
  stuck_low: () => ({
    text: 'Die Datenleitung liegt fest auf Masse.',
    advice: 'Daten und Masse berühren sich, oder der 4,7-kΩ-Pull-up fehlt.',
  }),
  power_on: () => ({
    text: 'Er meldet 85 °C, seinen Wert nach dem Einschalten.',
    advice: 'Ihm fehlt beim Messen Strom: alle drei Drähte anschließen, Stecker und Pull-up ansehen.',
  }),
  absent: () => ({
    text: 'Er ist nicht am Bus.',
    advice: 'Verdrahtung ansehen oder taps[].thermo berichtigen.',
  }),
  unread: () => ({ text: 'Er gibt keine brauchbare Antwort.', advice: plugAdvice }),
  silent: () => ({ text: 'Er wurde noch nicht gelesen.' }),
  no_bus: () => ({
    text: 'Hier gibt es keinen 1-Wire-Bus.',
    advice: 'dtoverlay=w1-gpio in /boot/firmware/config.txt eintragen und den Pi neu starten.',
  }),
  heard: () => ({ text: 'Sie meldet sich.' }),
  unheard: () => ({ text: 'Dort hat sich noch niemand vorgestellt.' }),
  works: () => ({ text: 'In Ordnung.' }),
};

/** German texts of the wiring page. */
export const wiringGerman: WiringWords = {
  title: 'Verdrahtung',
  intro: 'Jeder Draht dieser Maschine, wie er in diesem Augenblick ist.',
  formatFinding: (said: WireFinding, facts: WireFacts) =>
    findingTexts[said.topic]?.(facts) ??
    (said.advice === undefined ? { text: said.text } : { text: said.text, advice: said.advice }),
  verdicts: { ok: 'Gut', warn: 'Ansehen', fail: 'Geht nicht', unknown: 'Noch nicht zu sagen' },

  which: 'Welcher Zähler ist es?',
  startPourTest: 'Jetzt einen Schluck zapfen',
  stopPourTest: 'Das genügt',
  listening: 'Ich höre zu. Einen Hahn öffnen und einen Schluck zapfen.',
  ticksHere: (tap, meter) => `${tap} tickt (${meter}).`,
  noTapHere: (meter) => `${meter} tickt und gehört zu keinem Hahn.`,
  alsoTicks: (tap, meter) => `${tap} tickt ebenfalls (${meter}).`,
  hasNoise: (where) => `${where} fängt Störungen auf, kein Bier.`,
  assignToTap: 'Einem Hahn geben',
  noTicks: 'Noch tickt nichts.',
  noTicksAdvice:
    'Wenn Bier läuft, erreicht kein Impuls diese Maschine: Versorgung des Zählers, gemeinsame Masse und den Signaldraht am Pin prüfen, der unten steht.',

  meters: 'Zähler',
  noTap: 'Kein Hahn hat diesen Zähler',
  gpio: (pin) => `GPIO ${pin}`,
  headerPin: (pin) => `Stift ${pin}`,
  onBoard: 'an eigener Platine',
  levels: { 0: 'niedrig', 1: 'hoch' },
  level: 'Pegel',
  noLevel: 'nicht lesbar',
  rate: 'Impulse je Sekunde',
  counted: 'Gezählt',
  refused: 'Als Prellen verworfen',
  lost: 'Verpasst',
  unknown: 'nicht zu sagen',
  sinceStart: 'Gezählt, verworfen und verpasst seit dem Start des Dienstes.',
  calibrate: (tap) => `${tap} eichen`,
  testPour: 'Schluck zapfen',
  testPourAt: (meter) => `Schluck an ${meter} zapfen`,
  rateOver: (meter) => `Impulse von ${meter} in der letzten halben Minute`,

  thermoSensors: 'Thermometer',
  noThermoSensors: 'Kein Thermometer ist am Bus.',
  boards: 'Serielle Platinen',
  readers: 'Leser',
  shown: (times) =>
    times === 0
      ? 'Ihm wurde noch nichts gezeigt.'
      : times === 1
        ? 'Ihm wurde eine Marke gezeigt.'
        : `Ihm wurden ${times} Marken gezeigt.`,
  relays: 'Relais',
};
