/** Largest amount of a price, in the smallest unit of its currency. */
export const maxPriceMinor = 100_000_000;

/** Digits after the decimal mark of a currency (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD; 2 for an unknown code. */
export function minorDigits(currency: string): number {
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2
    );
  } catch {
    return 2;
  }
}

/** Converts an amount of a currency to its smallest unit: 4.8 EUR are 480. */
export const toMinor = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** minorDigits(currency));

/** Converts from the smallest unit of a currency: 480 are 4.8 EUR. */
export const fromMinor = (minor: number, currency: string): number => minor / 10 ** minorDigits(currency);

/** Formats a sum of money; a currency that the machine does not know is shown as its code. */
export function formatMoney(sum: number, currency: string, locale: string | undefined): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(sum);
  } catch {
    return `${sum.toFixed(2)} ${currency}`;
  }
}
