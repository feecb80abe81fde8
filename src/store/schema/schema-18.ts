/**
 * Speed. What nearly all rows have in common needs no index: each one that a pour leaves alone is a page less for the
 * card to write. Queries for the rare values name the condition, by which SQLite knows that the index has them.
 */
export const schema18 = `
DROP INDEX drinks_by_validity;
CREATE INDEX drinks_held ON drinks (is_valid) WHERE is_valid <> 1;
DROP INDEX events_by_kind;
CREATE INDEX events_by_kind ON events (kind) WHERE kind <> 'drink_poured';
`;
