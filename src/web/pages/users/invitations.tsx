import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { Invitation } from '../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { sendsMail } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import type { FieldSpec } from '../../components/form/field-spec.ts';
import { Form } from '../../components/form/form.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';

/** The user's own invitations: send by mail or as a link, list the unused ones, revoke. */
export function Invitations({ units }: { readonly units: Units }) {
  const link = useSignal<string | null>(null);
  return (
    <section class="group" aria-labelledby="invitations">
      <h3 id="invitations">{t('invitations.title')}</h3>
      <p class="soft">{t('invitations.why')}</p>
      <div class="card group">
        {link.value !== null && (
          <OneTimeSecret
            explanation={t('invitations.linkShownOnce')}
            secret={link.value}
            dismissLabel={t('common.dismissSecret')}
            onDismiss={() => (link.value = null)}
          />
        )}
        <PagedList
          operation="GET /invitations"
          itemsKey="invitations"
          label={t('invitations.title')}
          empty={t('invitations.noInvitations')}
          renderItem={(invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} units={units} />
          )}
        />
        <Form
          fields={fields(sendsMail.value)}
          submit={sendsMail.value ? t('invitations.invite') : t('invitations.createLink')}
          // Without a mail server the form has no field `by_mail`.
          send={({ by_mail = false, ...values }) =>
            request('POST /invitations', { body: { by_mail, ...values } })
          }
          onDone={(created) => {
            link.value = created.link === null ? null : toAbsoluteUrl(created.link);
            showToast(created.link === null ? t('invitations.invited') : t('invitations.linkCreated'));
          }}
        />
      </div>
    </section>
  );
}

const fields = (hasMail: boolean) =>
  [
    {
      kind: 'text',
      name: 'for_email',
      label: hasMail ? t('invitations.forEmail') : t('invitations.forEmailMaybe'),
      maxLength: 254,
      optional: 'omit',
    },
    ...(hasMail
      ? [{ kind: 'flag', name: 'by_mail', label: t('invitations.byMail'), value: true } as const]
      : []),
  ] as const satisfies readonly FieldSpec[];

/** Completes a relative link with the address of this page: the daemon may not know its own address. */
const toAbsoluteUrl = (link: string): string =>
  link.startsWith('/') ? new URL(toHref(link), location.href).href : link;

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly units: Units;
}

function InvitationRow({ invitation, units }: InvitationRowProps) {
  const { runAction, error } = useAction();
  const recipient = invitation.for_email || t('invitations.somebody');
  const until = formatBarTime(barTime(invitation.expires_date, units));
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{recipient}</p>
        <p class="soft">
          {invitation.is_expired ? t('invitations.expired') : t('invitations.openUntil', { time: until })}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={t('invitations.withdrawOf', { who: recipient })}
        onClick={() =>
          runAction(
            () => request('DELETE /invitations/{id}', { path: { id: invitation.id } }),
            t('invitations.withdrawn'),
          )
        }
      >
        {t('invitations.withdraw')}
      </button>
    </li>
  );
}
