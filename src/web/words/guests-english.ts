/** English texts of the menu, claims, the next beer and the logo. */
export const guestsEnglish = {
  menu: 'Beer menu',
  nothingOnTap: 'Nothing is on tap right now.',
  madeBy: (producer: string, origin: string) => (origin === '' ? producer : `${producer}, ${origin}`),
  ibu: (ibu: string) => `${ibu} IBU`,
  pictureOf: (beer: string) => `Picture of ${beer}`,
  left: {
    plenty: 'Plenty left',
    moreThanHalf: 'More than half left',
    lessThanHalf: 'Less than half left',
    low: 'Getting low',
    nearlyGone: 'Nearly gone',
    gone: 'It may have run out',
  },
  servings: (count: number) => (count === 1 ? 'about 1 glass' : `about ${count} glasses`),
  at: (tap: string) => `at ${tap}`,
  next: (beer: string, producer: string) => `Next: ${beer}, ${producer}`,

  claimTitle: 'Was one of these yours?',
  claim: 'That was mine',
  claimLabel: (what: string) => `That was mine: ${what}`,
  claimed: (glass: string) => `${glass} noted for you.`,
  released: 'It is nobody’s again.',
  moreClaims: 'Show older ones',
  noKeg: 'No keg on the tap',

  nextBeer: 'What comes next',
  noNextBeer: 'Nothing announced',
  nextSet: (beer: string) => `${beer} is announced.`,
  nextRemoved: 'Nothing is announced any more.',
  chooseBeverage: 'A beer that is still to come',
  tapNext: (beer: string) => `Put the next one on: ${beer}`,

  logo: 'Sign of the house',
  logoWhy: 'Shown on the board on the wall and above the menu.',
  noLogo: 'No sign hangs yet.',
  chooseLogo: 'A picture from this device',
  uploadLogo: 'Hang it up',
  removeLogo: 'Take it down',
  logoSet: 'The sign hangs.',
  logoRemoved: 'The sign is down.',
};

/** Every translation has the same keys. */
export type GuestWords = typeof guestsEnglish;
