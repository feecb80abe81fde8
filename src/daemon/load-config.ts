import { createConfigLoader } from '../config/load.ts';
import { settingsGroups } from '../extensions/all.ts';

/** Load settings files with the groups of all extensions, also of those that are off. */
export const { loadConfig, parseConfig } = createConfigLoader(settingsGroups);
