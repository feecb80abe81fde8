/** Speed. */
export const schema12 = '';
