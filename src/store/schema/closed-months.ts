/** Months whose balance is frozen. */
export const closedMonthsSchema = `
CREATE TABLE closed_months (
  -- 2026-05, by business days.
  month TEXT PRIMARY KEY CHECK (length(month) = 7),
  closed_ms INTEGER NOT NULL CHECK (closed_ms >= 0),
  -- The parts of each beverage in whole microlitres, the currency and the sentence when it was closed, see engine/sales/balance/closed-months.ts.
  content TEXT NOT NULL CHECK (json_valid(content) AND length(content) <= 1048576)
) STRICT, WITHOUT ROWID;
`;
