/** English texts of the calibration page. */
export const calibrationEnglish = {
  title: (tap: string) => `Calibrate ${tap}`,
  noTap: 'There is no such tap.',
  noMeter: 'This tap has no meter, so there is nothing to calibrate.',
  chooseMeter: 'Give it a meter',
  currentFactor: (figure: string) => `The meter counts ${figure} ticks for a millilitre now.`,
  defaultFactor: 'Nobody has measured that: it is the usual figure of such meters.',
  unit: 'ticks/mL',

  pour: 'Pour',
  pourHow:
    'Pour into a measuring jug, or into a glass on a scale: half a litre or more, without foam. Wait until the pour has ended. Three pours tell more than one.',
  ticks: 'ticks',
  waiting: 'Waiting for beer.',
  pouring: 'Pouring.',
  ended: 'That pour is over.',

  measure: 'Say what was in it',
  measuredWith: 'Measured with',
  jug: 'A measuring jug',
  scale: 'A scale',
  gravity: 'Final gravity of the beer',
  gravityHint: 'The gravity stands in the recipe or on the brewer’s page; 1.010 fits most beers.',
  tare: 'Weight of the empty glass, when the scale was not zeroed with it',
  temp: (unit: string) => `How cold the beer was (${unit})`,
  densityFrom:
    'Density: final gravity times that of water (Kell 1975), at the temperature at which the beer ran.',
  noPours: 'This meter has counted nothing yet.',
  volumeOfPour: (time: string, unit: string) => `What was in the pour of ${time} (${unit})`,
  countedAs: (ticks: string, volume: string) => `${ticks} ticks, counted as ${volume}`,
  missed: (ticks: number) => (ticks === 1 ? '1 tick was missed in it' : `${ticks} ticks were missed in it`),
  bounced: (edges: number) =>
    edges === 1 ? '1 edge was refused as bounce' : `${edges} edges were refused as bounce`,
  held: 'held for review',
  measuredFigure: (figure: string, off: string) => `${figure} ticks/mL, ${off} from all together`,
  measuredFigureAlone: (figure: string) => `${figure} ticks/mL`,
  outlier: 'It does not fit the others: read the jug again, or leave it empty.',
  latest: 'the last pour',

  result: 'Take it over',
  nothingYet: 'As soon as one pour is measured, its figure stands here.',
  fromTo: (before: string, after: string) => `${before} → ${after} ticks/mL`,
  more: (share: string) => `The same pour will be shown ${share} larger than before.`,
  less: (share: string) => `The same pour will be shown ${share} smaller than before.`,
  same: 'The meter is right as it is.',
  pourCount: (count: number) =>
    count === 1 ? 'From one pour.' : `From ${count} pours, all ticks over all millilitres.`,
  spread: (share: string) => `They differ by ${share}.`,
  spreadWide: 'That is much: look at the foam, pour more at once, or measure again.',
  manual: 'Or enter a figure by hand, from the data sheet',
  figure: 'Ticks for a millilitre',
  recalculateKeg: 'Put right what was poured from this keg until now',
  kegEffect: (drinks: number, before: string, after: string) =>
    drinks === 0
      ? 'No drink of this keg was counted by this meter.'
      : `${drinks === 1 ? 'One drink' : `${drinks} drinks`}: ${before} → ${after}.`,
  kegLeft: (before: string, after: string) => `Left in the keg: ${before} → ${after}.`,
  spill: 'Book the measured pours as spilled, so that nobody is charged for them',
  apply: (figure: string) => `Use ${figure} ticks/mL`,
  applied: (figure: string) => `The meter counts ${figure} ticks for a millilitre from now on.`,

  history: 'Figures before',
  noHistory: 'It was never calibrated here.',
  change: (before: string, after: string) => `${before} → ${after}`,
  byWhom: (who: string) => `by ${who}`,
  system: 'the house',
  andDrinks: (count: number) => (count === 1 ? 'with 1 drink' : `with ${count} drinks`),
  undo: 'Take it back',
  undoOf: (time: string) => `Take back the change of ${time}`,
  undone: 'Taken back.',
  wasUndone: 'taken back',
};

export type CalibrationWords = typeof calibrationEnglish;
