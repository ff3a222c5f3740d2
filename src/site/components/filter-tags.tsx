/** The values of filters as tags; each has a link to the same page without it. */
import type { VNode } from 'preact';
import { useMessages } from '../../pages/messages/messages.ts';

export type Tag = { label: string; href: string };

/** A value that the page is restricted to, as a link that leaves it out. */
export function RemovableChip({ label, href }: Tag): VNode {
  const { days } = useMessages();
  return (
    <li>
      <a href={href} aria-current="true">
        {label} <span aria-hidden="true">×</span>
        <span class="hidden">{days.leaveOut}</span>
      </a>
    </li>
  );
}

/** The tags of a page; null without any. */
export function FilterTags({ tags }: { tags: readonly Tag[] }): VNode | null {
  const { common } = useMessages();
  if (tags.length === 0) return null;
  return (
    <nav aria-label={common.chosenFilters} class="genre-chips filter-tags">
      <ul class="chips">
        {tags.map((tag) => (
          <RemovableChip {...tag} key={tag.href} />
        ))}
      </ul>
    </nav>
  );
}
