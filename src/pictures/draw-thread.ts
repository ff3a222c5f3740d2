/** The thread that draws pictures: SVG with texts of the shipped font, as PNG. Started by `painter.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { drawCard } from './card.ts';
import { readFont } from './font.ts';
import { drawIcon } from './icon.ts';
import type { DrawingParts, DrawingRequest, DrawingResult } from './painter.ts';

const { wasm, fonts } = workerData as DrawingParts;
const [regular, bold] = fonts.map(readFont) as [ReturnType<typeof readFont>, ReturnType<typeof readFont>];
const isReady = initWasm(WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>));

function draw({ picture }: DrawingRequest): Uint8Array {
  const svg = 'card' in picture ? drawCard(picture.card, { regular, bold }) : drawIcon(picture.icon);
  const drawing = new Resvg(svg, { font: { fontBuffers: [...fonts], defaultFontFamily: 'Inter' } });
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

parentPort?.on('message', async (request: DrawingRequest) => {
  const { id } = request;
  let result: DrawingResult;
  try {
    await isReady;
    const startedAt = performance.now();
    const png = draw(request);
    result = { id, png, ms: performance.now() - startedAt };
  } catch (failure) {
    result = { id, failure: failure instanceof Error ? failure.message : String(failure) };
  }
  parentPort?.postMessage(result);
});
