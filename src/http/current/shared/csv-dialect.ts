import Type from 'typebox';
import { csvDialects } from '../../../engine/engine.ts';

/** How a CSV file separates cells and writes numbers and times. */
export const CsvDialect = Type.Enum([...csvDialects], {
  description:
    'For CSV only: `standard` (the default) is RFC 4180 with times in UTC. `excel` is what Excel opens by a double click: with a byte order mark, numbers and separators as the site’s `locale` has them (unless it is set: a decimal comma and semicolons), and times in the site’s time zone.',
});
