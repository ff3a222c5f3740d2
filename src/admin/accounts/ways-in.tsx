/** How the owner of an account signs in, and help for one who cannot: a link for a new password, no second factor. */
import type { VNode } from 'preact';
import type { AccountDetails } from '../../access/access.ts';
import { Button, ButtonLink, Confirm, Copyable, DateTime, Fact } from '../../pages/parts.tsx';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { showNotFound } from '../error-pages.tsx';
import { Crumb, StaffForm } from '../parts.tsx';

type Props = { visit: StaffRequest; account: AccountDetails };
type Ways = AccountDetails['sign_in'];

/** The ways to sign in, and the buttons that help an owner who cannot. */
export function WaysIn({ visit, account }: Props): VNode {
  const path = `/admin/accounts/${account.id}`;
  const { localPasswords } = visit.deps;
  return (
    <>
      <dl class="facts">
        <Ways ways={account.sign_in} localPasswords={localPasswords} />
      </dl>
      <div class="inline">
        {localPasswords && account.suspended_at === null && (
          <StaffForm visit={visit} action={`${path}/reset-link`}>
            <Button look="quiet">Reset link</Button>
          </StaffForm>
        )}
        {account.sign_in.second_factor !== null && (
          <ButtonLink look="quiet" href={visit.path(`${path}/second-factor`)}>
            Remove second factor …
          </ButtonLink>
        )}
      </div>
      {localPasswords && account.suspended_at === null && (
        <p class="small soft">
          A reset link sets a new password. It works once, within an hour, and makes earlier links void.
        </p>
      )}
    </>
  );
}

function Ways({ ways, localPasswords }: { ways: Ways; localPasswords: boolean }): VNode {
  const { second_factor: factor, passkeys, external_logins: logins } = ways;
  return (
    <>
      <Fact term="Password">
        {ways.password ? 'set' : 'none'}
        {!localPasswords && ', not used: --local-passwords is off'}
      </Fact>
      <Fact term="Email">
        {ways.verified_at === null ? (
          'not confirmed'
        ) : (
          <>
            confirmed <DateTime at={Date.parse(ways.verified_at)} />
          </>
        )}
      </Fact>
      <Fact term="Second factor">
        {factor === null ? (
          'none'
        ) : (
          <>
            codes of an app since <DateTime at={Date.parse(factor.enabled_at)} />,{' '}
            {factor.recovery_codes_left} recovery codes left
          </>
        )}
      </Fact>
      <Fact term="Passkeys">
        <bdi>{passkeys.length === 0 ? 'none' : passkeys.map(({ name }) => name).join(', ')}</bdi>
      </Fact>
      {logins.map(({ issuer, email }) => (
        <Fact term="OpenID" key={`${issuer} ${email}`}>
          <bdi>{`${email} at ${issuer}`}</bdi>
        </Fact>
      ))}
    </>
  );
}

/** Returns the email of the account in the path; undefined after the page "not found". */
async function findEmail(visit: StaffRequest): Promise<string | undefined> {
  const email = await visit.deps.access.accounts.emailOf(visit.ids[0] ?? '');
  if (email === undefined) showNotFound(visit);
  return email;
}

/** Creates a link for a new password and shows it. It is not stored, so this page is the only one that has it. */
export async function showResetLink(visit: StaffRequest): Promise<void> {
  const { localPasswords, siteUrl, access } = visit.deps;
  if (!localPasswords) return showNotFound(visit);
  const email = await findEmail(visit);
  if (email === undefined) return;
  const { path, expires_at } = await access.accounts.resetLink(email, actorOf(visit));
  const children = (
    <>
      <Crumb href={visit.path(`/admin/accounts/${visit.ids[0]}`)}>
        <bdi>{email}</bdi>
      </Crumb>
      <h1>A link for a new password</h1>
      <p class="lead">
        Pass it on to <bdi>{email}</bdi> only. It works once, until{' '}
        <DateTime at={Date.parse(expires_at)} time />. It is shown only here, and earlier links are void.
      </p>
      <div class="actions flow">
        <Copyable id="link" text={siteUrl.url + path} label="Copy link" />
        <div>
          <ButtonLink look="quiet" href={visit.path(`/admin/accounts/${visit.ids[0]}`)}>
            Back to the account
          </ButtonLink>
        </div>
      </div>
    </>
  );
  visit.render(200, { title: 'Reset link', section: '/admin/accounts', children });
}

/** Asks before a second factor is removed. */
export async function confirmFactorReset(visit: StaffRequest): Promise<void> {
  const email = await findEmail(visit);
  if (email === undefined) return;
  const path = visit.path(`/admin/accounts/${visit.ids[0]}`);
  const children = (
    <>
      <h1>
        Remove the second factor of <bdi>{email}</bdi>?
      </h1>
      <p class="lead">
        Do so only if the owner lost the device and the recovery codes, and you are sure that it is the owner
        who asks. The password alone then suffices to sign in.
      </p>
      <Confirm
        action={`${path}/second-factor`}
        csrf={visit.session.csrf}
        verb="Remove second factor"
        back={path}
      />
    </>
  );
  visit.render(200, { title: 'Remove a second factor', section: '/admin/accounts', children });
}

/** Removes a second factor. */
export async function resetFactor(visit: StaffRequest): Promise<void> {
  const email = await findEmail(visit);
  if (email === undefined) return;
  const { removed } = await visit.deps.access.accounts.resetSecondFactor(email, actorOf(visit));
  visit.redirect(`/admin/accounts/${visit.ids[0]}?done=${removed ? 'second-factor' : 'no-second-factor'}`);
}
