import type { CalibrationWords } from './calibration-english.ts';

/** German texts of the calibration page. */
export const calibrationGerman: CalibrationWords = {
  title: (tap) => `${tap} eichen`,
  noTap: 'Diesen Hahn gibt es nicht.',
  noMeter: 'Dieser Hahn hat keinen Zähler; es gibt nichts zu eichen.',
  chooseMeter: 'Einen Zähler geben',
  currentFactor: (figure) => `Der Zähler rechnet jetzt ${figure} Ticks auf einen Milliliter.`,
  defaultFactor: 'Das hat niemand gemessen: Es ist der übliche Wert solcher Zähler.',
  unit: 'Ticks/mL',

  pour: 'Zapfen',
  pourHow:
    'In einen Messbecher zapfen oder in ein Glas auf der Waage: einen halben Liter oder mehr, ohne Schaum. Warten, bis das Zapfen zu Ende ist. Drei Mal sagt mehr als ein Mal.',
  ticks: 'Ticks',
  waiting: 'Warte auf Bier.',
  pouring: 'Es läuft.',
  ended: 'Das war es.',

  measure: 'Sagen, was darin war',
  measuredWith: 'Gemessen mit',
  jug: 'Messbecher',
  scale: 'Waage',
  gravity: 'Enddichte des Biers (final gravity)',
  gravityHint: 'Die Dichte steht im Rezept oder beim Brauer; 1,010 passt für die meisten Biere.',
  tare: 'Gewicht des leeren Glases, falls die Waage nicht damit auf null stand',
  temp: (unit) => `Wie kalt das Bier war (${unit})`,
  densityFrom:
    'Dichte: final gravity mal die des Wassers (Kell 1975), bei der Temperatur, mit der das Bier lief.',
  noPours: 'Dieser Zähler hat noch nichts gezählt.',
  volumeOfPour: (time, unit) => `Was um ${time} darin war (${unit})`,
  countedAs: (ticks, volume) => `${ticks} Ticks, gezählt als ${volume}`,
  missed: (ticks) => (ticks === 1 ? '1 Tick ist entgangen' : `${ticks} Ticks sind entgangen`),
  bounced: (edges) =>
    edges === 1 ? '1 Flanke als Prellen verworfen' : `${edges} Flanken als Prellen verworfen`,
  held: 'wird geprüft',
  measuredFigure: (figure, off) => `${figure} Ticks/mL, ${off} zu allen zusammen`,
  measuredFigureAlone: (figure) => `${figure} Ticks/mL`,
  outlier: 'Passt nicht zu den anderen: Becher noch einmal ablesen oder leer lassen.',
  latest: 'zuletzt gezapft',

  result: 'Übernehmen',
  nothingYet: 'Sobald ein Mal gemessen ist, steht hier der Wert.',
  fromTo: (before, after) => `${before} → ${after} Ticks/mL`,
  more: (share) => `Dieselbe Menge wird ${share} größer angezeigt als bisher.`,
  less: (share) => `Dieselbe Menge wird ${share} kleiner angezeigt als bisher.`,
  same: 'Der Zähler stimmt, wie er ist.',
  pourCount: (count) =>
    count === 1 ? 'Aus einer Messung.' : `Aus ${count} Messungen, alle Ticks durch alle Milliliter.`,
  spread: (share) => `Sie liegen ${share} auseinander.`,
  spreadWide: 'Das ist viel: auf Schaum achten, mehr auf einmal zapfen oder noch einmal messen.',
  manual: 'Oder einen Wert von Hand eingeben, aus dem Datenblatt',
  figure: 'Ticks je Milliliter',
  recalculateKeg: 'Auch berichtigen, was aus diesem Fass schon gezapft ist',
  kegEffect: (drinks, before, after) =>
    drinks === 0
      ? 'Aus diesem Fass hat dieser Zähler noch nichts gezählt.'
      : `${drinks === 1 ? 'Ein Getränk' : `${drinks} Getränke`}: ${before} → ${after}.`,
  kegLeft: (before, after) => `Rest im Fass: ${before} → ${after}.`,
  spill: 'Das Gemessene als verschüttet buchen, damit es niemandem angerechnet wird',
  apply: (figure) => `${figure} Ticks/mL übernehmen`,
  applied: (figure) => `Der Zähler rechnet von jetzt an ${figure} Ticks auf einen Milliliter.`,

  history: 'Frühere Werte',
  noHistory: 'Er wurde hier noch nie geeicht.',
  change: (before, after) => `${before} → ${after}`,
  byWhom: (who) => `von ${who}`,
  system: 'dem Haus',
  andDrinks: (count) => (count === 1 ? 'mit 1 Getränk' : `mit ${count} Getränken`),
  undo: 'Zurücknehmen',
  undoOf: (time) => `Die Änderung von ${time} zurücknehmen`,
  undone: 'Zurückgenommen.',
  wasUndone: 'zurückgenommen',
};
