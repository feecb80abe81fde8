import { type OpenDatabase, withLoadedConfig } from '../../../cli/with-database.ts';
import type { LoadedConfig } from '../../../config/load.ts';
import type { CommandParts } from '../../extension.ts';
import type { Imports } from '../engine/imports.ts';

/** What the commands are made with. */
export type ImportParts = CommandParts<Imports>;

export interface OpenImports extends OpenDatabase {
  readonly imports: Imports;
}

/** Opens the database with its imports, does the work and closes it. Throws `feature_off` unless they are on or `evenIfOff`. */
export const withImports = <T>(
  { feature, servicesOf }: ImportParts,
  loaded: LoadedConfig,
  work: (open: OpenImports) => T | Promise<T>,
  { evenIfOff = false } = {},
): Promise<T> =>
  withLoadedConfig(loaded, (open) => work({ ...open, imports: servicesOf(open.engine) }), {
    switchOn: evenIfOff ? feature : null,
  });
