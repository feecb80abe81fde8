import { request } from '../../api/client.ts';
import { loadMe, me } from '../../app/me.ts';
import { Form } from '../../components/form/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { languages, nameLanguage, t } from '../../locales/locale.ts';

/** The user's own display name and language of mails. */
export function OwnDetails() {
  const user = me.value;
  if (user === null) return null;
  return (
    <section class="group" aria-labelledby="own-details">
      <h3 id="own-details">{t('account.details')}</h3>
      <div class="card">
        <Form
          fields={[
            {
              kind: 'text',
              name: 'display_name',
              label: t('users.displayName'),
              value: user.display_name === user.username ? '' : user.display_name,
              maxLength: 127,
              optional: 'empty',
            },
            {
              kind: 'choice',
              name: 'notification_language',
              label: t('account.mailLanguage'),
              value: user.notification_language ?? '',
              options: { '': t('account.mailLanguageOfSite'), ...languageNames() },
            },
          ]}
          submit={t('common.save')}
          isEdit
          send={(_values, { changes: { notification_language: language, ...name } }) =>
            request('PATCH /users/me', {
              body: {
                ...name,
                ...(language !== undefined && { notification_language: language === '' ? null : language }),
              },
            })
          }
          onDone={() => {
            showToast(t('common.saved'));
            void loadMe();
          }}
        />
      </div>
    </section>
  );
}

/** The languages of mails, which are those of the page, each named in itself. */
const languageNames = () => Object.fromEntries(languages.map((tag) => [tag, nameLanguage(tag)]));
