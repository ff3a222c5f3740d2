/** The picture of a shared page: 1200 × 630 pixels, as Open Graph and the cards of social networks show it. */

import { escapeXml } from '../escape-xml.ts';
import type { Font } from './font.ts';
import { fit, printable, wrap } from './words.ts';

/** An image of the operator that pictures can contain. */
export type PictureLogo = { type: 'image/png' | 'image/svg+xml'; base64: string };

/** What the picture of a page says. All texts are plain; they are shortened to what fits. */
export type Card = {
  /** The name of the service, and its logo; null: that of cratebase. */
  service: string;
  logo: PictureLogo | null;
  /** The accent colour on a dark background, `#rrggbb`. */
  accent: string;
  /** What the record is: "Event", "Venue". */
  kind: string;
  title: string;
  /** A date as on a tear-off calendar; null: without. */
  date: { weekday: string; day: string; month: string } | null;
  /** The line below the title, in bold: time, place. */
  lead: string;
  /** Up to three lines of further text: line-up, next events. */
  lines: readonly string[];
};

export type CardFonts = { regular: Font; bold: Font };

export const cardSize = { width: 1200, height: 630 } as const;

const colours = { paper: '#131211', ink: '#ece8de', soft: '#a8a196', line: '#37332d' } as const;
const margin = 72;
const titleSizes = [92, 76, 62, 52] as const;
const maxTitleLines = 3;
/** The top of title and date, and the baseline of the last line of text, in pixels. */
const [top, lastBodyLine] = [168, cardSize.height - 84];
/** The baseline of the first line of the title and the steps between lines, in sizes of the title. */
const [titleAscent, titleStep] = [0.78, 1.1];
/** The steps from line to line of the lead, and from the lead to the text below. */
const [leadStep, bodyShift] = [46, 8];
const leadGap = (titleSize: number): number => 50 - titleSize * 0.3;
const datePlate = { width: 208, height: 250 } as const;

type Style = { size: number; bold?: boolean; fill?: string; anchor?: 'middle' | 'end'; spacing?: number };

const text = (words: string, x: number, y: number, { size, bold, fill, anchor, spacing }: Style): string =>
  words === ''
    ? ''
    : `<text x="${x}" y="${Math.round(y)}" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${fill ?? colours.ink}"${
        anchor === undefined ? '' : ` text-anchor="${anchor}"`
      }${spacing === undefined ? '' : ` letter-spacing="${spacing}"`}>${escapeXml(words)}</text>`;

/** Draws the preview card of a page as SVG. Text that does not fit is cut. */
export function drawCard(card: Card, fonts: CardFonts): string {
  const { regular, bold } = fonts;
  const left = card.date === null ? margin : margin + datePlate.width + 48;
  const width = cardSize.width - left - margin;
  const lead = wrap(printable(card.lead, bold), bold, 36, width, 2);
  const bodyTexts = card.lines.map((line) => printable(line, regular)).filter((line) => line !== '');
  // A title leaves room for the lead and the first line of further text.
  const height =
    bodyTexts.length === 0
      ? Number.POSITIVE_INFINITY
      : lastBodyLine - bodyShift - lead.length * leadStep - top;
  const title = layOutTitle(printable(card.title, bold), bold, width, height);
  let y = top + title.size * titleAscent;
  const parts: string[] = [];
  for (const line of title.lines) {
    parts.push(text(line, left, y, { size: title.size, bold: true }));
    y += title.size * titleStep;
  }
  y += leadGap(title.size);
  for (const line of lead) {
    parts.push(text(line, left, y, { size: 36, bold: true, fill: card.accent }));
    y += leadStep;
  }
  const room = Math.max(0, Math.floor((lastBodyLine - bodyShift - y) / 42) + 1);
  for (const line of bodyLines(bodyTexts, regular, width, room)) {
    parts.push(text(line, left, y + bodyShift, { size: 32, fill: colours.soft }));
    y += 42;
  }
  return frame(card, fonts, [
    card.date === null ? '' : drawDate(card.date, card.accent, fonts, top),
    ...parts,
  ]);
}

/** One text fills up to two lines of the picture; several take one each. @param room lines that fit */
function bodyLines(texts: readonly string[], font: Font, width: number, room: number): string[] {
  const [first] = texts;
  if (first === undefined || room === 0) return [];
  return texts.length === 1
    ? wrap(first, font, 32, width, Math.min(room, 2))
    : texts.slice(0, Math.min(room, 4)).map((line) => fit(line, font, 32, width));
}

/** The largest size at which the title fits, with what is below it; the smallest cuts it. @param height in pixels */
function layOutTitle(
  title: string,
  font: Font,
  width: number,
  height: number,
): { size: number; lines: string[] } {
  for (const size of titleSizes) {
    const most = size > 80 ? 2 : maxTitleLines;
    const lines = wrap(title, font, size, width, most);
    const needed = size * (titleAscent + lines.length * titleStep) + leadGap(size);
    if (needed <= height && lines.join(' ') === title) return { size, lines };
  }
  const size = titleSizes.at(-1) as number;
  return { size, lines: wrap(title, font, size, width, maxTitleLines) };
}

function drawDate(
  { weekday, day, month }: NonNullable<Card['date']>,
  accent: string,
  { regular, bold }: CardFonts,
  top: number,
): string {
  const middle = margin + datePlate.width / 2;
  return [
    `<rect x="${margin}" y="${top}" width="${datePlate.width}" height="${datePlate.height}" rx="10" fill="${accent}"/>`,
    text(fit(printable(weekday, bold), bold, 34, 190), middle, top + 56, {
      size: 34,
      bold: true,
      fill: colours.paper,
      anchor: 'middle',
    }),
    text(fit(printable(day, bold), bold, 116, 190), middle, top + 164, {
      size: 116,
      bold: true,
      fill: colours.paper,
      anchor: 'middle',
    }),
    text(fit(printable(month, regular), regular, 34, 190), middle, top + 218, {
      size: 34,
      fill: colours.paper,
      anchor: 'middle',
    }),
  ].join('');
}

/** The background with the service's name, the kind of page, and the grooves of a record. */
function frame(
  { service, logo, accent, kind }: Card,
  { regular, bold }: CardFonts,
  content: string[],
): string {
  const rings = [560, 500, 440, 380, 320, 260]
    .map(
      (radius) =>
        `<circle cx="1180" cy="660" r="${radius}" fill="none" stroke="${colours.line}" stroke-width="2"/>`,
    )
    .join('');
  const right = cardSize.width - margin;
  const label = fit(printable(kind, regular), regular, 28, 300);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}" font-family="Inter">
<rect width="100%" height="100%" fill="${colours.paper}"/>
${rings}<circle cx="1180" cy="660" r="150" fill="${accent}" opacity="0.18"/>
<rect width="100%" height="10" fill="${accent}"/>
${drawLogo(logo, accent, margin, 60, 48)}
${text(fit(printable(service, bold), bold, 34, 620), margin + 66, 96, { size: 34, bold: true })}
${text(label, right, 95, { size: 28, fill: colours.soft, anchor: 'end' })}
${content.join('\n')}
</svg>`;
}

/** The logo of the operator, or that of cratebase: records in a crate, one of them pulled out. */
export function drawLogo(
  logo: PictureLogo | null,
  accent: string,
  x: number,
  y: number,
  size: number,
  ink: string = colours.ink,
): string {
  if (logo !== null)
    return `<image x="${x}" y="${y}" width="${size}" height="${size}" preserveAspectRatio="xMidYMid meet" href="data:${logo.type};base64,${logo.base64}"/>`;
  return `<g transform="translate(${x} ${y}) scale(${size / 24})"><path d="M2 8h3v14H2zM7 8h3v14H7zM17 8h3v14h-3z" fill="${ink}"/><path d="M12 2h3v20h-3z" fill="${accent}"/></g>`;
}
