/** The id in an address; null when it cannot be one. */
export const toId = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);
