/** Escapes a text for the content or an attribute of SVG. */
export const escapeSvg = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
