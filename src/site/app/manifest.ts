/** The manifest of the installed app (W3C Web Application Manifest). */
import type { PageContext } from '../page-context.ts';

/** The colours of the pages behind the app while it starts (`pages/style.ts`). */
export const themeColours = { light: '#f5f2ea', dark: '#131211' } as const;
export const manifestPath = '/manifest.webmanifest';

const shortNameLength = 12;
const icons = [
  { file: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { file: 'maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const;

/** The path of an icon; it changes with the logo and the colours. */
export const iconPath = ({ siteUrl }: PageContext, file: string): string =>
  `${siteUrl.prefix}/icons/${file}?v=${encodeURIComponent(iconVersion(siteUrl.identity))}`;

const iconVersion = ({ logo, accent }: PageContext['siteUrl']['identity']): string =>
  `${logo?.digest ?? 'own'}-${accent?.slice(1) ?? 'own'}`;

/** Renders the manifest. */
export function manifestText(context: PageContext): string {
  const { siteUrl, messages, language } = context;
  const { name, prefix } = siteUrl;
  const start = `${prefix}/`;
  return JSON.stringify({
    id: start,
    name,
    ...(name.length > shortNameLength
      ? { short_name: name.slice(0, shortNameLength).trim() }
      : { short_name: name }),
    description: messages.frame.tagline(name),
    lang: language,
    dir: 'ltr',
    start_url: start,
    scope: start,
    display: 'minimal-ui',
    theme_color: themeColours.light,
    background_color: themeColours.light,
    categories: ['music', 'entertainment'],
    icons: icons.map(({ file, sizes, purpose }) => ({
      src: iconPath(context, file),
      sizes,
      type: 'image/png',
      purpose,
    })),
    shortcuts: [
      { name: messages.days.tonight, url: `${prefix}/events?when=tonight` },
      { name: messages.lists.events, url: `${prefix}/events` },
      { name: messages.lists.artists, url: `${prefix}/artists` },
    ],
  });
}
