import type * as Type from 'typebox';
import { Group } from './schema-builders.ts';

/** Settings as they were written: not checked yet. */
export type RawSettings = Readonly<Record<string, unknown>>;

/** A list of a group, and the key of its items that is unique. */
interface UniqueKey {
  readonly list: string;
  readonly key: string;
}

/** A group of the settings file that the base does not know; `settingsOf` answers its settings by their type. */
export interface SettingsGroup<Settings = unknown> {
  /** Its key in the file. */
  readonly name: string;
  readonly schema: Type.TSchema & { readonly properties: Type.TProperties };
  /** Names of its controllers, and the ports that it uses: the whole file has each once. */
  readonly unique?: { readonly controllers?: UniqueKey; readonly ports?: UniqueKey };
  /** One sentence for each contradiction between settings that are valid on their own; asked before they are checked, too. */
  findFaults?(group: RawSettings): readonly string[];
  /** Completes valid settings; `toPath` answers a path relative to the working directory as an absolute one. */
  complete?(settings: Settings, toPath: (path: string) => string): Settings;
  /** What a bug report says of them: nobody's name, address, key or token. */
  report?(settings: Settings): Readonly<Record<string, unknown>>;
}

/** Declares a group of the settings file; the declarations of its settings give the type. */
export const defineSettings = <P extends Type.TProperties>({
  properties,
  ...group
}: Omit<SettingsGroup<Type.Static<Type.TObject<P>>>, 'schema'> & { readonly properties: P }): SettingsGroup<
  Type.Static<Type.TObject<P>>
> => ({ ...group, schema: Group(properties, { default: {} }) });

/** The settings of a declared group. */
export type SettingsOf<G> = G extends SettingsGroup<infer Settings> ? Settings : never;

/** The settings of groups by name, as they were loaded. */
export interface WithGroups {
  readonly groups: RawSettings;
}

/** The settings of a group. Throws for one that was not named when the file was loaded. */
export function settingsOf<Settings>({ groups }: WithGroups, { name }: SettingsGroup<Settings>): Settings {
  if (!Object.hasOwn(groups, name)) throw new Error(`The settings ${name} were not loaded.`);
  // Checked by the schema of the group.
  return groups[name] as Settings;
}

/** What a bug report says of the settings of these groups, by their full names. */
export const reportSettings = (
  config: WithGroups,
  groups: readonly SettingsGroup[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    groups.flatMap((group) =>
      Object.entries(group.report?.(settingsOf(config, group)) ?? {}).map(([key, value]) => [
        `${group.name}.${key}`,
        value,
      ]),
    ),
  );
