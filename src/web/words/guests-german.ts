import type { GuestWords } from './guests-english.ts';

/** German texts of the menu, claims, the next beer and the logo. */
export const guestsGerman: GuestWords = {
  menu: 'Bierkarte',
  nothingOnTap: 'Gerade ist nichts angestochen.',
  madeBy: (producer, origin) => (origin === '' ? producer : `${producer}, ${origin}`),
  ibu: (ibu) => `${ibu} IBU`,
  pictureOf: (beer) => `Bild von ${beer}`,
  left: {
    plenty: 'Reichlich da',
    moreThanHalf: 'Mehr als halb voll',
    lessThanHalf: 'Weniger als halb voll',
    low: 'Wird knapp',
    nearlyGone: 'Fast leer',
    gone: 'Wohl ausgetrunken',
  },
  servings: (count) => (count === 1 ? 'etwa 1 Glas' : `etwa ${count} Gläser`),
  at: (tap) => `an ${tap}`,
  next: (beer, producer) => `Danach: ${beer}, ${producer}`,

  claimTitle: 'War davon etwas deins?',
  claim: 'Das war meins',
  claimLabel: (what) => `Das war meins: ${what}`,
  claimed: (glass) => `${glass} für dich notiert.`,
  released: 'Es gehört wieder niemandem.',
  moreClaims: 'Ältere zeigen',
  noKeg: 'Kein Fass am Hahn',

  nextBeer: 'Was als Nächstes kommt',
  noNextBeer: 'Nichts angekündigt',
  nextSet: (beer) => `${beer} ist angekündigt.`,
  nextRemoved: 'Es ist nichts mehr angekündigt.',
  chooseBeverage: 'Ein Bier, das noch geliefert wird',
  tapNext: (beer) => `Das nächste anstechen: ${beer}`,

  logo: 'Schild des Hauses',
  logoWhy: 'Zu sehen auf der Tafel an der Wand und über der Karte.',
  noLogo: 'Es hängt noch keines.',
  chooseLogo: 'Ein Bild von diesem Gerät',
  uploadLogo: 'Aufhängen',
  removeLogo: 'Abnehmen',
  logoSet: 'Das Schild hängt.',
  logoRemoved: 'Das Schild ist ab.',
};
