import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { CataloguePicture, Drink, Picture, User } from '../../core/records.ts';
import { pictureAddress } from '../pictures.ts';
import { Closed, Id, Maybe, named } from '../routes/schemas.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';

export const PictureKegbot = named(
  'KegbotPicture',
  Closed(
    {
      url: Type.String({ description: 'Address of the picture, at most 1024 pixels long.' }),
      thumbnail_url: Type.String({ description: 'Address of a square of 128 pixels.' }),
      original_url: Type.String({ description: 'The same as `url`: originals are not stored.' }),
      time: Maybe({ ...KegbotTime, description: 'UTC time of the pour; absent elsewhere.' }),
      caption: Maybe(Type.String({ description: 'Caption; absent when empty.' })),
      user_id: Maybe(Type.String({ description: 'Username; absent without one.' })),
      keg_id: Maybe({ ...Id, description: 'Id of the keg; absent without one.' }),
      session_id: Maybe({ ...Id, description: 'Id of the session; absent without one.' }),
    },
    { description: 'A picture.' },
  ),
);

/** A drink's picture in the kegbot format, with the drink's user, keg and session. */
export const pictureKegbot = (picture: Picture, drink: Drink): Static<typeof PictureKegbot> => ({
  ...addresses(picture),
  time: kegbotTime(drink.pourTimeMs),
  ...omitUndefined({
    user_id: drink.username ?? undefined,
    keg_id: drink.kegId ?? undefined,
    session_id: drink.sessionId ?? undefined,
  }),
});

/** The picture of a user as a field to spread; an empty object without one. */
export const mugshotKegbot = ({
  mugshot,
  username,
}: User): { readonly image?: Static<typeof PictureKegbot> } =>
  mugshot === null ? {} : { image: { ...addresses({ name: mugshot }), user_id: username } };

/** The picture of a beverage or producer. */
export const cataloguePictureKegbot = (picture: CataloguePicture): Static<typeof PictureKegbot> => ({
  ...addresses(picture),
  ...omitUndefined({ caption: picture.caption || undefined }),
});

const addresses = (picture: Pick<Picture, 'name'>) => ({
  url: pictureAddress(picture, 1024),
  thumbnail_url: pictureAddress(picture, 128),
  original_url: pictureAddress(picture, 1024),
});
