import Type, { type TSchema } from 'typebox';
import { ProblemJson, problemOrNull } from '../../../http/routes/problem-json.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { requestActor } from '../../../http/routes/route-context.ts';
import { Closed, IsoSeconds, isoSeconds, Maybe, Nullable, named } from '../../../http/routes/schemas.ts';
import { settingSchema, toInternalNames } from '../../../http/routes/setting-schema.ts';
import type { RouteParts } from '../../extension.ts';
import { type MenuPublicationSettings, menuPublicationSettingList } from '../core/settings.ts';
import type { MenuPublication } from '../engine/menu-publication.ts';
import type { MenuPublisher } from '../outbox/menu-publisher.ts';

const shown = menuPublicationSettingList.filter(([, setting]) => !('secret' in setting));

const MenuPublicationJson = named(
  'MenuPublication',
  Closed(
    {
      ...(Object.fromEntries(shown.map(([, setting]) => [setting.name, settingSchema(setting)])) as Record<
        string,
        TSchema
      >),
      has_password: Type.Boolean({ description: 'True when a password is set; it is never shown.' }),
    },
    { description: 'The settings of the menu on the web space.' },
  ),
);

const MenuPublicationReply = Closed({
  menu_publication: MenuPublicationJson,
  published_time: Nullable({
    ...IsoSeconds,
    description: 'UTC time at which the published menu was last changed; null when none is published.',
  }),
  published_url: Nullable(
    Type.String({ description: 'Folder in which the published files lie; null when none is published.' }),
  ),
  problem: Nullable(ProblemJson),
});

const PublishReply = Closed({ problem: Nullable(ProblemJson) });

const MenuPublicationChange = Closed(
  Object.fromEntries(
    menuPublicationSettingList.map(([, setting]) => [setting.name, Maybe(settingSchema(setting))]),
  ) as Record<string, ReturnType<typeof Maybe<TSchema>>>,
);

/** The menu on the bar's own web space, for staff; superusers change where it is published. */
export const menuPublicationRoutes = ({
  servicesOf,
  background,
}: RouteParts<MenuPublication, MenuPublisher>): readonly Route[] => [
  defineRoute({
    id: 'getMenuPublication',
    method: 'get',
    path: '/admin/menu-publication',
    summary: 'Get where the menu is published, and its state',
    description:
      'The menu is written as static files (HTML in each language, `menu.json`, pictures) to a web space by HTTP `PUT`. ' +
      'The password is never shown; `has_password` tells whether it is set.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: MenuPublicationReply },
    run: ({ engine }) => menuPublicationReply(servicesOf(engine), background()),
  }),
  defineRoute({
    id: 'changeMenuPublication',
    method: 'patch',
    path: '/admin/menu-publication',
    summary: 'Change where the menu is published',
    description:
      'Needs a login whose password was confirmed within five minutes (`POST /api/auth/confirm-password`); keys are ' +
      'refused with 403. Fields left out keep their values; another address or user clears the stored password. Files at a ' +
      'former address stay there. Written to the audit log without the password.',
    access: 'confirmed-superuser',
    accepts: { body: MenuPublicationChange },
    replies: { status: 200, body: MenuPublicationReply },
    run(context, { body }) {
      const publication = servicesOf(context.engine);
      const requested = toInternalNames(
        menuPublicationSettingList,
        body as Readonly<Record<string, unknown>>,
      );
      publication.change(requested as Partial<MenuPublicationSettings>, requestActor(context), context.now);
      return menuPublicationReply(publication, background());
    },
  }),
  defineRoute({
    id: 'publishMenu',
    method: 'post',
    path: '/admin/menu-publication/publish',
    summary: 'Write all files of the menu to the web space now and wait for the result',
    description:
      'Also while publishing is switched off, as a test. `problem` is what failed: not reachable, login refused, no folder.',
    access: 'superuser',
    accepts: {},
    errors: { unavailable: [] },
    replies: { status: 200, body: PublishReply },
    run: async () => ({ problem: problemOrNull(await background().publishNow()) }),
  }),
  defineRoute({
    id: 'removePublishedMenu',
    method: 'delete',
    path: '/admin/menu-publication/files',
    summary: 'Delete the published files from the web space and wait for the result',
    description: 'While publishing is switched on, they are written again after the next change.',
    access: 'superuser',
    accepts: {},
    errors: { unavailable: [] },
    replies: { status: 200, body: PublishReply },
    run: async () => ({ problem: problemOrNull(await background().remove()) }),
  }),
];

function menuPublicationReply(publication: MenuPublication, publisher: MenuPublisher) {
  const values = publication.settings();
  const { url, timeMs } = publication.published();
  return {
    menu_publication: {
      ...Object.fromEntries(shown.map(([name, setting]) => [setting.name, values[name]])),
      has_password: values.password !== '',
    },
    published_time: timeMs === null ? null : isoSeconds(timeMs),
    published_url: url === '' ? null : url,
    problem: problemOrNull(publisher.problem()),
  };
}
