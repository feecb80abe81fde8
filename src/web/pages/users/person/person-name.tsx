import { request } from '../../../api/client.ts';
import type { User } from '../../../api/generated.ts';
import { toHref, useNavigate } from '../../../app/routing.ts';
import { Form } from '../../../components/form/form.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { personPath } from './person-path.ts';

/** Display name and username of a person. */
export function PersonName({ user }: { readonly user: User }) {
  const navigate = useNavigate();
  const { username, display_name: displayName } = user;
  const shownName = displayName === username ? '' : displayName;

  return (
    <section class="group" aria-labelledby="person-name">
      <h3 id="person-name">{t('person.name')}</h3>
      <div class="card">
        <Form
          key={username}
          fields={[
            {
              kind: 'text',
              name: 'display_name',
              label: t('users.displayName'),
              value: shownName,
              maxLength: 127,
              optional: 'empty',
            },
            {
              kind: 'text',
              name: 'username',
              label: t('auth.username'),
              value: username,
              maxLength: 30,
              hint: t('person.renameHint'),
            },
          ]}
          submit={t('common.save')}
          isEdit
          // An unchanged name is not sent: a rename counts, and a display name that was not chosen follows the username.
          send={(_values, { changes }) =>
            request('PATCH /users/{username}', { path: { username }, body: changes })
          }
          onDone={(reply) => {
            const newName = reply.user.username;
            const isRenamed = newName !== username;
            showUndoable(isRenamed ? t('users.renamed', { who: newName }) : t('common.saved'), reply, () => {
              // The undone name leads nowhere.
              if (location.pathname === toHref(personPath(newName))) navigate(personPath(username));
            });
            if (isRenamed) navigate(personPath(newName));
          }}
        />
      </div>
    </section>
  );
}
