import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { isSessionActive } from '../../core/pours/session-rules.ts';
import type { AuthToken, Session, User } from '../../core/records.ts';
import { Closed, Id, Maybe, named, TotalMl } from '../routes/schemas.ts';
import { mugshotKegbot, PictureKegbot } from './kegbot-pictures.ts';
import { KegbotTime, kegbotTime } from './kegbot-time.ts';

export const UserKegbot = named(
  'KegbotUser',
  Closed(
    {
      username: Type.String({ description: 'Name of the account.' }),
      url: Type.String({ description: 'Path of its page.' }),
      is_active: Type.Boolean({ description: 'False when the account was deactivated.' }),
      display_name: Type.String({ description: 'Name to show.' }),
      image: Maybe(PictureKegbot),
    },
    { description: 'An account.' },
  ),
);

export const SessionKegbot = named(
  'KegbotSession',
  Closed(
    {
      id: Id,
      url: Type.String({ description: 'Path of its page.' }),
      start_time: { ...KegbotTime, description: 'UTC time of the first pour.' },
      end_time: { ...KegbotTime, description: 'UTC time at which it ends unless somebody pours before.' },
      volume_ml: { ...TotalMl, description: 'Sum of its drinks in millilitres.' },
      name: Type.String({ description: 'Name of the session; empty without one.' }),
      is_active: Maybe(Type.Boolean({ description: 'True while it runs; in events only.' })),
    },
    { description: 'A session.' },
  ),
);

export const TokenKegbot = named(
  'KegbotAuthToken',
  Closed(
    {
      id: Id,
      auth_device: Type.String({ description: 'Kind of reader, such as `core.rfid`.' }),
      token_value: Type.String({ description: 'Value that the reader reports.' }),
      created_time: { ...KegbotTime, description: 'UTC time of its creation.' },
      enabled: Type.Boolean({ description: 'False: it opens nothing.' }),
      username: Maybe(Type.String({ description: 'Username of its owner; absent without one.' })),
      user: Maybe(UserKegbot),
      nice_name: Maybe(Type.String({ description: 'Display name; absent when empty.' })),
      expire_time: Maybe({
        ...KegbotTime,
        description: 'UTC time at which it stops working; absent for never.',
      }),
    },
    { description: 'An auth token.' },
  ),
);

/** The public fields of a user: no e-mail address, roles or dates. */
export const userKegbot = (user: User): Static<typeof UserKegbot> => ({
  username: user.username,
  url: `/drinkers/${encodeURIComponent(user.username)}/`,
  is_active: user.isActive,
  display_name: user.displayName,
  ...mugshotKegbot(user),
});

export function sessionKegbot(session: Session): Static<typeof SessionKegbot> {
  const start = new Date(session.startTimeMs);
  const day = `${start.getUTCFullYear()}/${start.getUTCMonth() + 1}/${start.getUTCDate()}`;
  return {
    id: session.id,
    url: `/sessions/${day}/${session.id}/`,
    start_time: kegbotTime(session.startTimeMs),
    end_time: kegbotTime(session.endTimeMs),
    volume_ml: session.volumeMl,
    name: session.name ?? '',
  };
}

/** A session, and whether it is still active. */
export const sessionDetailKegbot = (session: Session, nowMs: number): Static<typeof SessionKegbot> => ({
  ...sessionKegbot(session),
  is_active: isSessionActive(session, nowMs),
});

/** A token, also when disabled, expired or without an owner: the controller decides about it. */
export const tokenKegbot = (token: AuthToken, owner: User | null): Static<typeof TokenKegbot> => ({
  id: token.id,
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  created_time: kegbotTime(token.createdTimeMs),
  enabled: token.enabled,
  ...omitUndefined({
    username: owner ? owner.username : undefined,
    user: owner ? userKegbot(owner) : undefined,
    nice_name: token.niceName || undefined,
    expire_time: token.expireTimeMs === null ? undefined : kegbotTime(token.expireTimeMs),
  }),
});
