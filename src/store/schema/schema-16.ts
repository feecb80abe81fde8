/** A webhook may be switched off for a while and keep its place. */
export const schema16 = `
`;
