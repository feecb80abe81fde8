/** Short numbers for shared tablets: whose, on which tablets, and which tablet a change was made on. */
export const schema15 = `
SELECT 1;
`;
