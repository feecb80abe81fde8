/** Statistics. */
export const schema7 = '';
