/** Logins at the OpenID provider on the page of the account: their list, and unlinking one. */
import type { VNode } from 'preact';
import { AccountError, type LinkedLogin, type OfferedWays } from '../access/access.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { BoldName, ButtonLink, Confirm, DatedText } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange, logWrongPassword } from './audit.ts';
import { showNotFound } from './error-pages.tsx';
import { RefusalNotice, renderForm } from './form-page.tsx';
import { asksForPassword, PasswordField } from './own-password.tsx';
import { passkeySite } from './sign-in-passkey.tsx';

const pathOf = (visit: SignedInRequest, { id }: LinkedLogin): string =>
  visit.path(`/account/security/logins/${id}/unlink`);

/** The section of the page /account/security. */
export function LinkedLoginList(props: { visit: SignedInRequest; logins: readonly LinkedLogin[] }): VNode {
  const { visit, logins } = props;
  const words = visit.words.logins;
  return (
    <>
      <p>{words.lead}</p>
      <ul class="rows">
        {logins.map((login) => (
          <li key={login.id}>
            <div class="what">
              <p>
                <BoldName>{providerName(visit, login)}</BoldName>
              </p>
              <p class="small soft">
                <bdi>{login.email}</bdi>, <DatedText text={words.linked} at={login.createdTs} />
                {login.lastUsedTs !== null && (
                  <>
                    , <DatedText text={words.lastUsed} at={login.lastUsedTs} time />
                  </>
                )}
              </p>
            </div>
            <ButtonLink
              look="quiet"
              href={pathOf(visit, login)}
              label={words.unlinkNamed(providerName(visit, login), login.email)}
            >
              {words.unlink}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The name of the provider on the sign-in page; the host of one that the service had before. */
function providerName({ deps }: SignedInRequest, { issuer }: LinkedLogin): string {
  if (deps.openid?.isIssuer(issuer)) return deps.openid.options.name;
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}

/** The ways to sign in that this service offers. */
const offeredWays = ({ deps }: SignedInRequest): OfferedWays => ({
  passwords: deps.localPasswords,
  passkeys: passkeySite(deps.siteUrl) !== null,
  issuer: deps.openid?.options.issuer ?? null,
});

/** Asks for confirmation, with the password if the account has one. The only way to sign in cannot be unlinked. */
export async function confirmUnlink(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
): Promise<void> {
  const { linkedLogins } = visit.deps.access.signIn;
  const { id } = visit.session.account;
  const login = (await linkedLogins.list(id)).find((one) => one.id === visit.recordId);
  if (login === undefined) return showNotFound(visit);
  const isOnlyWay = !(await linkedLogins.hasOtherWay(id, login.id, offeredWays(visit)));
  const notice = isOnlyWay ? new AccountError('only_way', '') : refusal;
  const { title } = visit.words.logins;
  const asksPassword = await asksForPassword(visit);
  renderForm(visit, refusal, {
    title,
    current: '/account/security',
    children: <UnlinkPage {...{ visit, login, isOnlyWay, asksPassword, refusal: notice }} />,
  });
}

type UnlinkProps = {
  visit: SignedInRequest;
  login: LinkedLogin;
  isOnlyWay: boolean;
  asksPassword: boolean;
  refusal: AccountError | null;
};

function UnlinkPage({ visit, login, isOnlyWay, asksPassword, refusal }: UnlinkProps): VNode {
  const { logins: words, security } = visit.words;
  const isWrong = refusal?.reason === 'credentials';
  const parts = { email: <bdi>{login.email}</bdi>, provider: <bdi>{providerName(visit, login)}</bdi> };
  return (
    <>
      <h1>{words.heading}</h1>
      <p class="lead">
        <Filled text={words.unlinkLead} parts={parts} />
      </p>
      {refusal !== null && !isWrong && <RefusalNotice visit={visit} refusal={refusal} />}
      {isOnlyWay ? (
        <p class="actions">
          <a href={visit.path('/account/security')}>{security.back}</a>
        </p>
      ) : (
        <Confirm
          action={pathOf(visit, login)}
          csrf={visit.session.csrf}
          verb={words.button}
          back={visit.path('/account/security')}
          spaced
        >
          {asksPassword && <PasswordField visit={visit} error={isWrong ? security.wrongPassword : null} />}
        </Confirm>
      )}
    </>
  );
}

/** Unlinks a login, after the password or a recent sign-in. */
export async function unlinkLogin(visit: SignedInRequest): Promise<void> {
  const { access, localPasswords } = visit.deps;
  const { session, recordId: login } = visit;
  try {
    const password = visit.field('password');
    await access.sessions.confirmIdentity(session, password, visit.requestSource, localPasswords);
    const { linkedLogins } = access.signIn;
    if (!(await linkedLogins.unlinkOwn(session.account, login, offeredWays(visit))))
      return showNotFound(visit);
    logAccountChange(visit, 'openid login unlinked', session.account.id);
    visit.redirect('/account/security?done=login-unlinked');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logWrongPassword(visit, failure);
    await confirmUnlink(visit, failure);
  }
}
