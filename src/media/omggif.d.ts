declare module 'omggif' {
  /** Decodes a GIF. Frames count from 0; pixels are RGBA of the whole picture, row by row. */
  export class GifReader {
    constructor(bytes: Uint8Array);
    readonly width: number;
    readonly height: number;
    numFrames(): number;
    frameInfo(frame: number): { x: number; y: number; width: number; height: number };
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void;
  }
}
