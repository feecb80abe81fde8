import Type from 'typebox';
import { withPicture } from '../../pictures.ts';
import { validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Open } from '../../routes/schemas.ts';
import { DrinkDetailJson, drinkDetailJson, requireDrinkerOrStaff } from './drink-detail.ts';

const params = Open({ id: Id });

const setDrinkPicture = defineRoute({
  id: 'setDrinkPicture',
  method: 'post',
  path: '/drinks/{id}/picture',
  summary: 'Set the picture of a drink, as its drinker or staff. The previous picture is deleted',
  description:
    'Send a multipart form with a JPEG, PNG, WebP, GIF, TIFF or HEIF picture of up to 10 MiB and 50 megapixels as ' +
    '`image`. It is decoded, turned upright, reduced and stored without metadata. The answer has the addresses of ' +
    'its two sizes.',
  access: 'member',
  accepts: {
    params,
    body: Closed({
      caption: Maybe(
        Type.String({ maxLength: 1000, description: 'Caption, at most 1000 characters; none unless given.' }),
      ),
    }),
    files: ['image'],
  },
  errors: { not_allowed: ['own_drinks_only'], conflict: ['drink_held'] },
  replies: { status: 200, body: DrinkDetailJson },
  run(context, { params: { id }, body, files }) {
    const { engine, now } = context;
    requireDrinkerOrStaff(context, id);
    const image = { upload: files.get('image'), field: 'image' };
    return withPicture(context, image, (picture) => {
      if (picture === undefined)
        throw validationError('image', 'is required: a picture in a multipart form', { name: 'picture' });
      const input = { picture, caption: body.caption ?? '', actor: requestActor(context) };
      return drinkDetailJson(context, engine.drinks.putPicture(id, input, now));
    });
  },
});

const removeDrinkPicture = defineRoute({
  id: 'removeDrinkPicture',
  method: 'delete',
  path: '/drinks/{id}/picture',
  summary: 'Delete the picture of a drink for good, as its drinker or staff',
  description: 'Both stored sizes are deleted; this cannot be undone. Succeeds when there is none.',
  access: 'member',
  accepts: { params },
  errors: { not_allowed: ['own_drinks_only'], conflict: ['drink_held'] },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    requireDrinkerOrStaff(context, id);
    context.engine.drinks.removePicture(id, { actor: requestActor(context) }, context.now);
    return {};
  },
});

/** Routes for the pictures of drinks. */
export const drinkPictureRoutes: readonly Route[] = [setDrinkPicture, removeDrinkPicture];
