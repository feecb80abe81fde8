import Type from 'typebox';
import { pinLength } from '../../../core/users/pin-rules.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, errorWords } from '../../routes/schemas.ts';
import { PasswordInput, type PasswordServices, requireCurrentPassword } from './password-input.ts';

const Pin = Type.String({
  minLength: pinLength.least,
  maxLength: pinLength.most,
  pattern: '^[0-9]*$',
  description: '4 to 8 digits.',
  ...errorWords(`must have ${pinLength.least} to ${pinLength.most} digits`, {
    name: 'digits_from_to',
    ...pinLength,
  }),
});

const PinState = Closed({
  is_set: Type.Boolean({ description: 'True when you have a PIN.' }),
  is_locked: Type.Boolean({
    description: 'True after too many wrong PINs, until its owner logs in by password.',
  }),
});

/** Your own PIN for shared tablets. */
export const ownPinRoutes = (services: PasswordServices): readonly Route[] => [
  defineRoute({
    id: 'getPin',
    method: 'get',
    path: '/account/pin',
    summary: 'Get whether you have a PIN for shared tablets',
    description: 'The PIN itself cannot be shown. `is_locked` is true after too many wrong ones.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: PinState },
    run: ({ engine, user }) => pinJson(engine.users.pins.of(user!)),
  }),
  defineRoute({
    id: 'setPin',
    method: 'post',
    path: '/account/pin',
    summary: 'Set your own PIN for shared tablets. Requires your password',
    description:
      'Four to eight digits. Replaces the previous PIN and unlocks it. A wrong password is a 400 and counts as a ' +
      'failed login. Written to the audit log.',
    access: 'staff',
    attempt: 'login',
    writesCredential: { proof: 'current-password' },
    accepts: { body: Closed({ current_password: PasswordInput, pin: Pin }) },
    errors: {
      invalid_request: ['wrong_password'],
      too_many: ['passwords_waiting'],
      unavailable: ['too_many_logins'],
    },
    replies: { status: 200, body: PinState },
    async run(context, { body }) {
      const { engine, user, now } = context;
      const hashed = await engine.users.pins.hash(body.pin);
      await requireCurrentPassword(services, context, body.current_password);
      context.requireUnchanged();
      engine.users.pins.set(user!, hashed, requestActor(context), now);
      return pinJson(engine.users.pins.of(user!));
    },
  }),
  defineRoute({
    id: 'removePin',
    method: 'delete',
    path: '/account/pin',
    summary: 'Delete your own PIN',
    description:
      'You cannot unlock shared tablets any more. Succeeds when there is none. Written to the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: {},
    replies: { status: 200, body: PinState },
    run(context) {
      const { engine, user, now } = context;
      engine.users.pins.remove(user!, requestActor(context), now);
      return pinJson(engine.users.pins.of(user!));
    },
  }),
];

const pinJson = ({ isSet, isLocked }: { readonly isSet: boolean; readonly isLocked: boolean }) => ({
  is_set: isSet,
  is_locked: isLocked,
});
