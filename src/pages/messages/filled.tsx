/** Texts with elements in them, such as a link within a sentence. */
import type { ComponentChildren, VNode } from 'preact';

/** A text whose places `{name}` are filled with elements or texts. A place without one stays as it is. */
export function Filled({ text, parts }: { text: string; parts: Record<string, ComponentChildren> }): VNode {
  return (
    <>
      {text.split(/(\{[a-z]+\})/).map((piece) => {
        const name = /^\{([a-z]+)\}$/.exec(piece)?.[1];
        return name === undefined || !Object.hasOwn(parts, name) ? piece : parts[name];
      })}
    </>
  );
}
