/** Everything the page says of itself, in English. The other languages say the same things. */
export const english = {
  locale: 'en',
  onTap: 'On tap',
  noTaps: 'No taps yet. Name them in the configuration file, and they appear here.',
  looking: 'Looking into the cellar …',
  nothingYet: 'Nothing to show yet.',
  live: 'Live',
  notLive: 'Not live',
  joining: 'Joining',

  notices: 'Notices',
  away: 'The daemon is away.',
  lastSaid: 'What you see is what it last said.',
  reconnecting: 'Reconnecting …',
  clockUnset: 'The clock is not set yet.',
  clockUnsetMore: 'Pours are counted; their times are put right once it is.',
  takeTime: 'Take the time from this device',
  held: (pours: number) =>
    pours === 1 ? '1 pour is held for review.' : `${pours} pours are held for review.`,
  heldMore: (pours: number) => `${pours === 1 ? 'It is' : 'They are'} kept, but not counted yet.`,
  simulated: 'The hardware is simulated.',
  simulatedMore: 'No beer flows here; each tap has a button that pours.',

  keg: (id: number) => `Keg ${id}`,
  noKeg: 'No keg',
  kegFull: (percent: string) => `Keg, ${percent} % full`,
  unnamedBeer: 'Nobody named this beer yet.',
  strength: (abv: string) => `${abv} % ABV`,
  left: (percent: string) => `left · ${percent} %`,
  nearlyEmpty: 'Nearly empty',
  empty: 'Empty',
  byTheCount: 'by the count',
  temperature: 'temperature',
  temperatureAt: (time: string) => `temperature at ${time}`,
  uncalibrated: 'Meter not calibrated: volumes are estimates.',
  unmetered: 'No meter on this tap. What it pours is not counted.',
  notCounting: 'Not counting.',
  countingWithGaps: 'Counting with gaps.',
  pouring: 'Pouring',
  poured: 'Poured',
  noPourYet: 'No pour yet',
  lastPour: (time: string, certain: boolean) => `Last pour ${certain ? '' : 'about '}${time}`,
  pourGlass: (glass: string) => `Pour ${glass}`,
  atTap: (tap: string) => `at ${tap}`,

  lastDrinks: 'Last drinks',
  noDrinks: 'None yet. The first one will appear here.',
  guest: 'Guest',
  noKegOnTap: 'No keg on the tap',
  savedAfterCut: 'Saved after a power cut',
  about: 'about',
  clockWasUnset: 'The clock was not set yet',
  beer: 'beer',
  pouredAloud: (glass: string, beer: string, tap: string | null) =>
    `${glass} of ${beer} poured${tap === null ? '' : ` at ${tap}`}.`,

  pint: 'pints',
  noAnswer: 'The daemon did not answer. Try again in a moment.',
  saidNo: (status: number) => `The daemon said no (${status}).`,
};

/** What every language must be able to say. */
export type Words = typeof english;
