/** The thread that draws pictures: SVG with texts of the shipped font, as PNG. Started by `painter.ts`. */
import { workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { answerJobs } from '../thread-jobs.ts';
import { type CardFonts, drawCard } from './card.ts';
import { readFont } from './font.ts';
import { drawIcon } from './icon.ts';
import type { Drawing, DrawingParts, Picture } from './painter.ts';

let loading: Promise<CardFonts> | undefined;

/** Compiles the renderer and reads the fonts, once. */
async function load({ wasm, fonts: [regular, bold] }: DrawingParts): Promise<CardFonts> {
  await initWasm(WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>));
  return { regular: readFont(regular), bold: readFont(bold) };
}

function draw(picture: Picture, fonts: CardFonts): Uint8Array {
  const svg = 'card' in picture ? drawCard(picture.card, fonts) : drawIcon(picture.icon);
  const fontBuffers = [...(workerData as DrawingParts).fonts];
  const drawing = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'Inter' } });
  try {
    const image = drawing.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}

answerJobs<Picture, Drawing>(async (picture) => {
  loading ??= load(workerData as DrawingParts);
  const fonts = await loading;
  const startedAt = performance.now();
  const png = draw(picture, fonts);
  return { png, ms: performance.now() - startedAt };
});
