/** What people are called by their country, as catalogues describe them: "German techno producer". */

const countryByNationality: Readonly<Record<string, string>> = {
  american: 'US',
  argentine: 'AR',
  argentinian: 'AR',
  australian: 'AU',
  austrian: 'AT',
  belgian: 'BE',
  brazilian: 'BR',
  british: 'GB',
  bulgarian: 'BG',
  canadian: 'CA',
  chilean: 'CL',
  chinese: 'CN',
  colombian: 'CO',
  croatian: 'HR',
  czech: 'CZ',
  danish: 'DK',
  dutch: 'NL',
  english: 'GB',
  estonian: 'EE',
  finnish: 'FI',
  french: 'FR',
  georgian: 'GE',
  german: 'DE',
  greek: 'GR',
  hungarian: 'HU',
  icelandic: 'IS',
  indian: 'IN',
  irish: 'IE',
  israeli: 'IL',
  italian: 'IT',
  japanese: 'JP',
  korean: 'KR',
  latvian: 'LV',
  lithuanian: 'LT',
  mexican: 'MX',
  norwegian: 'NO',
  polish: 'PL',
  portuguese: 'PT',
  romanian: 'RO',
  russian: 'RU',
  scottish: 'GB',
  serbian: 'RS',
  slovenian: 'SI',
  spanish: 'ES',
  swedish: 'SE',
  swiss: 'CH',
  turkish: 'TR',
  uk: 'GB',
  ukrainian: 'UA',
  us: 'US',
  venezuelan: 'VE',
  welsh: 'GB',
};

/** Only the beginning says what somebody is; later on others are told of. */
const maxScannedLength = 60;
const nationalityPattern = new RegExp(
  `(?<![\\w-])(${Object.keys(countryByNationality).join('|')})(?![\\w-])`,
  'gi',
);

/** The country of whom a text begins to describe; null where it names none, or several. */
export function findNationality(text: string | null | undefined): string | null {
  const found = new Set(
    [...(text ?? '').slice(0, maxScannedLength).matchAll(nationalityPattern)]
      // "us" is a word, "US" a country.
      .filter(([word]) => word.length > 2 || word === word.toUpperCase())
      .map(([word]) => countryByNationality[word.toLowerCase()] as string),
  );
  return found.size === 1 ? ([...found][0] as string) : null;
}
