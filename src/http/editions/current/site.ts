import { actorIn } from '../../actor.ts';
import { handIn } from '../../hand.ts';
import { defineRoute, type Route } from '../../route.ts';
import { Closed } from '../../schemas.ts';
import { unfit } from '../../unfit.ts';
import { withPicture } from '../../with-picture.ts';
import { SettingsChange, SiteJson, settingsIn, siteJson } from './site-views.ts';

const replies = { status: 200, body: Closed({ site: SiteJson }) };

/** The settings of the house, for the staff. */
export const siteRoutes: readonly Route[] = [
  defineRoute({
    id: 'getSite',
    method: 'get',
    path: '/site',
    summary: 'The settings of the house',
    access: 'staff',
    accepts: {},
    replies,
    run: ({ engine }) => ({ site: siteJson(engine) }),
  }),
  defineRoute({
    id: 'changeSite',
    method: 'patch',
    path: '/site',
    summary: 'Change settings of the house, all of those sent or none',
    access: 'staff',
    accepts: { body: SettingsChange },
    replies,
    run(context, { body }) {
      const { engine, now } = context;
      engine.site.change(settingsIn(body), actorIn(context), now);
      return { site: siteJson(engine) };
    },
  }),
  defineRoute({
    id: 'setBackgroundImage',
    method: 'post',
    path: '/site/background-image',
    summary: 'Put up a picture behind the pages, as the file `image`',
    access: 'staff',
    accepts: { body: Closed({}), files: ['image'] },
    replies,
    run(context, { files }) {
      const { engine } = context;
      return withPicture(engine, { upload: files.get('image'), field: 'image' }, (picture) => {
        if (picture === undefined) throw unfit('image', 'is needed: a picture, in a multipart form');
        engine.site.setBackground(picture, handIn(context));
        return { site: siteJson(engine) };
      });
    },
  }),
  defineRoute({
    id: 'removeBackgroundImage',
    method: 'delete',
    path: '/site/background-image',
    summary: 'Take the picture behind the pages down',
    access: 'staff',
    accepts: {},
    replies,
    run(context) {
      const { engine } = context;
      engine.site.setBackground(null, handIn(context));
      return { site: siteJson(engine) };
    },
  }),
];
