/** What changed rules keep and leave out of the records that a source lists, before they are saved. */
import type { VNode } from 'preact';
import type { RulesPreview } from '../../contract/source-summaries.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { EmptyState, Fact } from '../../pages/parts.tsx';
import { Listings } from './listing.tsx';

/** The preview. Nothing is saved yet. */
export function PreviewOfRules({ preview }: { preview: RulesPreview }): VNode {
  const { rules, counts } = useMessages().consoleSources;
  const { kept, kept_count, dropped, dropped_count, records, other_records } = preview;
  return (
    <>
      <p>
        <b>{rules.unsaved}</b> {rules.text}
      </p>
      <dl class="facts">
        <Fact term={rules.listed}>
          {counts.records(records)}
          {other_records > 0 && `; ${rules.alwaysStay(counts.otherRecords(other_records))}`}
        </Fact>
        <Fact term={rules.stay}>{counts.records(kept_count)}</Fact>
        <Fact term={rules.areLeftOut}>{counts.records(dropped_count)}</Fact>
      </dl>
      {records === 0 && <EmptyState>{rules.empty}</EmptyState>}
      {dropped.length > 0 && (
        <>
          <h3>{rules.leftOut}</h3>
          <Listings records={dropped} count={dropped_count} />
        </>
      )}
      {kept.length > 0 && (
        <>
          <h3>{rules.stay}</h3>
          <Listings records={kept} count={kept_count} />
        </>
      )}
    </>
  );
}
