import Type from 'typebox';
import { requestActor } from '../../doors/request-actor.ts';
import { withPicture } from '../../intake/with-picture.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, Maybe, Open } from '../../routes/schemas.ts';
import { unfit } from '../../routes/unfit.ts';
import { DrinkDetailJson, drinkDetailJson, requireDrinkerOrStaff } from './drink-detail.ts';

const params = Open({ id: Id });

const setDrinkPicture = defineRoute({
  id: 'setDrinkPicture',
  method: 'post',
  path: '/drinks/{id}/picture',
  summary: 'Give a drink its picture, by its drinker or staff; the one it had is erased',
  access: 'member',
  accepts: {
    params,
    body: Closed({ caption: Maybe(Type.String({ maxLength: 1000 })) }),
    files: ['image'],
  },
  replies: { status: 200, body: DrinkDetailJson },
  run(context, { params: { id }, body, files }) {
    const { engine, now } = context;
    requireDrinkerOrStaff(context, id);
    const image = { upload: files.get('image'), field: 'image' };
    return withPicture(engine, image, (picture) => {
      if (picture === undefined)
        throw unfit('image', 'is needed: a picture, in a multipart form', { name: 'picture' });
      const input = { picture, caption: body.caption ?? '', by: requestActor(context) };
      return drinkDetailJson(engine, engine.drinks.putPicture(id, input, now));
    });
  },
});

const removeDrinkPicture = defineRoute({
  id: 'removeDrinkPicture',
  method: 'delete',
  path: '/drinks/{id}/picture',
  summary: 'Erase a drink’s picture for good, by its drinker or staff',
  access: 'member',
  accepts: { params },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    requireDrinkerOrStaff(context, id);
    context.engine.drinks.removePicture(id, { actor: requestActor(context) }, context.now);
    return {};
  },
});

/** Pictures of drinks. */
export const drinkPictureRoutes: readonly Route[] = [setDrinkPicture, removeDrinkPicture];
