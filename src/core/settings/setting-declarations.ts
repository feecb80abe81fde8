import type { Rule } from '../reasons.ts';
import { findHiddenCharacter } from '../text/text-rules.ts';

/** One setting: its public name, default and description. */
export interface SettingBase<T> {
  /** Name in requests and replies, and in the configuration file where it may be set there. */
  readonly name: string;
  readonly default: T;
  readonly description: string;
  /** True if a change may let in whoever was not: a site is changed so only after the password was entered again. */
  readonly letsIn?: true;
}

export interface ChoiceSetting<T extends string> extends SettingBase<T> {
  readonly kind: 'choice';
  readonly of: readonly T[];
}

export interface WholeSetting extends SettingBase<number> {
  readonly kind: 'whole';
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
}

export interface FlagSetting extends SettingBase<boolean> {
  readonly kind: 'flag';
}

/** One line of text. */
export interface LineSetting extends SettingBase<string> {
  readonly kind: 'text';
  readonly maxLength: number;
  /** Also the rule of the configuration file. */
  readonly pattern?: string;
  /** What `pattern` allows, as `must …`. */
  readonly allowed?: string;
  /** True for a secret, which is never shown. */
  readonly secret?: true;
}

/** The type of a setting's value. */
export type SettingValue<S> =
  S extends ChoiceSetting<infer T>
    ? T
    : S extends WholeSetting
      ? number
      : S extends FlagSetting
        ? boolean
        : string;

/** A value for every declared setting. */
export type SettingValues<D> = { readonly [N in keyof D]: SettingValue<D[N]> };

/** Why a value does not fit, as `must …`, and the rule that it breaks, for clients that use their own wording. */
export interface SettingFault {
  readonly fault: string;
  readonly rule?: Rule;
}

export const choice = <T extends string>(setting: Omit<ChoiceSetting<T>, 'kind'>): ChoiceSetting<T> => ({
  kind: 'choice',
  ...setting,
});

export const whole = (setting: Omit<WholeSetting, 'kind'>): WholeSetting => ({ kind: 'whole', ...setting });

/** Its default is an empty text unless told. */
export const line = (
  setting: Omit<LineSetting, 'kind' | 'default'> & { readonly default?: string },
): LineSetting => ({ kind: 'text', default: '', ...setting });

export const flag = (name: string, defaultValue: boolean, description: string): FlagSetting => ({
  kind: 'flag',
  name,
  default: defaultValue,
  description,
});

/** The declarations in order, with their internal names. */
export const listSettings = <D extends Record<string, SettingBase<unknown>>>(declarations: D) =>
  Object.entries(declarations) as unknown as readonly (readonly [keyof D & string, D[keyof D]])[];

/** The default of every declared setting. */
export const settingDefaults = <D extends Record<string, SettingBase<unknown>>>(declarations: D) =>
  Object.fromEntries(
    Object.entries(declarations).map(([name, setting]) => [name, setting.default]),
  ) as unknown as SettingValues<D>;

/** Why a value does not fit a choice, a whole number or a flag; null when it fits. */
export function plainSettingFault(
  setting: ChoiceSetting<string> | WholeSetting | FlagSetting,
  value: unknown,
): SettingFault | null {
  switch (setting.kind) {
    case 'choice': {
      const allowed = setting.of.join(', ');
      return setting.of.includes(value as string)
        ? null
        : { fault: `must be one of ${allowed}`, rule: { name: 'one_of', allowed } };
    }
    case 'whole': {
      const { min, max } = setting;
      return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
        ? null
        : {
            fault: `must be a whole number from ${min} to ${max}`,
            rule: { name: 'whole_from_to', least: min, most: max },
          };
    }
    case 'flag':
      return typeof value === 'boolean' ? null : { fault: 'must be true or false', rule: { name: 'flag' } };
  }
}

/** Why a value does not fit a line of text; null when it fits. */
export function lineFault({ maxLength, pattern, allowed }: LineSetting, value: unknown): SettingFault | null {
  if (typeof value !== 'string') return { fault: 'must be text' };
  const hidden = hiddenCharacterFault(value);
  if (hidden !== null) return hidden;
  if ([...value].length > maxLength)
    return {
      fault: `must have at most ${maxLength} characters`,
      rule: { name: 'characters_at_most', most: maxLength },
    };
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? null : { fault: allowed! };
}

/** The stored values that fit their settings: one that does not comes from another program version. */
export function parseStoredSettings<D extends Record<string, SettingBase<unknown>>>(
  declarations: D,
  json: string,
  findFault: (setting: D[keyof D], value: unknown) => SettingFault | null,
): Partial<SettingValues<D>> {
  const stored = JSON.parse(json) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    listSettings(declarations).flatMap(([name, setting]) =>
      name in stored && findFault(setting, stored[name]) === null ? [[name, stored[name]]] : [],
    ),
  ) as Partial<SettingValues<D>>;
}

/** The fault of a text with a hidden character; null without one. */
export function hiddenCharacterFault(value: string): SettingFault | null {
  const character = findHiddenCharacter(value, 'line');
  return character === null
    ? null
    : {
        fault: `must not contain the hidden character ${character}`,
        rule: { name: 'hidden_character', character },
      };
}
