/** Longest name of a seller that is kept. */
export const maxSellerName = 64;

/** Bounds of the reason for which figures by person are shown, and of the days for which names are kept. */
export const personReason = { min: 10, max: 500 } as const;
export const sellerDays = { min: 7, max: 400, default: 92 } as const;

/** Figures by person: off unless the site turned them on. */
export interface ByPersonSettings {
  /** Why they are shown, for everyone who sees them; null: they are off, and no names are kept. */
  readonly reason: string | null;
  /** Since when they are on, Unix milliseconds; null: off. */
  readonly sinceMs: number | null;
  /** Names of sellers are removed after so many days. */
  readonly days: number;
}
