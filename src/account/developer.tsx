/** /account/developer: keys, usage, plan, connected apps. */
import type { VNode } from 'preact';
import type { AccountError, ApiKeySummary, ConnectedApp, UsageReport } from '../access/access.ts';
import { attribution } from '../contract/openapi.ts';
import { describePlanChange, plans } from '../contract/plans.ts';
import { Notice, Section } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { Apps } from './apps.tsx';
import { showNotFound } from './error-pages.tsx';
import { Keys } from './keys.tsx';
import { QuotaNotice, Usage } from './usage.tsx';

const doneMessages: Record<string, string> = {
  revoked: 'The key is revoked.',
  disconnected: 'The app is disconnected.',
  'sent-before':
    'This form was sent before and has made its key, which is not shown again. If you have not copied it, revoke it and create another.',
};

/** The dashboard; `refusal` is the reason why no key was created. */
export async function showDeveloper(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
  status = 200,
): Promise<void> {
  const { account } = visit.session;
  const { access } = visit.deps;
  const [keys, history, apps] = await Promise.all([
    access.keys.listOwn(account.id),
    access.usage.forAccount(account.id),
    access.apps.list(account.id),
  ]);
  if (history === null) return showNotFound(visit);
  visit.render(status, {
    title: refusal === null ? 'Developer' : 'Error: Developer',
    current: '/account/developer',
    inEnglish: true,
    children: <Developer {...{ visit, keys, history, apps, refusal }} />,
  });
}

type DeveloperProps = {
  visit: SignedInRequest;
  keys: readonly ApiKeySummary[];
  history: UsageReport;
  apps: readonly ConnectedApp[];
  refusal: AccountError | null;
};

function Developer({ visit, keys, history, apps, refusal }: DeveloperProps): VNode {
  const message = refusal === null ? doneMessages[visit.query.get('done') ?? ''] : undefined;
  return (
    <>
      <h1>Developer</h1>
      <p class="lead">
        Keys for programs, apps for agents, and what they use: the account{' '}
        <bdi>{visit.session.account.email}</bdi>.
      </p>
      {message !== undefined && (
        <div class="actions">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      <QuotaNotice history={history} />
      <Section mark="A1" title="API keys" id="keys">
        <Keys visit={visit} keys={keys} refusal={refusal} />
      </Section>
      <Section mark="A2" title="Usage" id="usage">
        <Usage history={history} />
      </Section>
      <Section mark="B1" title="Connected apps" id="apps">
        <Apps visit={visit} apps={apps} />
      </Section>
      <Section mark="B2" title="Plan" id="plan">
        <PlanSection visit={visit} history={history} />
      </Section>
    </>
  );
}

function PlanSection({ visit, history }: { visit: SignedInRequest; history: UsageReport }): VNode {
  const { plan } = visit.session.account;
  const { baseUrl, siteUrl } = visit.deps;
  return (
    <>
      <dl class="facts">
        <dt>Plan</dt>
        <dd>{plans[plan].title}</dd>
        <dt>Each month</dt>
        <dd>
          {history.quota.toLocaleString('en')} requests for the account
          <PlanLimit own={history.quota} plan={history.planLimits.quota} />
        </dd>
        <dt>Each minute</dt>
        <dd>
          {history.window.toLocaleString('en')} requests for each key or app
          <PlanLimit own={history.window} plan={history.planLimits.window} />
        </dd>
      </dl>
      {history.upcoming.map((change) => (
        <Notice key={change.effectiveTs}>
          {describePlanChange(change)} {change.note}
        </Notice>
      ))}
      {plan === 'free' && (
        <p>
          Show this wherever you show the data: <q>{attribution({ ...siteUrl.identity, baseUrl })}</q>
        </p>
      )}
      <p class="soft">Plans are changed by whoever runs this service.</p>
    </>
  );
}

/** What the plan has, if the account has a limit of its own. */
function PlanLimit({ own, plan }: { own: number; plan: number }): VNode | null {
  return own === plan ? null : (
    <span class="soft"> (your own limit; the plan has {plan.toLocaleString('en')})</span>
  );
}
