import Type, { type Static, type TSchema } from 'typebox';
import type { Site } from '../../../core/records.ts';
import { type SiteSetting, settingList } from '../../../core/site-settings.ts';
import type { Engine } from '../../../engine/engine.ts';
import { productVersion } from '../../../system/product.ts';
import { pictureAddress } from '../../picture-address.ts';
import { Closed, Maybe, Nullable, named } from '../../routes/schemas.ts';

const version = productVersion();

/** The schema of a setting, as it is declared. */
function toSchema(setting: SiteSetting): TSchema {
  const { description } = setting;
  switch (setting.kind) {
    case 'text':
      return Type.String({ minLength: 1, maxLength: setting.maxLength, description });
    case 'zone':
      return Type.String({ minLength: 1, maxLength: 64, description });
    case 'choice':
      return Type.Enum([...setting.of], { description });
    case 'whole':
      return Type.Integer({ minimum: setting.min, maximum: setting.max, unit: setting.unit, description });
    case 'flag':
      return Type.Boolean({ description });
  }
}

const schemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  settingList.map(([, setting]) => [setting.name, toSchema(setting)]),
);

const changeSchemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  settingList.map(([, setting]) => [setting.name, Maybe({ ...toSchema(setting), default: setting.default })]),
);

/** The house, as every page shows it. */
export const SiteJson = named(
  'Site',
  Closed({
    server_version: Type.String(),
    is_setup: Type.Boolean({ description: 'False until somebody has gone through the set-up.' }),
    background_image_url: Nullable(Type.String({ description: 'The picture behind the pages.' })),
    logo_url: Nullable(Type.String({ description: 'The sign of the house, at most 1024 pixels long.' })),
    ...schemas,
  }),
);

export const siteJson = (engine: Engine): Static<typeof SiteJson> => {
  const site = engine.users.site();
  const background = engine.site.background();
  const logo = engine.site.logo();
  return {
    server_version: version,
    is_setup: site.isSetUp,
    background_image_url: background && pictureAddress(background, 1024),
    logo_url: logo && pictureAddress(logo, 1024),
    ...Object.fromEntries(settingList.map(([name, setting]) => [setting.name, site[name]])),
  };
};

/** Any of the settings; what is absent stays as it is. */
export const SettingsChange = Closed(changeSchemas);

/** The settings by the names they have inside. */
export const toSettings = (body: Readonly<Record<string, unknown>>): Partial<Site> =>
  Object.fromEntries(
    settingList.flatMap(([name, setting]) =>
      body[setting.name] === undefined ? [] : [[name, body[setting.name]]],
    ),
  );
