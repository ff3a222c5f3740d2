/** Names of browsers by their `User-Agent`. */
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

/** Returns a name such as "Firefox on Linux". */
export function describeBrowser(agent: string): string {
  const [browser, system] = [firstMatch(browsers, agent), firstMatch(systems, agent)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return system === undefined ? 'An unknown browser' : `A browser on ${system}`;
}
