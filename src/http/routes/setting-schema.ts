import Type, { type TSchema } from 'typebox';
import type {
  ChoiceSetting,
  FlagSetting,
  LineSetting,
  WholeSetting,
} from '../../core/settings/setting-declarations.ts';

/** Converts the declaration of a setting to its schema. */
export function settingSchema(
  setting: FlagSetting | WholeSetting | ChoiceSetting<string> | LineSetting,
): TSchema {
  const { description } = setting;
  switch (setting.kind) {
    case 'flag':
      return Type.Boolean({ description });
    case 'whole':
      return Type.Integer({
        minimum: setting.min,
        maximum: setting.max,
        description,
        ...(setting.unit === undefined ? {} : { 'x-unit': setting.unit }),
      });
    case 'choice':
      return Type.Enum([...setting.of], { description });
    case 'text':
      return Type.String({ maxLength: setting.maxLength, description });
  }
}

/** Converts values by public names to values by internal ones. */
export const toInternalNames = (
  list: readonly (readonly [string, { readonly name: string }])[],
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    list.flatMap(([name, setting]) => (body[setting.name] === undefined ? [] : [[name, body[setting.name]]])),
  );
