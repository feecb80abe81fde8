/** Pictures. Their files lie beside the database under the name kept here; keg, session and drinker are the drink's. */
export const schema2 = `
CREATE TABLE pictures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- 128 random bits: the address of a picture tells nothing of the next one's.
  name TEXT NOT NULL UNIQUE CHECK (length(name) = 32),
  drink_id INTEGER UNIQUE REFERENCES drinks (id) ON DELETE CASCADE
) STRICT;
`;
