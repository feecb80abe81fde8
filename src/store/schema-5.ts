/** Accounts. */
export const schema5 = '';
