/** /account/developer: keys, usage, plan, connected apps. */
import type { VNode } from 'preact';
import type { AccountError, ApiKeySummary, ConnectedApp, UsageReport } from '../access/access.ts';
import { dayMs } from '../clock.ts';
import { attribution } from '../contract/openapi.ts';
import { type PlanChange, plans, windowSeconds } from '../contract/plans.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { useMessages } from '../pages/messages/messages.ts';
import { DatedText, Notice, Section } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { Apps } from './apps.tsx';
import { showNotFound } from './error-pages.tsx';
import { DoneNotice, renderForm } from './form-page.tsx';
import { Keys } from './keys.tsx';
import { QuotaNotice, Usage } from './usage.tsx';

/** The dashboard; `refusal` is the reason why no key was created. */
export async function showDeveloper(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
): Promise<void> {
  const { account } = visit.session;
  const { access } = visit.deps;
  const [keys, history, apps] = await Promise.all([
    access.keys.listOwn(account.id),
    access.usage.forAccount(account.id),
    access.apps.list(account.id),
  ]);
  if (history === null) return showNotFound(visit);
  renderForm(visit, refusal, {
    title: visit.words.developer.title,
    current: '/account/developer',
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
  const words = visit.words.developer;
  return (
    <>
      <h1>{words.title}</h1>
      <p class="lead">
        <Filled text={words.lead} parts={{ email: <bdi>{visit.session.account.email}</bdi> }} />
      </p>
      {refusal === null && <DoneNotice visit={visit} texts={words.done} />}
      <QuotaNotice history={history} />
      <Section title={words.keys} id="keys">
        <Keys visit={visit} keys={keys} refusal={refusal} />
      </Section>
      <Section title={words.usage} id="usage">
        <Usage history={history} />
      </Section>
      <Section title={words.apps} id="apps">
        <Apps visit={visit} apps={apps} />
      </Section>
      <Section title={words.plan} id="plan">
        <PlanSection visit={visit} history={history} />
      </Section>
    </>
  );
}

function PlanSection({ visit, history }: { visit: SignedInRequest; history: UsageReport }): VNode {
  const { plan } = visit.session.account;
  const { baseUrl, siteUrl } = visit.deps;
  const { developer, plan: words } = visit.words;
  const { number } = useMessages().formats;
  return (
    <>
      <dl class="facts">
        <dt>{developer.plan}</dt>
        <dd>{plans[plan].title}</dd>
        <dt>{words.eachMonth}</dt>
        <dd>
          {words.monthly(number(history.quota))}
          <PlanLimit own={history.quota} plan={history.planLimits.quota} />
        </dd>
        <dt>{words.eachMinute}</dt>
        <dd>
          {words.minutely(number(history.window))}
          <PlanLimit own={history.window} plan={history.planLimits.window} />
        </dd>
      </dl>
      {history.upcoming.map((change) => (
        <Notice key={change.effectiveTs}>
          <UpcomingChange change={change} /> {change.note}
        </Notice>
      ))}
      {plan === 'free' && (
        <p>
          <Filled
            text={words.attribution}
            parts={{ sentence: <q>{attribution({ ...siteUrl.identity, baseUrl })}</q> }}
          />
        </p>
      )}
      <p class="soft">{words.changedBy}</p>
    </>
  );
}

/** A change of the limits of a plan as a sentence, as `describePlanChange` has it in English. */
function UpcomingChange({ change }: { change: PlanChange }): VNode {
  const { account, formats } = useMessages();
  const { plan, effectiveTs, quota, window } = change;
  const { number } = formats;
  const text = account.plan.change(plans[plan].title, number(quota), number(window), windowSeconds);
  // Midnight (UTC) is the start of the day.
  return <DatedText text={text} at={effectiveTs} time={effectiveTs % dayMs !== 0} />;
}

/** What the plan has, if the account has a limit of its own. */
function PlanLimit({ own, plan }: { own: number; plan: number }): VNode | null {
  const { account, formats } = useMessages();
  return own === plan ? null : <span class="soft"> {account.plan.ownLimit(formats.number(plan))}</span>;
}
