/** The operator's logo in pictures. */
import type { Logo } from '../../contract/identity.ts';
import type { PictureLogo } from '../../pictures/card.ts';

const encoded = new WeakMap<Logo, PictureLogo>();

/** Returns the logo for pictures; null without one, or for WebP, which the renderer cannot read. */
export function pictureLogo(logo: Logo | null): PictureLogo | null {
  if (logo === null || logo.type === 'image/webp') return null;
  let picture = encoded.get(logo);
  if (picture === undefined) {
    picture = { type: logo.type, base64: logo.content.toString('base64') };
    encoded.set(logo, picture);
  }
  return picture;
}
