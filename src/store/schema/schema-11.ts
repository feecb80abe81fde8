/** The whole catalogue with its pictures, and hardware that may be renamed and taken away. */
export const schema11 = `
ALTER TABLE producers ADD COLUMN origin_state TEXT NOT NULL DEFAULT '' CHECK (length(origin_state) <= 128);
ALTER TABLE producers ADD COLUMN origin_city TEXT NOT NULL DEFAULT '' CHECK (length(origin_city) <= 128);
ALTER TABLE producers ADD COLUMN is_homebrew INTEGER NOT NULL DEFAULT 0 CHECK (is_homebrew IN (0, 1));
ALTER TABLE producers ADD COLUMN url TEXT NOT NULL DEFAULT '' CHECK (length(url) <= 200);
ALTER TABLE producers ADD COLUMN description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 10000);

ALTER TABLE beverages ADD COLUMN description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 10000);
-- A day, YYYY-MM-DD: wine is dated by it, and beer that is laid down.
ALTER TABLE beverages ADD COLUMN vintage_year TEXT CHECK (vintage_year GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]');
ALTER TABLE beverages ADD COLUMN carbs_per_ml REAL CHECK (carbs_per_ml BETWEEN 0 AND 100);
ALTER TABLE beverages ADD COLUMN original_gravity REAL CHECK (original_gravity BETWEEN 0 AND 10);
ALTER TABLE beverages ADD COLUMN specific_gravity REAL CHECK (specific_gravity BETWEEN 0 AND 10);
ALTER TABLE beverages ADD COLUMN srm REAL CHECK (srm BETWEEN 0 AND 1000);
ALTER TABLE beverages ADD COLUMN ibu REAL CHECK (ibu BETWEEN 0 AND 10000);
ALTER TABLE beverages ADD COLUMN star_rating REAL CHECK (star_rating BETWEEN 0 AND 5);
ALTER TABLE beverages ADD COLUMN untappd_beer_id INTEGER CHECK (untappd_beer_id >= 1);

ALTER TABLE pictures ADD COLUMN caption TEXT NOT NULL DEFAULT '' CHECK (length(caption) <= 1000);
ALTER TABLE pictures ADD COLUMN beverage_id INTEGER REFERENCES beverages (id) ON DELETE CASCADE;
ALTER TABLE pictures ADD COLUMN producer_id INTEGER REFERENCES producers (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX pictures_of_beverage ON pictures (beverage_id) WHERE beverage_id IS NOT NULL;
CREATE UNIQUE INDEX pictures_of_producer ON pictures (producer_id) WHERE producer_id IS NOT NULL;

-- Ticks counted under a name that no meter has now. A meter that takes the name takes them over, so that a lifetime
-- total never falls below the drinks that carry its name.
CREATE TABLE nameless_ticks (
  meter TEXT PRIMARY KEY CHECK (length(meter) <= 257),
  ticks INTEGER NOT NULL CHECK (ticks >= 0)
) STRICT;
INSERT INTO nameless_ticks
  SELECT meter, sum(ticks) FROM (SELECT meter, ticks FROM drinks UNION ALL SELECT meter, ticks FROM spills)
  WHERE meter IS NOT NULL AND meter NOT IN
    (SELECT c.name || '.' || m.port_name FROM flow_meters m JOIN controllers c ON c.id = m.controller_id)
  GROUP BY meter;
`;
