import { useSignal } from '@preact/signals';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { toHref } from '../../app/current-path.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { sendsMail } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { OneTimeSecret } from '../../components/one-time-secret.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { dataVersion, showToast } from '../../components/toast.tsx';
import { words } from '../../words/account.ts';

interface Invitation {
  readonly id: number;
  readonly for_email: string;
  readonly expires_date: string;
  readonly is_expired: boolean;
}

/** The user's own invitations: send by mail or as a link, list the unused ones, revoke. */
export function Invitations({ units }: { readonly units: Units }) {
  const link = useSignal<string | null>(null);
  return (
    <section class="group" aria-labelledby="invitations">
      <h3 id="invitations">{words.invitations}</h3>
      <p class="soft">{words.invitationsWhy}</p>
      <div class="card group">
        {link.value !== null && (
          <OneTimeSecret
            explanation={words.linkShownOnce}
            secret={link.value}
            dismissLabel={words.dismissSecret}
            onDismiss={() => (link.value = null)}
          />
        )}
        <PagedList<Invitation>
          path="/invitations"
          itemsKey="invitations"
          label={words.invitations}
          empty={words.noInvitations}
          reloadKey={dataVersion.value}
          renderItem={(invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} units={units} />
          )}
        />
        <Form<{ readonly link: string | null }>
          fields={fields(sendsMail.value)}
          submit={sendsMail.value ? words.invite : words.createLink}
          send={(values) => requestWithPin('POST', '/invitations', { by_mail: false, ...values })}
          onDone={(created) => {
            link.value = created.link === null ? null : toAbsoluteUrl(created.link);
            showToast(created.link === null ? words.invited : words.linkCreated);
          }}
        />
      </div>
    </section>
  );
}

const fields = (hasMail: boolean): readonly FieldSpec[] => [
  {
    kind: 'text',
    name: 'for_email',
    label: hasMail ? words.forEmail : words.forEmailMaybe,
    maxLength: 254,
    optional: 'omit',
  },
  ...(hasMail ? [{ kind: 'flag', name: 'by_mail', label: words.byMail, value: true } as const] : []),
];

/** Completes a relative link with the address of this page: the daemon may not know its own address. */
const toAbsoluteUrl = (link: string): string =>
  link.startsWith('/') ? new URL(toHref(link), location.href).href : link;

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly units: Units;
}

function InvitationRow({ invitation, units }: InvitationRowProps) {
  const { runAction, error } = useAction();
  const recipient = invitation.for_email || words.somebody;
  const until = formatBarTime(barTime(invitation.expires_date, units));
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{recipient}</p>
        <p class="soft">{invitation.is_expired ? words.expired : words.openUntil(until)}</p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <button
        type="button"
        class="chip"
        aria-label={words.withdrawOf(recipient)}
        onClick={() =>
          runAction({
            method: 'DELETE',
            path: `/invitations/${invitation.id}`,
            successMessage: words.withdrawn,
          })
        }
      >
        {words.withdraw}
      </button>
    </li>
  );
}
