/** The menu on the bar's own web space: its settings, and what lies there. */
export const menuPublicationSchema = `
CREATE TABLE menu_publication (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Settings of the page by name; an absent one has the default that the program declares.
  settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings) AND length(settings) <= 16384),
  -- The folder to which the files were written; empty: nothing was published, or all of it was removed.
  published_url TEXT NOT NULL DEFAULT '' CHECK (length(published_url) <= 1024),
  -- The names of the files there, with a hash of what each contains.
  files TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(files) AND length(files) <= 65536),
  published_time_ms INTEGER CHECK (published_time_ms >= 0)
) STRICT;
INSERT INTO menu_publication (id) VALUES (1);
`;
