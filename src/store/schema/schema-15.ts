/** What comes next on a tap, and the sign of the house. */
export const schema15 = `
-- A keg that waits in the cellar, or a beverage whose keg has not come yet: one of them at most.
ALTER TABLE taps ADD COLUMN next_keg_id INTEGER REFERENCES kegs (id) ON DELETE SET NULL;
ALTER TABLE taps ADD COLUMN next_beverage_id INTEGER REFERENCES beverages (id) ON DELETE SET NULL
  CHECK (next_beverage_id IS NULL OR next_keg_id IS NULL);
-- A keg can only ever be put on one tap.
CREATE UNIQUE INDEX taps_by_next_keg ON taps (next_keg_id) WHERE next_keg_id IS NOT NULL;
CREATE INDEX taps_by_next_beverage ON taps (next_beverage_id) WHERE next_beverage_id IS NOT NULL;

ALTER TABLE pictures ADD COLUMN site_logo_id INTEGER REFERENCES site (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX logo_of_site ON pictures (site_logo_id) WHERE site_logo_id IS NOT NULL;
`;
