/** Catalogue and hardware. */
export const schema11 = '';
