/** Speed. A pour touches as little of the ledger as it can: each page it writes goes to the card. */
export const schema18 = `
`;
