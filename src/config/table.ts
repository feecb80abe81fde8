import { describeAllowed, type ValueSchema } from './describe-allowed.ts';
import { schemaWith } from './schema.ts';
import type { SettingsGroup } from './settings-group.ts';

interface SettingSchema extends ValueSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly pageDefault?: unknown;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[] | undefined;
  readonly items?: SettingSchema;
}

interface SettingRow {
  /** Full name: `pour.idle_ms`, `meters[].pin`. */
  readonly name: string;
  readonly defaultValue: string;
  readonly allowed: string;
  readonly meaning: string;
}

/**
 * Formats every setting of the base and of these groups with default, allowed values and meaning as a Markdown table; docs/settings.md
 * contains it.
 */
export function settingsTable(groups: readonly SettingsGroup[]): string {
  const rows = settingRows('', schemaWith(groups) as SettingSchema);
  return [
    '| Setting | Default | Allowed | Meaning |',
    '|---|---|---|---|',
    ...rows.map((row) => `| \`${row.name}\` | ${row.defaultValue} | ${row.allowed} | ${row.meaning} |`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function settingRows(prefix: string, group: SettingSchema): SettingRow[] {
  return Object.entries(group.properties ?? {}).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    if (schema.properties !== undefined) return settingRows(`${name}.`, schema);
    const own = row(name, schema, group.required?.includes(key) ?? false);
    return schema.items === undefined ? [own] : [own, ...settingRows(`${name}[].`, schema.items)];
  });
}

function row(name: string, schema: SettingSchema, isRequired: boolean): SettingRow {
  return {
    name,
    defaultValue: defaultValue(schema, isRequired),
    allowed: cell(describeAllowed(schema)),
    meaning: cell(schema.description ?? ''),
  };
}

function defaultValue(schema: SettingSchema, isRequired: boolean): string {
  const { default: value = schema.pageDefault } = schema;
  if (value === undefined) return isRequired ? '(needed)' : '–';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** Escapes `|`, which would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
