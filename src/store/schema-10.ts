/** Grants on our own pins, and upstream. */
export const schema10 = '';
