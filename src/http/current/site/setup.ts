import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { productVersion } from '../../../system/product.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Currency, Maybe, Nullable } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { LoginReply, logIn, NewPassword, NewUsername } from '../users/login.ts';
import { currentUserJson } from '../users/user-views.ts';
import { SettingsChange, SiteJson, siteJson, toSettings } from './site-views.ts';

const version = productVersion();

const code = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Set-up code shown on the console of this machine and in its journal.',
});

const OnlyCode = Closed({ code });

/**
 * Set-up at the first start. Every step except the status requires the code: it is declared with `access: 'setup'` and
 * `attempt: 'code'` and calls `setup.check`.
 */
export const setupRoutes = ({
  setup,
  updates,
}: Pick<RouteServices, 'setup' | 'updates'>): readonly Route[] => [
  defineRoute({
    id: 'getSetupStatus',
    method: 'get',
    path: '/setup/status',
    summary: 'Get what is left to set up',
    description: '403 once the set-up is finished. Needs no code.',
    access: 'setup',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        need_setup: Type.Boolean({ description: 'Always true: the route answers during the set-up only.' }),
        need_upgrade: Type.Boolean({ description: 'Always false: the database is upgraded at the start.' }),
        installed_version: Nullable(
          Type.String({ description: 'Version that wrote the database; null if none.' }),
        ),
        current_version: Type.String({ description: 'Version of the program.' }),
        has_admin: Type.Boolean({ description: 'True once there is a staff account.' }),
        can_check_updates: Type.Boolean({
          description:
            'True for an installed package whose configuration has an address for new versions: ask for `updates_check`.',
        }),
      }),
    },
    run({ engine }) {
      const { isPackage, check } = updates.view();
      return {
        need_setup: true,
        need_upgrade: false,
        installed_version: version,
        current_version: version,
        has_admin: engine.users.setup.hasAdmin(),
        can_check_updates: isPackage && check.hasAddress,
      };
    },
  }),
  defineRoute({
    id: 'setupMigrate',
    method: 'post',
    path: '/setup/migrate',
    summary: 'Does nothing: the database is upgraded at the start',
    description: 'For pages of older versions, which call it. Checks the code.',
    access: 'setup',
    attempt: 'code',
    accepts: { body: OnlyCode },
    replies: {
      status: 200,
      body: Closed({ output: Type.String({ description: 'What was done, one sentence.' }) }),
    },
    run(_context, { body }) {
      setup.check(body.code);
      return { output: `The database is ready for Tapster ${version}.` };
    },
  }),
  defineRoute({
    id: 'setupSettings',
    method: 'post',
    path: '/setup/settings',
    summary:
      'Store the first site settings, and create a first tap when there is none. Ask for `privacy` (who may read) and `registration_mode` (who may get an account): without an answer everybody may read, and only people invited by staff may register',
    description: 'Fields left out take their defaults. May be repeated until the set-up is finished.',
    access: 'setup',
    attempt: 'code',
    writesCredential: { proof: 'setup-code' },
    accepts: { body: Closed({ code, ...SettingsChange.properties, currency: Maybe(Currency) }) },
    replies: { status: 200, body: Closed({ site: SiteJson }) },
    run({ engine }, { body: { code: setupCode, currency, ...settings } }) {
      setup.check(setupCode);
      engine.users.setup.settings(toSettings(settings), currency);
      return { site: siteJson(engine) };
    },
  }),
  defineRoute({
    id: 'setupAdminUser',
    method: 'post',
    path: '/setup/admin-user',
    summary: 'Create the first superuser account and log it in',
    description: 'Sets the cookie `sessionid`. A name that is taken is a 400.',
    access: 'setup',
    attempt: 'code',
    writesCredential: { proof: 'setup-code' },
    accepts: {
      body: Closed({
        code,
        username: NewUsername,
        email: Maybe(Type.String({ maxLength: 254, description: 'E-mail address; none unless given.' })),
        password: NewPassword,
      }),
    },
    errors: { unavailable: ['too_many_logins'] },
    replies: { status: 201, body: LoginReply },
    async run(context, { body }) {
      setup.check(body.code);
      const { engine, now } = context;
      const password = await engine.users.passwords.hash(body.password);
      const user = engine.users.setup.admin(
        { username: body.username, password, email: body.email ?? '' },
        now,
      );
      logIn(context, user.username, 'setup');
      return { user: currentUserJson(user) };
    },
  }),
  defineRoute({
    id: 'setupFinish',
    method: 'post',
    path: '/setup/finish',
    summary: 'Finish the set-up. The code is invalid from then on',
    description: '409 while there is no staff account. From then on every route of the set-up answers 403.',
    access: 'setup',
    attempt: 'code',
    accepts: { body: OnlyCode },
    errors: { conflict: [] },
    replies: { status: 200, body: Closed({}) },
    run({ engine }, { body }) {
      setup.check(body.code);
      engine.users.setup.finish();
      return {};
    },
  }),
  defineRoute({
    id: 'setupUpgrade',
    method: 'post',
    path: '/setup/upgrade',
    summary: 'Always refused: the database is upgraded at the start',
    description: 'For pages of older versions, which call it. Checks the code and answers 409.',
    access: 'setup',
    attempt: 'code',
    accepts: { body: OnlyCode },
    errors: { conflict: [] },
    replies: {
      status: 200,
      body: Closed({ output: Type.String({ description: 'What was done, one sentence.' }) }),
    },
    run(_context, { body }) {
      setup.check(body.code);
      throw new AppError('conflict', 'The database was upgraded at the start. Finish the set-up instead.');
    },
  }),
];
