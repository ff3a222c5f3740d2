/** Describes a browser and its system by the `User-Agent` header: "Firefox on Linux". */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstMatch = (patterns: typeof browsers, agent: string): string | undefined =>
  patterns.find(([pattern]) => pattern.test(agent))?.[1];

/** The words around the names of a browser and a system. */
export type BrowserWords = {
  on: (browser: string, system: string) => string;
  unknown: string;
  unknownOn: (system: string) => string;
};

/** The words in English, for the terminal and for pages in English. */
export const englishBrowserWords: BrowserWords = {
  on: (browser, system) => `${browser} on ${system}`,
  unknown: 'An unknown browser',
  unknownOn: (system) => `A browser on ${system}`,
};

/** Returns the name of a browser by its `User-Agent`, such as "Firefox on Linux". */
export function describeBrowser(agent: string, words: BrowserWords = englishBrowserWords): string {
  const [browser, system] = [firstMatch(browsers, agent), firstMatch(systems, agent)];
  if (browser !== undefined) return system === undefined ? browser : words.on(browser, system);
  return system === undefined ? words.unknown : words.unknownOn(system);
}
