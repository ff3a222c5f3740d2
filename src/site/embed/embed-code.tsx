/** The part of a page that shows how to embed its list of events. */
import type { VNode } from 'preact';
import { Copyable } from '../../pages/parts.tsx';
import type { PageContext } from '../page-context.ts';
import { embedAddress, embedCode } from './embed-address.ts';

/** "Embed this list" with the code to copy; nothing where the list cannot be embedded. */
export function EmbedCode({
  context,
  path,
  name,
  query,
}: {
  context: PageContext;
  path: string;
  name: string;
  query: Readonly<Record<string, string>>;
}): VNode | null {
  const address = embedAddress(path, query, context.language);
  if (address === null) return null;
  const { sharing } = context.messages;
  return (
    <details class="embed">
      <summary>{sharing.embed}</summary>
      <p class="small">{sharing.embedHelp}</p>
      <Copyable id="embed-code" text={embedCode(context, address, name)} label={sharing.embedCopy} />
      <p class="small soft">{sharing.embedOptions}</p>
    </details>
  );
}
