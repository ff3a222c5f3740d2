/** Shows the sign-in methods of an account, and helps an owner who cannot sign in: a link for a new password, removal of the second factor. */
import type { VNode } from 'preact';
import type { AccountDetails } from '../../access/access.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import type { Messages } from '../../pages/messages/messages.ts';
import { Confirm, Copyable, DateTime, Fact, QuietLink } from '../../pages/parts.tsx';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { showNotFound } from '../error-pages.tsx';
import { ActionForm, Crumb } from '../parts.tsx';

type Props = { visit: StaffRequest; account: AccountDetails };
type Methods = AccountDetails['sign_in'];
type Words = Messages['consoleOperator']['ways'];

/** The sign-in methods, and the buttons that help an owner who cannot sign in. */
export function SignInSection({ visit, account }: Props): VNode {
  const path = `/admin/accounts/${account.id}`;
  const { localPasswords } = visit.deps;
  const words = visit.messages.consoleOperator.ways;
  return (
    <>
      <dl class="facts">
        <MethodFacts methods={account.sign_in} localPasswords={localPasswords} words={words} />
      </dl>
      <div class="inline">
        {localPasswords && account.suspended_at === null && (
          <ActionForm visit={visit} action={`${path}/reset-link`} label={words.resetLink} look="quiet" />
        )}
        {account.sign_in.second_factor !== null && (
          <QuietLink href={visit.path(`${path}/second-factor`)}>{words.removeFactorLink}</QuietLink>
        )}
      </div>
      {localPasswords && account.suspended_at === null && <p class="small soft">{words.hint}</p>}
    </>
  );
}

function MethodFacts(props: { methods: Methods; localPasswords: boolean; words: Words }): VNode {
  const { methods, localPasswords, words } = props;
  const { second_factor: factor, passkeys, external_logins: logins } = methods;
  return (
    <>
      <Fact term={words.password}>
        {methods.password ? words.passwordSet : words.noPassword}
        {!localPasswords && words.passwordsOff}
      </Fact>
      <Fact term={words.email}>
        {methods.verified_at === null ? (
          words.unconfirmed
        ) : (
          <Filled text={words.confirmed} parts={{ day: <DateTime at={Date.parse(methods.verified_at)} /> }} />
        )}
      </Fact>
      <Fact term={words.factor}>
        {factor === null ? (
          words.noFactor
        ) : (
          <Filled
            text={words.factorSince(factor.recovery_codes_left)}
            parts={{ day: <DateTime at={Date.parse(factor.enabled_at)} /> }}
          />
        )}
      </Fact>
      <Fact term={words.passkeys}>
        <bdi>{passkeys.length === 0 ? words.none : passkeys.map(({ name }) => name).join(', ')}</bdi>
      </Fact>
      {logins.map(({ issuer, email }) => (
        <Fact term="OpenID" key={`${issuer} ${email}`}>
          <bdi>{words.openId(email, issuer)}</bdi>
        </Fact>
      ))}
    </>
  );
}

/** Returns the email of the account in the path; undefined if there is none: then the page "not found" has been sent. */
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
  const { path, expires_at } = await access.signIn.resets.create(email, actorOf(visit));
  const words = visit.messages.consoleOperator.ways;
  const children = (
    <>
      <Crumb href={visit.path(`/admin/accounts/${visit.ids[0]}`)}>
        <bdi>{email}</bdi>
      </Crumb>
      <h1>{words.linkTitle}</h1>
      <p class="lead">
        <Filled
          text={words.linkLead}
          parts={{ email: <bdi>{email}</bdi>, day: <DateTime at={Date.parse(expires_at)} time /> }}
        />
      </p>
      <div class="actions flow">
        <Copyable id="link" text={siteUrl.url + path} label={words.copy} />
        <div>
          <QuietLink href={visit.path(`/admin/accounts/${visit.ids[0]}`)}>{words.back}</QuietLink>
        </div>
      </div>
    </>
  );
  visit.render(200, {
    title: words.linkTitle,
    section: '/admin/accounts',
    children,
  });
}

/** Asks before a second factor is removed. */
export async function confirmFactorReset(visit: StaffRequest): Promise<void> {
  const email = await findEmail(visit);
  if (email === undefined) return;
  const path = visit.path(`/admin/accounts/${visit.ids[0]}`);
  const { ways: words, account } = visit.messages.consoleOperator;
  const children = (
    <>
      <h1>
        <Filled text={words.factorTitle} parts={{ email: <bdi>{email}</bdi> }} />
      </h1>
      <p class="lead">{words.factorLead}</p>
      <Confirm
        action={`${path}/second-factor`}
        csrf={visit.session.csrf}
        verb={words.removeFactor}
        back={path}
        keep={account.keep}
      />
    </>
  );
  visit.render(200, {
    title: words.removeFactor,
    section: '/admin/accounts',
    children,
  });
}

/** Removes a second factor. */
export async function resetFactor(visit: StaffRequest): Promise<void> {
  const email = await findEmail(visit);
  if (email === undefined) return;
  const { removed } = await visit.deps.access.signIn.secondFactors.reset(email, actorOf(visit));
  visit.redirect(`/admin/accounts/${visit.ids[0]}?done=${removed ? 'second-factor' : 'no-second-factor'}`);
}
