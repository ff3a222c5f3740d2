/** What changed rules keep and leave out of the records that a source lists, before they are saved. */
import type { VNode } from 'preact';
import { EmptyState, Fact } from '../../pages/parts.tsx';
import { plural } from '../parts.tsx';
import { Listings } from './listing.tsx';
import type { RulesPreview } from './types.ts';

/** Records listed on each side. */
const maxShown = 10;

/** The preview. Nothing is saved yet. */
export function PreviewOfRules({ preview }: { preview: RulesPreview }): VNode {
  const { kept, kept_count, dropped, dropped_count, records, other_records } = preview;
  return (
    <>
      <p>
        <b>Nothing is saved yet.</b> The rules below judge the records that the last run listed.
      </p>
      <dl class="facts">
        <Fact term="Listed">
          {plural(records, 'record')}
          {other_records > 0 && `; ${plural(other_records, 'other record')} always stay`}
        </Fact>
        <Fact term="Stay">{plural(kept_count, 'record')}</Fact>
        <Fact term="Are left out">{plural(dropped_count, 'record')}</Fact>
      </dl>
      {records === 0 && <EmptyState>The source listed no events so far.</EmptyState>}
      {dropped.length > 0 && (
        <>
          <h3>Left out</h3>
          <Listings records={dropped.slice(0, maxShown)} />
          <More count={dropped_count} />
        </>
      )}
      {kept.length > 0 && (
        <>
          <h3>Stay</h3>
          <Listings records={kept.slice(0, maxShown)} />
          <More count={kept_count} />
        </>
      )}
    </>
  );
}

const More = ({ count }: { count: number }): VNode | null =>
  count <= maxShown ? null : <p class="small soft">{`${(count - maxShown).toLocaleString('en')} more`}</p>;
