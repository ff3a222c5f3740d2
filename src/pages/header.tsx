/** The header of public pages: search box, links to the API and the account, and the sections. */
import type { VNode } from 'preact';
import { assetPaths } from './assets.ts';
import { useMessages } from './messages/messages.ts';

/** A link in the header; `current`: the page is this one or a page below it. */
export type NavLink = { href: string; label: string; current?: boolean };

export type HeaderProps = {
  /** Links to the API and the account. */
  service: readonly NavLink[];
  /** The sections of this part of the service, and its name for screen readers. */
  sections: readonly NavLink[];
  sectionsLabel: string;
  /** Path prefix of the search page; null: no search box. */
  search: string | null;
};

/** The header beside the logo. */
export function HeaderBar({ service, sections, sectionsLabel: part, search }: HeaderProps): VNode {
  const { frame } = useMessages();
  return (
    <>
      {search !== null && <SearchBox prefix={search} size="compact" />}
      <NavLinks look="service" label={frame.service} ways={service} />
      <NavLinks look="sections" label={part} ways={sections} />
    </>
  );
}

function NavLinks({ look, label, ways }: { look: string; label: string; ways: readonly NavLink[] }): VNode {
  return (
    <nav class={look} aria-label={label}>
      <ul>
        {ways.map(({ href, label: text, current }) => (
          <li key={text}>
            <a href={href} {...(current ? { 'aria-current': 'page' as const } : {})}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The script element for pages with a search box: loads suggestions while the visitor types. */
export const SearchScript = ({ prefix }: { prefix: string }): VNode => (
  <script src={prefix + assetPaths.siteScript} defer />
);

/** The search form. The script adds suggestions to it. */
export function SearchBox(props: { prefix: string; size: 'compact' | 'large'; value?: string }): VNode {
  const { prefix, size, value } = props;
  const { frame } = useMessages();
  return (
    <search>
      <form
        class={`find ${size}`}
        action={`${prefix}/search`}
        method="get"
        data-hits={`${prefix}/search/hits`}
        data-status={`${frame.noSuggestions}|${frame.oneSuggestion}|${frame.manySuggestions}`}
      >
        <label class="hidden" for="q">
          {frame.searchLabel}
        </label>
        <input
          id="q"
          type="search"
          name="q"
          value={value}
          maxlength={200}
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={size === 'large' ? frame.searchHint : frame.search}
        />
        <button type="submit" class={size === 'compact' ? 'quiet' : undefined}>
          {size === 'compact' ? <SearchIcon /> : frame.search}
        </button>
        <div id="hits" role="listbox" tabindex={-1} aria-label={frame.suggestions} hidden />
        <span class="hidden" role="status" />
      </form>
    </search>
  );
}

const SearchIcon = (): VNode => (
  <>
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path
        d="M12.5 12.5 17 17M14 7.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
      />
    </svg>
    <span class="hidden">{useMessages().frame.search}</span>
  </>
);
