import Type from 'typebox';
import { parseMailUri } from '../../../core/network/mail-uri.ts';
import { accessSettingList } from '../../../core/settings/site-settings.ts';
import type { ActorContext, Corrected, Engine, PreparedPicture } from '../../../engine/engine.ts';
import { withPicture } from '../../pictures.ts';
import { validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Maybe } from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';
import { SettingsChange, SiteJson, siteJson, toSettings } from './site-views.ts';

const replies = { status: 200, body: Closed({ site: SiteJson }) };
const changeReplies = { status: 200, body: Closed({ site: SiteJson, ...correctionFields }) };

const MailServerLine = Type.String({
  minLength: 1,
  maxLength: 2_000,
  writeOnly: true,
  description:
    'The mail server as one URL: `submission://user:password@host:587/?_default_from_email=a@b`, `smtp://…` or ' +
    '`smtps://…`; `console:` for none. Without a password, the stored one of the same server and user is kept. Read ' +
    'it with `GET /api/admin/mail`. As `PATCH /api/admin/mail`, it needs a superuser whose password was confirmed.',
});

const pictureTexts = {
  set: 'Send a multipart form with a picture of up to 10 MiB and 50 megapixels. It is reduced and stored without metadata; it replaces the previous one. Returns the site with its new address. Written to the audit log, and can be undone while the previous picture is stored.',
  remove:
    'Succeeds when there is none. Returns the site. Written to the audit log, and can be undone while the removed picture is stored.',
};

/** Site settings, background picture and logo, for staff. */
export const siteRoutes: readonly Route[] = [
  defineRoute({
    id: 'getSite',
    method: 'get',
    path: '/site',
    summary: 'Get the site settings',
    description: 'All settings of the site with their present values; the mail server has its own route.',
    access: 'staff',
    accepts: {},
    replies,
    run: ({ engine }) => ({ site: siteJson(engine) }),
  }),
  defineRoute({
    id: 'changeSite',
    method: 'patch',
    path: '/site',
    summary: 'Change site settings. If one value is invalid, none is changed',
    description:
      'Fields left out keep their values. Takes effect at once. `email_config` needs a superuser whose password was ' +
      'confirmed within five minutes. Written to the audit log, and can be undone, except `email_config`.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login', fields: accessSettingList.map(([, { name }]) => name) },
    accepts: { body: Closed({ ...SettingsChange.properties, email_config: Maybe(MailServerLine) }) },
    errors: { not_allowed: ['superuser_needed', 'no_keys', 'password_needed'] },
    replies: changeReplies,
    run(context, { body: { email_config: line, ...body } }) {
      const { engine, now } = context;
      const actor = requestActor(context);
      if (line !== undefined) context.requireConfirmedSuperuser();
      const mail = line === undefined ? undefined : parseMailUri(line);
      if (mail === null)
        throw validationError('email_config', 'must be smtp://…, submission://…, smtps://… or console:');
      const changed = engine.site.change(toSettings(body), actor, now, () => {
        if (mail !== undefined) engine.notifications.mail.change(mail, actor, now);
      });
      return { site: siteJson(engine), ...correctionIdOf(changed) };
    },
  }),
  ...pictureRoutes({
    path: '/site/background-image',
    upload: [
      'setBackgroundImage',
      'Set the background picture of the pages, sent as the file `image`',
      pictureTexts.set,
    ],
    remove: ['removeBackgroundImage', 'Delete the background picture', pictureTexts.remove],
    set: ({ site }, picture, actorContext) => site.setBackground(picture, actorContext),
  }),
  ...pictureRoutes({
    path: '/site/logo',
    upload: ['setLogo', 'Set the logo, sent as the file `image`', pictureTexts.set],
    remove: ['removeLogo', 'Delete the logo', pictureTexts.remove],
    set: ({ site }, picture, actorContext) => site.setLogo(picture, actorContext),
  }),
];

/** The two routes, upload and delete, of a picture of the site. */
function pictureRoutes({
  path,
  upload,
  remove,
  set,
}: {
  readonly path: string;
  readonly upload: readonly [id: string, summary: string, description: string];
  readonly remove: readonly [id: string, summary: string, description: string];
  set(engine: Engine, picture: PreparedPicture | null, actorContext: ActorContext): Corrected<void>;
}): readonly Route[] {
  return [
    defineRoute({
      id: upload[0],
      method: 'post',
      path,
      summary: upload[1],
      description: upload[2],
      access: 'staff',
      accepts: { body: Closed({}), files: ['image'] },
      replies: changeReplies,
      run(context, { files }) {
        const { engine } = context;
        return withPicture(context, { upload: files.get('image'), field: 'image' }, (picture) => {
          if (picture === undefined)
            throw validationError('image', 'is required: a picture in a multipart form', { name: 'picture' });
          const correction = correctionIdOf(set(engine, picture, actorContext(context)));
          return { site: siteJson(engine), ...correction };
        });
      },
    }),
    defineRoute({
      id: remove[0],
      method: 'delete',
      path,
      summary: remove[1],
      description: remove[2],
      access: 'staff',
      accepts: {},
      replies: changeReplies,
      run(context) {
        const { engine } = context;
        const correction = correctionIdOf(set(engine, null, actorContext(context)));
        return { site: siteJson(engine), ...correction };
      },
    }),
  ];
}
