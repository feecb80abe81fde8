/** Registration. */
export const schema13 = '';
