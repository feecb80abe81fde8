/** Short numbers for shared tablets: whose they are, which tablets the house knows, and on which one a change was made. */
export const schema17 = `
SELECT 1;
`;
