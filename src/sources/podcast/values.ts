/** Parses times, durations and addresses of podcast feeds. */

const offsetByAbbreviation: Record<string, string> = {
  ...{
    UT: 'Z',
    UTC: 'Z',
    GMT: 'Z',
    Z: 'Z',
    WET: 'Z',
    WEST: '+01:00',
    BST: '+01:00',
    CET: '+01:00',
    MET: '+01:00',
  },
  ...{
    CEST: '+02:00',
    MEST: '+02:00',
    EET: '+02:00',
    EEST: '+03:00',
    MSK: '+03:00',
    JST: '+09:00',
    KST: '+09:00',
  },
  ...{ AEST: '+10:00', AEDT: '+11:00', NZST: '+12:00', NZDT: '+13:00', EST: '-05:00', EDT: '-04:00' },
  ...{ CST: '-06:00', CDT: '-05:00', MST: '-07:00', MDT: '-06:00', PST: '-08:00', PDT: '-07:00' },
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const rfc822Date =
  /^(?:\p{L}+\.?,?\s+)?(\d{1,2})[\s-]+(\p{L}{3})\p{L}*\.?[\s-]+(\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(.*))?$/u;
const usDate =
  /^(?:\p{L}+,?\s+)?(\p{L}{3})\p{L}*\.?\s+(\d{1,2}),?\s+(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(.*))?$/u;
const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(.*))?$/i;

/**
 * Parses a date in RFC 822, ISO 8601 or written form.
 * @returns a time in the feed format (docs/spec/feed-format.md); null if it is not a valid date
 */
export function parsePublished(text: string): string | null {
  const value = text.trim().slice(0, 100);
  const iso = isoDate.exec(value);
  if (iso) return toDateTime([iso[1], iso[2], iso[3]], iso.slice(4));
  const rfc822 = rfc822Date.exec(value);
  if (rfc822) return toDateTime([rfc822[3], monthNumber(rfc822[2]), rfc822[1]], rfc822.slice(4));
  const us = usDate.exec(value);
  return us ? toDateTime([us[3], monthNumber(us[1]), us[2]], us.slice(4)) : null;
}

const monthNumber = (name = ''): string => String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1);

const padTwo = (value: string | number = '0'): string => String(value).padStart(2, '0');

function toDateTime(
  date: (string | undefined)[],
  [hour, minute, second, zone]: (string | undefined)[],
): string | null {
  const [years = '', month, day] = date;
  const year = years.length === 2 ? `${Number(years) < 70 ? '20' : '19'}${years}` : years;
  const text = `${year}-${padTwo(month)}-${padTwo(day)}`;
  const at = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text || Number(year) < 1950)
    return null;
  if (hour === undefined) return text;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return text;
  return `${text}T${padTwo(hour)}:${padTwo(minute)}:${padTwo(second)}${parseOffset(zone ?? '')}`;
}

/** Returns the offset of a zone; '' if it is unknown. */
function parseOffset(zone: string): string {
  const digits = /^(?:GMT|UTC)?\s*([+-])(\d{1,2}):?(\d{2})?(?!\d)/i.exec(zone.trim());
  if (digits && Number(digits[2]) <= 14) return `${digits[1]}${padTwo(digits[2])}:${digits[3] ?? '00'}`;
  return offsetByAbbreviation[/^[A-Za-z]+/.exec(zone.trim())?.[0]?.toUpperCase() ?? ''] ?? '';
}

/** Max duration; larger numbers mean something else. */
const maxShowSeconds = 72 * 3_600;

/**
 * Parses a duration: seconds, "62:30", "1:02:30", "1:02:30.5", "PT1H2M", "1h 2m", "62 min".
 * @returns seconds; null if the text contains no duration, or zero
 */
export function parseDurationSeconds(text: string): number | null {
  const value = text.trim().slice(0, 60);
  const clock = /^(?:(\d{1,3}):)?(\d{1,4}):(\d{1,2})(?:[.,]\d+)?$/.exec(value);
  const words =
    /^(?:PT?)?\s*(?:(\d{1,3})\s*(?:h|hours?|hrs?|std\.?|stunden?)\s*)?[,:]?\s*(?:(\d{1,4})\s*(?:m|mins?|minutes?|minuten|['′])\.?\s*)?[,:]?\s*(?:(\d{1,5})(?:[.,]\d+)?\s*(?:s|secs?|seconds?|sekunden|["″])\.?)?$/i.exec(
      value,
    );
  const plain = /^\d{1,9}(?:\.\d+)?$/.test(value) ? Number(value) : null;
  const parts = clock ?? (value === '' ? null : words);
  const seconds =
    plain ??
    (parts ? Number(parts[1] ?? 0) * 3_600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0) : null);
  return seconds === null || seconds <= 0 || seconds > maxShowSeconds ? null : Math.round(seconds);
}

/** Resolves an http address against its page; undefined if it is not an http address. */
export function resolveUrl(text: string | undefined, base?: string | undefined): string | undefined {
  const value = text?.trim();
  if (!value) return undefined;
  const httpBase = base !== undefined && URL.canParse(base) && /^https?:/i.test(base) ? base : undefined;
  // Without a base, "//host/path" means https.
  const absolute = value.startsWith('//') && httpBase === undefined ? `https:${value}` : value;
  const url = URL.parse(absolute, httpBase);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 4_000 ? url.href : undefined;
}
