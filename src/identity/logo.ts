/**
 * Checks an image for the head of the pages: PNG, WebP or SVG. An SVG that contains scripts, event handlers or
 * addresses of other hosts is refused. This is the first of two barriers: logos are served with a policy under which no
 * script runs (`pages/assets.ts`).
 */
import { hash } from 'node:crypto';
import type { Logo } from '../contract/identity.ts';

/** The size limit of a logo, in bytes. */
export const maxLogoBytes = 65_536;
const maxBytesText = '64 KB';

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function typeOf(content: Buffer): Pick<Logo, 'type' | 'ending'> | null {
  if (content.subarray(0, 8).equals(pngSignature)) return { type: 'image/png', ending: 'png' };
  const [container, format] = [content.toString('latin1', 0, 4), content.toString('latin1', 8, 12)];
  if (container === 'RIFF' && format === 'WEBP') return { type: 'image/webp', ending: 'webp' };
  const text = content.toString('utf8').trimStart();
  return /^(?:<\?xml\b|<!--|<svg\b)/i.test(text) && /<svg[\s>]/i.test(text)
    ? { type: 'image/svg+xml', ending: 'svg' }
    : null;
}

/** What an SVG may not contain, with its name in the message. Attribute values may be written as character references. */
const forbiddenInSvg: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/<!(?:DOCTYPE|ENTITY|\[CDATA\[)/i, 'a document type, entities or CDATA'],
  [/<\?(?!xml\s)/i, 'processing instructions'],
  [
    /<(?:[\w.-]+:)?(?:script|foreignObject|iframe|object|embed|audio|video|handler|listener)\b/i,
    'scripts or foreign objects',
  ],
  [/<(?:[\w.-]+:)?(?:set|animate\w*)\b/i, 'animations'],
  [/[\s"'/]on[a-z]+\s*=/i, 'event handlers'],
  [/(?:(?:javascript|vbscript)\s*:|data\s*:\s*text\b)/i, 'script addresses'],
  [/@import|\burl\(\s*["']?(?!#|data:image\/)/i, 'addresses in styles'],
];
/** A link or image: only parts of the same file, and images within it. */
const reference = /\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** Returns what makes an SVG unacceptable; null if nothing does. */
function problemOfSvg(content: Buffer): string | null {
  const text = content.toString('utf8');
  if (text.includes('\0') || text.includes('\uFFFD')) return 'bytes that are not UTF-8';
  for (const [pattern, name] of forbiddenInSvg) if (pattern.test(text)) return name;
  for (const [, double, single] of text.matchAll(reference)) {
    const address = (double ?? single ?? '').trim();
    if (!/^(?:#[\w.:-]*|data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]*)$/.test(address))
      return 'links or images outside the file';
  }
  return null;
}

/** Parses an image. Returns a sentence that says what is wrong and what to do if it cannot be a logo. */
export function parseLogo(content: Buffer): Logo | string {
  if (content.length === 0) return 'The logo is empty. Choose a PNG, WebP or SVG file.';
  if (content.length > maxLogoBytes)
    return `The logo has ${content.length.toLocaleString('en')} bytes; at most ${maxBytesText} are possible. Save it smaller: 64 pixels of height are enough.`;
  const type = typeOf(content);
  if (type === null) return 'The logo is not a PNG, WebP or SVG image. Convert it to one of them.';
  const problem = type.ending === 'svg' ? problemOfSvg(content) : null;
  if (problem !== null)
    return `The SVG contains ${problem}, which a logo may not. Export it as "plain SVG", or as PNG.`;
  return { ...type, content, digest: hash('sha256', content, 'hex').slice(0, 12) };
}

/** Formats a logo for the data file: its type and content as a `data:` URL. */
export const formatLogo = ({ type, content }: Logo): string =>
  `data:${type};base64,${content.toString('base64')}`;

/** Parses the stored form. Returns a sentence if it is invalid. */
export function parseStoredLogo(text: string): Logo | string {
  const [, base64] = /^data:[a-z+/]+;base64,([A-Za-z0-9+/=]*)$/.exec(text) ?? [];
  return base64 === undefined
    ? 'The stored logo is damaged. Set it again.'
    : parseLogo(Buffer.from(base64, 'base64'));
}
