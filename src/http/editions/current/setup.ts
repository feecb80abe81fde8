import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { productVersion } from '../../../system/product.ts';
import type { SetupCode } from '../../auth/setup-code.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Maybe, Nullable } from '../../routes/schemas.ts';
import { LoginReply, logIn, NewPassword } from './login.ts';
import { SettingsChange, SiteJson, siteJson, toSettings } from './site-views.ts';
import { currentUserJson } from './user-views.ts';

const version = productVersion();

const code = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The code that the console of this machine shows, and its journal.',
});

const OnlyCode = Closed({ code });

/**
 * The wizard of the first start. Each step but the first look asks for the code; a further one (putting back a backup,
 * say) is declared with `access: 'setup'`, `attempt: 'code'` and a call of `setup.check` like these.
 */
export const setupRoutes = (setup: SetupCode): readonly Route[] => [
  defineRoute({
    id: 'getSetupStatus',
    method: 'get',
    path: '/setup/status',
    summary: 'What is left to do before this house opens',
    access: 'setup',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        need_setup: Type.Boolean(),
        need_upgrade: Type.Boolean({ description: 'Never: the ledger is upgraded at the start.' }),
        installed_version: Nullable(Type.String()),
        current_version: Type.String(),
        has_admin: Type.Boolean({ description: 'True once there is somebody to look after the house.' }),
      }),
    },
    run: ({ engine }) => ({
      need_setup: true,
      need_upgrade: false,
      installed_version: version,
      current_version: version,
      has_admin: engine.setup.hasAdmin(),
    }),
  }),
  defineRoute({
    id: 'setupMigrate',
    method: 'post',
    path: '/setup/migrate',
    summary: 'Make the ledger ready; it always is, since it is brought up to date at the start',
    access: 'setup',
    attempt: 'code',
    accepts: { body: OnlyCode },
    replies: { status: 200, body: Closed({ output: Type.String() }) },
    run(_context, { body }) {
      setup.check(body.code);
      return { output: `The ledger is ready for Tapster ${version}.` };
    },
  }),
  defineRoute({
    id: 'setupSettings',
    method: 'post',
    path: '/setup/settings',
    summary: 'Make the first settings of the house, and a first tap where there is none',
    access: 'setup',
    attempt: 'code',
    accepts: { body: Closed({ code, ...SettingsChange.properties }) },
    replies: { status: 200, body: Closed({ site: SiteJson }) },
    run({ engine }, { body: { code: setupCode, ...settings } }) {
      setup.check(setupCode);
      engine.setup.settings(toSettings(settings));
      return { site: siteJson(engine) };
    },
  }),
  defineRoute({
    id: 'setupAdminUser',
    method: 'post',
    path: '/setup/admin-user',
    summary: 'Make the account that looks after the house, and log it in',
    access: 'setup',
    attempt: 'code',
    accepts: {
      body: Closed({
        code,
        username: Type.String({ minLength: 1, maxLength: 30, description: 'Letters, digits and _ . @ + -' }),
        email: Maybe(Type.String({ maxLength: 254 })),
        password: NewPassword,
      }),
    },
    replies: { status: 201, body: LoginReply },
    async run(context, { body }) {
      setup.check(body.code);
      const { engine, now } = context;
      const password = await engine.passwords.hash(body.password);
      const user = engine.setup.admin({ username: body.username, password, email: body.email ?? '' }, now);
      logIn(context, user.username, 'setup');
      return { user: currentUserJson(user) };
    },
  }),
  defineRoute({
    id: 'setupFinish',
    method: 'post',
    path: '/setup/finish',
    summary: 'Open the house; the code is worth nothing from then on',
    access: 'setup',
    attempt: 'code',
    accepts: { body: OnlyCode },
    replies: { status: 200, body: Closed({}) },
    run({ engine }, { body }) {
      setup.check(body.code);
      engine.setup.finish();
      return {};
    },
  }),
  defineRoute({
    id: 'setupUpgrade',
    method: 'post',
    path: '/setup/upgrade',
    summary: 'Refused: nothing is ever left to upgrade',
    access: 'setup',
    attempt: 'code',
    accepts: { body: OnlyCode },
    replies: { status: 200, body: Closed({ output: Type.String() }) },
    run(_context, { body }) {
      setup.check(body.code);
      throw new AppError(
        'conflict',
        'The ledger was brought up to date at the start; set-up is what is left.',
      );
    },
  }),
];
