import Type, { type Static } from 'typebox';
import { type AssignedDrinks, maxAssigned } from '../../../engine/engine.ts';
import { AnyId, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { requestActor, siteAddress } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Nullable } from '../../routes/schemas.ts';
import { TokenJson, tokenJson, UserJson, userJson } from '../users/user-views.ts';

const AssignmentJson = Closed({
  claimed_username: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'All drinks without a user with which this username was sent, compared like usernames.',
    }),
  ),
  auth_token: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'All drinks without a user with which this auth token was sent, as `auth_token` of a drink shows it.',
    }),
  ),
  drinks: Maybe(
    Type.Array(AnyId, {
      minItems: 1,
      maxItems: maxAssigned,
      description: `These drinks, by id, at most ${maxAssigned}. None of them may belong to another user.`,
    }),
  ),
  username: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'The user who gets the drinks; with `create_user` the name of the new account.',
  }),
  create_user: Maybe(
    Closed(
      {
        display_name: Maybe(
          Type.String({
            maxLength: 127,
            description: 'Name to show; empty or absent: the username is shown.',
          }),
        ),
        email: Maybe(
          Type.String({
            maxLength: 254,
            description:
              'E-mail address, to which a link for the first password is mailed; empty or absent: none.',
          }),
        ),
      },
      { description: 'Creates the account in the same step. It must not exist.' },
    ),
  ),
  bind_token: Maybe(
    Type.Boolean({
      description:
        'True, with `auth_token` only: the token becomes an auth token of the user, so that later pours with it are theirs, ' +
        'even if no drink matches now. A value that was sent alone is added as `core.rfid`. Default false.',
    }),
  ),
});

/** Assigns drinks without a user, and those alone. */
export const assignDrinks = defineRoute({
  id: 'assignDrinks',
  method: 'post',
  path: '/drinks/assign',
  summary: 'Assign all drinks without a user that match a name or token, or several drinks, to a user',
  description:
    `One transaction: nothing is changed when any part is refused. At most ${maxAssigned} drinks are assigned, the newest first; ` +
    'repeat the request while `remaining` is not 0. Pours held for review are assigned too and stay held. ' +
    '`POST /corrections/{correction_id}/undo` takes the user from these drinks again; a new account and a bound token stay. ' +
    'Answers 404 when no drink has that name or token.',
  access: 'staff',
  writesCredential: { proof: 'confirmed-login', fields: ['create_user.email'] },
  accepts: { body: AssignmentJson },
  errors: { not_found: ['not_found'], conflict: ['drink_has_user', 'token_has_user'] },
  replies: {
    status: 200,
    body: Closed({
      user: UserJson,
      assigned: Type.Integer({
        minimum: 0,
        maximum: maxAssigned,
        description: 'Number of drinks that got the user.',
      }),
      remaining: Type.Integer({
        minimum: 0,
        description: 'Number of drinks that match and are still without a user.',
      }),
      correction_id: Nullable({
        ...Id,
        description: 'Id of this assignment in the audit log, to undo it; null when no drink changed.',
      }),
      token: Nullable(TokenJson),
    }),
  },
  run(context, { body }) {
    const { engine, now } = context;
    const { username, create_user: newUser, bind_token: bindsToken = false } = body;
    if (bindsToken && body.auth_token === undefined)
      throw validationError('auth_token', 'is needed to bind the token', { name: 'required' });
    const { user, assigned, remaining, correctionId, token } = engine.drinks.assignments.assign(
      {
        drinks: toAssignedDrinks(body),
        username,
        bindsToken,
        actor: requestActor(context),
        ...(newUser && {
          newUser: {
            displayName: newUser.display_name ?? '',
            email: newUser.email ?? '',
            siteUrl: siteAddress(context),
          },
        }),
      },
      now,
    );
    return {
      user: userJson(user),
      assigned,
      remaining,
      correction_id: correctionId,
      token: token && tokenJson(token),
    };
  },
});

function toAssignedDrinks(body: Static<typeof AssignmentJson>): AssignedDrinks {
  const { claimed_username: claimedUsername, auth_token: authToken, drinks } = body;
  const given: readonly AssignedDrinks[] = [
    ...(claimedUsername === undefined ? [] : [{ claimedUsername }]),
    ...(authToken === undefined ? [] : [{ authToken }]),
    ...(drinks === undefined ? [] : [{ drinkIds: drinks.map(toId) }]),
  ];
  const [one, ...others] = given;
  if (one !== undefined && others.length === 0) return one;
  throw validationError('claimed_username', 'or auth_token or drinks is required, exactly one of them', {
    name: 'either',
    other: 'auth_token',
  });
}
