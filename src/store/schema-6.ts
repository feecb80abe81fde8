/** Corrections. */
export const schema6 = '';
