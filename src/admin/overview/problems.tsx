/** Everything that an editor or operator has to act on, at the top of the overview. */
import type { ComponentChildren, VNode } from 'preact';
import { Filled } from '../../pages/messages/filled.tsx';
import { useMessages } from '../../pages/messages/messages.ts';
import { ButtonLink, Notice } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { withQuery } from '../parts.tsx';
import type { BackupOverview, SourceOverview } from '../service-reader.ts';

/** Names of failing sources, and damaged tables, in a notice. */
const maxNames = 5;
/** The source of the sample events. */
const sampleSource = 'sample';

/** Whether the last run of a source failed. */
export const isFailing = ({ failures }: SourceOverview): boolean => failures > 0;

type ProblemsProps = {
  visit: StaffRequest;
  backups: BackupOverview | null;
  sources: readonly SourceOverview[];
  /** Sample events in the catalogue. */
  samples: number;
  hasForgottenTraces: boolean;
};

/** The problems; one line if there are none. */
export function Problems({ visit, backups, sources, samples, hasForgottenTraces }: ProblemsProps): VNode {
  const { problems } = useMessages().consoleOverview;
  const { problem, damage } = visit.deps.service.file();
  const failing = sources.filter(isFailing);
  const isBackupFailing = backups !== null && (backups.failures > 0 || backups.error !== null);
  const failedExports = visit.deps.service.exports()?.failures ?? 0;
  const isGood =
    problem === null &&
    damage.length === 0 &&
    failing.length === 0 &&
    !isBackupFailing &&
    failedExports === 0 &&
    !hasForgottenTraces;
  return (
    <div class="actions flow">
      {problem !== null && (
        <Row tone="bad">
          <span lang="en">{problem}</span>
        </Row>
      )}
      {damage.length > 0 && (
        <Row tone="bad">
          <Filled
            text={problems.damage}
            parts={{
              damage: <bdi lang="en">{damage.slice(0, maxNames).join('; ')}</bdi>,
              command: <code>cratebase restore FILE</code>,
            }}
          />
        </Row>
      )}
      {failing.length > 0 && (
        <Row tone="bad">
          <FailingSources failing={failing} />
        </Row>
      )}
      {isBackupFailing && (
        <Row tone="bad">
          <Filled text={problems.backup} parts={{ error: <bdi lang="en">{backups.error}</bdi> }} />
        </Row>
      )}
      {failedExports > 0 && <Row tone="bad">{problems.exports(failedExports)}</Row>}
      {hasForgottenTraces && (
        <Row tone="bad">
          <Filled text={problems.traces} parts={{ command: <code>cratebase forget --sweep</code> }} />
        </Row>
      )}
      {samples > 0 && <Samples visit={visit} samples={samples} />}
      {isGood && <Row tone="good">{problems.none}</Row>}
    </div>
  );
}

const Row = ({ tone, children }: { tone: 'good' | 'bad'; children: ComponentChildren }): VNode => (
  <div>
    <Notice tone={tone}>{children}</Notice>
  </div>
);

function FailingSources({ failing }: { failing: readonly SourceOverview[] }): VNode {
  const { problems } = useMessages().consoleOverview;
  const names = failing.slice(0, maxNames).map(({ name }) => name);
  const others = failing.length - names.length;
  const text = others > 0 ? `${names.join(', ')} ${problems.more(others)}` : names.join(', ');
  const sentence = failing.length === 1 ? problems.oneFails : problems.manyFail(failing.length);
  return <Filled text={sentence} parts={{ names: <bdi>{text}</bdi> }} />;
}

/** Sample events are for a first look. A service for visitors should not have them. */
function Samples({ visit, samples }: { visit: StaffRequest; samples: number }): VNode {
  const { problems } = useMessages().consoleOverview;
  return (
    <div class="notice">
      <p>
        {problems.samples(samples)}{' '}
        <Filled text={problems.samplesCommand} parts={{ command: <code>cratebase samples remove</code> }} />
      </p>
      <p>
        <ButtonLink look="quiet" href={visit.path(withQuery('/admin/source/remove', { name: sampleSource }))}>
          {problems.removeSamples}
        </ButtonLink>
      </p>
    </div>
  );
}
