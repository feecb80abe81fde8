import Type, { type Static, type TSchema } from 'typebox';
import { openingHoursPattern } from '../../../core/clock/opening-hours.ts';
import type { Site } from '../../../core/records.ts';
import { type SiteSetting, settingList } from '../../../core/settings/site-settings.ts';
import type { Engine } from '../../../engine/engine.ts';
import { productVersion } from '../../../system/product.ts';
import { pictureAddress } from '../../pictures.ts';
import { Closed, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';

const version = productVersion();

/** Converts the declaration of a setting to its schema. */
function toSchema(setting: SiteSetting): TSchema {
  const { description } = setting;
  switch (setting.kind) {
    case 'text':
      return Type.String({ minLength: setting.minLength, maxLength: setting.maxLength, description });
    case 'zone':
      return Type.String({ minLength: 1, maxLength: 64, description });
    case 'locale':
      return Type.String({ maxLength: 35, description });
    case 'hours':
      return Type.String({
        pattern: openingHoursPattern,
        description,
        ...errorWords('must be hours such as 16:00-02:00, or empty', { name: 'opening_hours' }),
      });
    case 'choice':
      return Type.Enum([...setting.of], { description });
    case 'whole':
      return Type.Integer({
        minimum: setting.min,
        maximum: setting.max,
        'x-unit': setting.unit,
        description,
      });
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

/** The site with its settings. */
export const SiteJson = named(
  'Site',
  Closed(
    {
      server_version: Type.String({ description: 'Version of the program.' }),
      is_setup: Type.Boolean({ description: 'False until the set-up is finished.' }),
      background_image_url: Nullable(Type.String({ description: 'Background picture of the pages.' })),
      logo_url: Nullable(Type.String({ description: 'Logo of the site, at most 1024 pixels long.' })),
      ...schemas,
    },
    { description: 'The site with its settings.' },
  ),
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

/** Any subset of the settings; absent ones keep their values. */
export const SettingsChange = Closed(changeSchemas);

/** Converts the JSON names of settings to the internal ones. */
export const toSettings = (body: Readonly<Record<string, unknown>>): Partial<Site> =>
  Object.fromEntries(
    settingList.flatMap(([name, setting]) =>
      body[setting.name] === undefined ? [] : [[name, body[setting.name]]],
    ),
  );
