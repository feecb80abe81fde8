import { request } from '../../../api/client.ts';
import type { Operations, User } from '../../../api/generated.ts';
import { isSuperuser, loadMe, me } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Form } from '../../../components/form/form.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { type Role, roleOf, roles } from './roles.ts';

type Change = Operations['PATCH /users/{username}']['body'];

/** Role of a person, and whether the account can be used. */
export function PersonRole({ user }: { readonly user: User }) {
  const { runAction, error, isBusy } = useAction();
  const { username, is_active: isActive } = user;
  const role = roleOf(user);
  const offered = roles.filter((one) => isSuperuser.value || one !== 'superuser');
  const send = (body: Change) => request('PATCH /users/{username}', { path: { username }, body });
  const reloadOwn = () => {
    if (me.value?.username === username) void loadMe();
  };
  // A change of this right asks for the password, so it is sent only if it is one.
  const toChange = (to: Role, from: Role): Change => ({
    is_staff: to !== 'member',
    ...((to === 'superuser') !== (from === 'superuser') && { is_superuser: to === 'superuser' }),
  });

  const setActive = () =>
    runAction(
      () => send({ is_active: !isActive }),
      (reply) =>
        showUndoable(t(isActive ? 'person.deactivated' : 'person.activated', { who: username }), reply),
    );

  return (
    <section class="group" aria-labelledby="person-role">
      <h3 id="person-role">{t('person.role')}</h3>
      <div class="card group">
        <Form
          key={role}
          fields={[
            {
              kind: 'choice',
              name: 'role',
              label: t('users.role'),
              value: role,
              options: Object.fromEntries(offered.map((one) => [one, t(`users.roles.${one}`)])),
            },
          ]}
          submit={t('common.save')}
          send={({ role: chosen }) => send(toChange(chosen as Role, role))}
          onDone={(reply) => {
            const text = t('person.roleChanged', {
              who: username,
              role: t(`users.roles.${roleOf(reply.user)}`),
            });
            showUndoable(text, reply, reloadOwn);
            reloadOwn();
          }}
        />
        <p class="soft">{isSuperuser.value ? t('person.rolesWhy') : t('person.rolesSuperusersOnly')}</p>
        <ErrorMessage>{error}</ErrorMessage>
        <p>
          <button type="button" class="chip" aria-disabled={isBusy} onClick={() => void setActive()}>
            {isActive ? t('users.switchOff') : t('users.switchOn')}
          </button>
        </p>
        <p class="soft">{isActive ? t('person.deactivateWhy') : t('person.activateWhy')}</p>
      </div>
    </section>
  );
}
