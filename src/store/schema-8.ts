/** Outbox. */
export const schema8 = '';
